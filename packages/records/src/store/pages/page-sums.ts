// Checksums of the pages of records.db, in a file of their own since SQLite has none. They cover the whole file: rows, indices
// and free pages.
//
//   Invariant: every page that is not in the write-ahead log matches its checksum.
//
// The sums of pages in the log are made durable before a checkpoint moves the pages; a stop between the two leaves pages that
// are still in the log, and those are not compared.
//
//   records.sums   header (16)  "OSUM"  version  page size  0
//                  blocks       pages that follow  pages of the database  0  CRC-32 of the rest  (page  sum)*
//
// Numbers are u32, little-endian. A block is appended with each checkpoint; when most of the file is history it is rewritten
// and renamed.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { pageSum } from './page-sum.ts';

const MAGIC = 0x4d55534f;
const VERSION = 1;
const HEADER = 16;
const ENTRY = 8;
/** The file is rewritten when it has twice the live length and this many bytes more. */
const SLACK = 1 << 20;
/** SQLite locks the byte at 1 GiB and never uses its page. */
const LOCK_BYTE = 0x40000000;
const PIECE = 1 << 20;
/** Damaged pages that are named one by one. */
const MOST_NAMED = 5;

/** The file of sums is damaged itself. */
export class DamagedSumsError extends Error {
  override readonly name = 'SumsDamaged';
}

/** The sums of a database file. */
export class PageSums {
  readonly #path: string;
  readonly pageSize: number;
  #sums: Uint32Array;
  /** Pages of the database. */
  #pages: number;
  #file: number | undefined;
  #bytes = 0;
  /** True while the file is rewritten, and from then on if that fails. */
  #isUnsettled = false;

  private constructor(path: string, pageSize: number, pages: number) {
    this.#path = path;
    this.pageSize = pageSize;
    this.#pages = pages;
    this.#sums = new Uint32Array(pages);
  }

  get pages(): number {
    return this.#pages;
  }

  /** The sums of a directory; undefined where there are none. Changes nothing. Throws SumsDamaged. */
  static read(dir: string): PageSums | undefined {
    const path = sumsFile(dir);
    if (!existsSync(path)) return undefined;
    const bytes = readFileSync(path);
    if (bytes.length < HEADER || bytes.readUInt32LE(0) !== MAGIC || bytes.readUInt32LE(4) !== VERSION)
      throw new DamagedSumsError('records.sums has an invalid header');
    const sums = new PageSums(path, bytes.readUInt32LE(8), 0);
    let at = HEADER;
    for (let end = endOfBlock(bytes, at); end !== undefined; end = endOfBlock(bytes, at)) {
      sums.#resize(bytes.readUInt32LE(at + 4));
      for (let entry = at + HEADER; entry < end; entry += ENTRY)
        sums.#sums[bytes.readUInt32LE(entry) - 1] = bytes.readUInt32LE(entry + 4);
      at = end;
    }
    // A torn block belongs to no completed checkpoint. Each is synced before the next, so another one behind it proves damage.
    for (let next = at + ENTRY; next < bytes.length; next += ENTRY)
      if (endOfBlock(bytes, next) !== undefined)
        throw new DamagedSumsError(`records.sums is damaged at byte ${at}`);
    sums.#bytes = at;
    return sums;
  }

