// A file of a few megabytes that is removed when the disk is full, so that deletions can still be logged.
// While it is missing, documents are refused: they must not use up the space it has freed.

import type { Disk } from '../../disk/disk.ts';
import { codeOf, DiskFailure, isOutOfRoom } from '../../disk/failure.ts';

const NAME = 'log/ballast';
const PART = 1 << 20;

/** The ballast of a log; with 0 bytes there is none, and it counts as present. */
export class Ballast {
  readonly #disk: Disk;
  readonly bytes: number;
  readonly #retryMs: number;
  #present = false;
  #nextTry = 0;
  /** What the disk said when it did not take it, the last time. */
  refusal: unknown;

  constructor(disk: Disk, bytes: number, retryMs: number) {
    this.#disk = disk;
    this.bytes = bytes;
    this.#retryMs = retryMs;
  }

  /** False if it is missing. */
  get isPresent(): boolean {
    return this.#present || this.bytes === 0;
  }

  /** Removes it; false if there was none. Throws DiskFailure. */
  async release(): Promise<boolean> {
    if (this.bytes === 0) return false;
    this.#nextTry = performance.now() + this.#retryMs;
    const removed = await this.#remove();
    this.#present = false;
    return removed;
  }

  /**
   * Creates it if it is missing, at most once per retry time; false if it is still missing. Throws
   * DiskFailure.
   */
  async restore(): Promise<boolean> {
    if (this.isPresent) return true;
    if (performance.now() < this.#nextTry) return false;
    this.#present = await this.#fill();
    if (!this.#present) await this.release();
    return this.#present;
  }

  async #fill(): Promise<boolean> {
    this.refusal = undefined;
    try {
      const file = await this.#disk.open(NAME, { create: true });
      try {
        if (file.size() > this.bytes) await file.truncate(this.bytes);
        if (file.size() === this.bytes) return true;
        const part = new Uint8Array(Math.min(PART, this.bytes));
        while (file.size() < this.bytes) {
          const piece = part.subarray(0, this.bytes - file.size());
          if ((await file.write([piece], file.size())) < piece.length) return false;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#disk.syncFolder('log');
      return true;
    } catch (error) {
      this.refusal = error;
      if (isOutOfRoom(error)) return false;
      throw new DiskFailure('making the ballast file', error);
    }
  }

  async #remove(): Promise<boolean> {
    try {
      await this.#disk.remove(NAME);
      await this.#disk.syncFolder('log');
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw new DiskFailure('removing the ballast file', error);
    }
  }
}
