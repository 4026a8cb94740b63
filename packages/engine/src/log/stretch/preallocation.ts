// Writes zeros ahead of short appends (as PostgreSQL's wal_init_zero does). A file that grows has its new
// length and blocks journalled with every append; overwriting zeros avoids that and is durable in a third
// less time (1 KB on ext4: 28 µs instead of 42).
//
//   │ stretch │ stretch │ 0 0 0 0 0 0 │ 0 0 0 0 0 0 │          durable zeros, then zeros being written
//                       └ appends     └ wait here
//
// - Zeros promise nothing: if they do not reach the disk, an append makes the file longer, as without them.
// - They are cut before the next chunk is begun, when the file is closed, and by the start after a kill.

import type { DiskFile } from '../../disk/disk.ts';
import { isOutOfRoom } from '../../disk/failure.ts';

/** For longer appends the journal writes less than the zeros would cost. */
const SHORT_APPEND = 32 << 10;
/** So many bytes of short appends have to come first; there are never more zeros than bytes appended. */
const MIN_APPENDED = 64 << 10;
const ZEROS: Uint8Array = new Uint8Array(64 << 10);

/** The zeros behind the end of a file with one writer. All positions are offsets in the file. */
export class Preallocation {
  readonly #file: DiskFile;
  readonly #maxBytes: number;
  /** End of the zeros, including those being written; 0 if there are none. */
  #end = 0;
  /** Lower bound of their start. */
  #start = 0;
  /** Start of the zeros being written. */
  #filledFrom = 0;
  #filling: Promise<void> | undefined;
  /** Bytes of short appends since the file was opened or cut. */
  #appended = 0;
  #failure: unknown;

  /** `maxBytes`: zeros written at a time, once as many bytes of short appends were written; 0 for none. */
  constructor(file: DiskFile, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** Number of zeros behind `end`, the end of the last append. */
  zerosBehind(end: number): number {
    return Math.max(0, this.#end - Math.max(this.#start, end));
  }

  /** What to wait for before an append up to `end`, if it would reach zeros that are being written. */
  waitBefore(end: number): Promise<void> | undefined {
    const isReached = this.#filling !== undefined && end > this.#filledFrom;
    return isReached || this.#failure !== undefined ? this.settle() : undefined;
  }

  /** Notes an append of `length` bytes up to `end`. Throws if the state of the file is unknown. */
  recordAppend(length: number, end: number): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#maxBytes === 0 || length > SHORT_APPEND) return;
    this.#appended += length;
    const bytes = Math.min(this.#maxBytes, this.#appended);
    if (this.#filling !== undefined || bytes < Math.min(MIN_APPENDED, this.#maxBytes)) return;
    if (this.#end - end > bytes / 2) return;
    this.#filledFrom = Math.max(this.#end, end);
    this.#end = this.#filledFrom + bytes;
    this.#filling = this.#fill(this.#filledFrom, bytes);
  }

  /** Takes over existing zeros. */
  adopt(start: number, end: number): void {
    this.#start = start;
    this.#end = end;
  }

  /** Waits until no zeros are being written. Rejects if the state of the file is unknown. */
  async settle(): Promise<void> {
    await this.#filling;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The file was cut: there are no zeros any more. REQUIRES: `settle` has resolved. */
  forget(): void {
    this.#end = 0;
    this.#start = 0;
    this.#appended = 0;
  }

  /** Never rejects. No append reaches `start` before it is done. */
  async #fill(start: number, bytes: number): Promise<void> {
    try {
      if (!(await this.#write(start, bytes))) {
        await this.#file.truncate(start);
        this.#end = start;
        this.#appended = 0;
      }
      await this.#file.sync();
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#filling = undefined;
    }
  }

  /** False if the disk is full. */
  async #write(start: number, bytes: number): Promise<boolean> {
    const parts: Uint8Array[] = [];
    for (let left = bytes; left > 0; left -= ZEROS.length) parts.push(ZEROS.subarray(0, left));
    try {
      return (await this.#file.write(parts, start)) === bytes;
    } catch (error) {
      if (isOutOfRoom(error)) return false;
      throw error;
    }
  }
}

/** Start of the zeros at the end of a file, at or behind `from`. O(number of zeros). */
export function findTrailingZeros(file: Pick<DiskFile, 'readSync'>, from: number, size: number): number {
  const part = Buffer.allocUnsafe(Math.min(ZEROS.length, size - from));
  for (let end = size; end > from; ) {
    const start = Math.max(from, end - part.length);
    const read = part.subarray(0, file.readSync(part.subarray(0, end - start), start));
    let at = read.length;
    while (at > 0 && read[at - 1] === 0) at--;
    if (at > 0) return start + at;
    end = start;
  }
  return from;
}