  /** Sums of a file as it is now, written down. O(its bytes). */
  static make(dir: string, database: number): PageSums {
    const pageSize = pageSizeOf(database);
    const sums = new PageSums(sumsFile(dir), pageSize, Math.floor(fstatSync(database).size / pageSize));
    for (const [page, bytes] of pagesOf(database, pageSize, 1, sums.#pages))
      if (!isLockPage(page, pageSize)) sums.#sums[page - 1] = pageSum(bytes, page);
    sums.#rewrite();
    return sums;
  }

  /** Begins to write; to be called once, after `read`. */
  begin(): void {
    truncateSync(this.#path, this.#bytes);
    this.#file = openSync(this.#path, 'r+');
  }

  /** Takes the sums of pages that a checkpoint will move. Durable when it returns. */
  take(changed: ReadonlyMap<number, number>, pages: number): void {
    this.#resize(pages);
    // Pages behind the end of a database that has become shorter are not moved.
    const moved = [...changed].filter(([page]) => page <= pages);
    const block = Buffer.alloc(HEADER + moved.length * ENTRY);
    block.writeUInt32LE(moved.length, 0);
    block.writeUInt32LE(pages, 4);
    let at = HEADER;
    for (const [page, sum] of moved) {
      this.#sums[page - 1] = sum;
      block.writeUInt32LE(page, at);
      block.writeUInt32LE(sum, at + 4);
      at += ENTRY;
    }
    block.writeUInt32LE(crcOfBlock(block), 12);
    const most = 2 * (2 * HEADER + this.#pages * ENTRY) + SLACK;
    if (this.#isUnsettled || this.#bytes + block.length > most) {
      this.#rewrite();
      return;
    }
    writeAll(this.#file!, block, this.#bytes);
    fsyncSync(this.#file!);
    this.#bytes += block.length;
  }

  /** Pages from one on, at most `count`, that are not as they should be; those in `except` are not looked at. */
  damaged(database: number, first: number, count: number, except: { has(page: number): boolean }): number[] {
    const last = Math.min(this.#pages, first + count - 1);
    const found: number[] = [];
    let next = first;
    for (const [page, bytes] of pagesOf(database, this.pageSize, first, last)) {
      next = page + 1;
      const sum = this.#sums[page - 1];
      if (sum !== 0 && !except.has(page) && sum !== pageSum(bytes, page)) found.push(page);
    }
    // The file is too short.
    for (; next <= last; next++) if (this.#sums[next - 1] !== 0 && !except.has(next)) found.push(next);
    return found;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #resize(pages: number): void {
    if (pages > this.#sums.length) {
      const larger = new Uint32Array(Math.max(pages, Math.ceil(this.#sums.length * 1.5)));
      larger.set(this.#sums);
      this.#sums = larger;
    }
    if (pages < this.#pages) this.#sums.fill(0, pages, this.#pages);
    this.#pages = pages;
  }

  #rewrite(): void {
    const block = Buffer.alloc(2 * HEADER + this.#pages * ENTRY);
    block.writeUInt32LE(MAGIC, 0);
    block.writeUInt32LE(VERSION, 4);
    block.writeUInt32LE(this.pageSize, 8);
    block.writeUInt32LE(this.#pages, HEADER);
    block.writeUInt32LE(this.#pages, HEADER + 4);
    for (let page = 1, at = 2 * HEADER; page <= this.#pages; page++, at += ENTRY) {
      block.writeUInt32LE(page, at);
      block.writeUInt32LE(this.#sums[page - 1]!, at + 4);
    }
    block.writeUInt32LE(crcOfBlock(block.subarray(HEADER)), HEADER + 12);
    const temporary = `${this.#path}.tmp`;
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeAll(file, block, 0);
      fsyncSync(file);
      // The old file may be gone, and the name of the new one not be durable: nothing is appended to either.
      this.#isUnsettled = true;
      renameSync(temporary, this.#path);
      syncFolder(dirname(this.#path));
    } catch (error) {
      closeSync(file);
      throw error;
    }
    this.close();
    this.#file = file;
    this.#bytes = block.length;
    this.#isUnsettled = false;
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Describes damaged pages in words. */
export function describeDamagedPages(pages: readonly number[], pageSize: number): string {
  const named = pages.slice(0, MOST_NAMED).map((page) => `page ${page} (byte ${(page - 1) * pageSize})`);
  const more = pages.length > MOST_NAMED ? ` and ${pages.length - MOST_NAMED} more` : '';
  return `records.db: ${named.join(', ')}${more} ${pages.length === 1 ? 'is' : 'are'} not as written: the disk has given other bytes back, or another program has changed the file`;
}

export function sumsFile(dir: string): string {
  return `${dir}/records.sums`;
}

function isLockPage(page: number, pageSize: number): boolean {
  return page === Math.floor(LOCK_BYTE / pageSize) + 1;
}

/** As the header of the database says. */
function pageSizeOf(database: number): number {
  const bytes = Buffer.alloc(2);
  readSync(database, bytes, 0, 2, 16);
  const size = bytes.readUInt16BE(0);
  return size === 1 ? 65_536 : size || 4_096;
}

/** Pages of a file from one to another, as far as it has them whole. */
function* pagesOf(
  file: number,
  pageSize: number,
  first: number,
  last: number,
): Generator<[number, Uint8Array]> {
  const some = Math.max(1, Math.floor(PIECE / pageSize));
  const piece = Buffer.allocUnsafe(some * pageSize);
  for (let page = first; page <= last; ) {
    const got = readSync(file, piece, 0, Math.min(some, last - page + 1) * pageSize, (page - 1) * pageSize);
    const whole = Math.floor(got / pageSize);
    if (whole === 0) return;
    for (let at = 0; at < whole; at++) yield [page + at, piece.subarray(at * pageSize, (at + 1) * pageSize)];
    page += whole;
  }
}

/** Where the block at `at` ends; undefined where there is none, or it is not whole. */
function endOfBlock(bytes: Buffer, at: number): number | undefined {
  if (at + HEADER > bytes.length || bytes.readUInt32LE(at + 8) !== 0) return undefined;
  const end = at + HEADER + bytes.readUInt32LE(at) * ENTRY;
  if (end > bytes.length) return undefined;
  return crcOfBlock(bytes.subarray(at, end)) === bytes.readUInt32LE(at + 12) ? end : undefined;
}

function crcOfBlock(block: Buffer): number {
  return crc32(block.subarray(HEADER), crc32(block.subarray(0, 12)));
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at + done);
}
