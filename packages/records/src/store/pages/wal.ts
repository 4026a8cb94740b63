// Reads SQLite's write-ahead log as the file format defines it (https://sqlite.org/walformat.html): which pages are committed
// in it, and whether it is whole. SQLite itself takes the first frame with a wrong checksum for the end of the log and drops
// every commit behind it.
//
//   header (32)   magic  version  page size  checkpoint  salt (8)  checksum (8)
//   frame         page  size of the database after a commit, else 0  salt (8)  checksum (8)  the page
//
// A checksum goes on from that of the frame before. Frames of an earlier use of the file have another salt.

import { fstatSync, readSync } from 'node:fs';
import { pageSum } from './page-sum.ts';

const HEADER = 32;
const FRAME_HEADER = 24;
/** The lowest bit of the magic number says how the words of checksums are read. */
const MAGIC = 0x377f0682;
/** Frames that are read at once. */
const FRAMES = 64;

/** What a scan has found since the previous one. */
interface WalScan {
  /** Sums of the pages of whole commits, the newest of each. */
  readonly sums: ReadonlyMap<number, number>;
  /** Pages of the database after the last commit; 0 without one. */
  readonly pages: number;
  /** True where the log was restarted: its former pages have been moved into the database. */
  readonly isNew: boolean;
}

/** A log that is read as it grows. */
export class WalReader {
  readonly #file: number;
  #salt: Buffer | undefined;
  /** The end of the last complete commit. */
  #at = HEADER;
  #first = 0;
  #second = 0;

  /** `file`: a descriptor, which stays the caller's. */
  constructor(file: number) {
    this.#file = file;
  }

  /**
   * Reads the commits since the last scan, of the first `frames` of the log. O(their bytes). Behind the frames that SQLite counts may
   * lie a commit whose sync has failed: it was rolled back, and no checkpoint moves it.
   */
  scan(frames: number = Number.POSITIVE_INFINITY): WalScan {
    const sums = new Map<number, number>();
    const header = this.#read(0, HEADER);
    if (!isHeader(header)) return { sums, pages: 0, isNew: false };
    const salt = header.subarray(16, 24);
    const isNew = this.#salt === undefined || !salt.equals(this.#salt);
    if (isNew) {
      this.#salt = salt;
      this.#at = HEADER;
      this.#first = header.readUInt32BE(24);
      this.#second = header.readUInt32BE(28);
    }
    const length = FRAME_HEADER + header.readUInt32BE(8);
    const isLittle = header.readUInt32BE(0) === MAGIC;
    const open = new Map<number, number>();
    let pages = 0;
    let sum: readonly [number, number] = [this.#first, this.#second];
    const end = HEADER + frames * length;
    for (let at = this.#at; ; ) {
      const chunk = this.#read(at, Math.max(0, Math.min(FRAMES * length, end - at)));
      let taken = 0;
      for (; taken + length <= chunk.length; taken += length) {
        const frame = chunk.subarray(taken, taken + length);
        if (!frame.subarray(8, 16).equals(salt)) break;
        sum = checksum(frame.subarray(FRAME_HEADER), isLittle, checksum(frame.subarray(0, 8), isLittle, sum));
        if (frame.readUInt32BE(16) !== sum[0] || frame.readUInt32BE(20) !== sum[1]) break;
        const page = frame.readUInt32BE(0);
        open.set(page, pageSum(frame.subarray(FRAME_HEADER), page));
        const size = frame.readUInt32BE(4);
        if (size === 0) continue;
        for (const [each, its] of open) sums.set(each, its);
        open.clear();
        pages = size;
        [this.#first, this.#second] = sum;
        this.#at = at + taken + length;
      }
      if (taken < FRAMES * length) return { sums, pages, isNew };
      at += taken;
    }
  }

  /**
   * Describes the damage after the commits that were read. A stop in the middle of a commit leaves at most a part of that
   * commit; where another one follows it, its last frame was synced once.
   */
  damage(): string | undefined {
    const { size } = fstatSync(this.#file);
    const header = this.#read(0, HEADER);
    const isWhole = isHeader(header);
    const pageSize = isWhole ? header.readUInt32BE(8) : 4_096;
    const length = FRAME_HEADER + pageSize;
    const frames = Math.floor((size - HEADER) / length);
    const from = isWhole ? (this.#at - HEADER) / length : 0;
    if (frames <= from) return undefined;
    const saltAt = (frame: number): Buffer => this.#read(HEADER + frame * length + 8, 8);
    const salt = isWhole ? header.subarray(16, 24) : saltAt(frames - 1);
    let commit: number | undefined;
    for (let frame = from; frame < frames; frame++) {
      if (!saltAt(frame).equals(salt)) continue;
      if (commit !== undefined)
        return `${isWhole ? `frame ${from + 1}` : 'its header'} is damaged, and there are ${frames - from} frames behind it`;
      if (this.#read(HEADER + frame * length + 4, 4).readUInt32BE(0) !== 0) commit = frame;
    }
    return undefined;
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let got = 0;
    for (let more = 1; got < length && more > 0; got += more)
      more = readSync(this.#file, bytes, got, length - got, at + got);
    return bytes.subarray(0, got);
  }
}

function isHeader(header: Buffer): boolean {
  if (header.length < HEADER || (header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC) return false;
  const [first, second] = checksum(header.subarray(0, 24), header.readUInt32BE(0) === MAGIC, [0, 0]);
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28);
}

/** SQLite's checksum of whole pairs of words, going on from another. */
function checksum(
  bytes: Buffer,
  isLittle: boolean,
  [before, after]: readonly [number, number],
): [number, number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let first = before | 0;
  let second = after | 0;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getInt32(at, isLittle) + second) | 0;
    second = (second + view.getInt32(at + 4, isLittle) + first) | 0;
  }
  return [first >>> 0, second >>> 0];
}
