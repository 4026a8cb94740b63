// Decides whether a short write runs in place on the serving thread instead of on the thread pool. Handing a
// write over wakes up two threads; a fast disk has taken the write before they run. Nothing else is served
// meanwhile, so only short writes run in place, and none after several slow ones.

/** Longer writes take longer than a thread needs to wake up. */
const MAX_BYTES = 65_536;
/** A write by a thread within this time, wake-up included, shows that the disk is fast. */
const FAST_MS = 0.2;
/** A write in place was slow if it took longer. Single ones are slow on any machine, for lack of a core. */
const SLOW_MS = 0.5;
/**
 * A slow write counts so many times; a fast one takes one count back. So one slow write in so many is
 * tolerated.
 */
const WEIGHT = 8;
/** Weighted count of slow writes at which the policy switches to threads. */
const SLOWNESS_LIMIT = 64;
/** Then threads write at least so many times. */
const PAUSE_WRITES = 256;

/** Tracks how fast a disk makes short writes durable. */
export class SyncWritePolicy {
  #isFast = false;
  #slowness = 0;
  #pause = 0;

  /** Whether to write so many bytes in place. */
  writesInPlace(bytes: number): boolean {
    return this.#isFast && bytes < MAX_BYTES;
  }

  /** Notes a write in place that took so many milliseconds. */
  recordInPlace(ms: number): void {
    if (ms <= SLOW_MS) {
      this.#slowness = Math.max(0, this.#slowness - 1);
      return;
    }
    this.#slowness += WEIGHT;
    if (this.#slowness < SLOWNESS_LIMIT) return;
    this.#slowness = 0;
    this.#isFast = false;
    this.#pause = PAUSE_WRITES;
  }

  /** Notes a write by a thread, with its bytes and milliseconds. */
  recordByThread(bytes: number, ms: number): void {
    if (this.#pause > 0) this.#pause--;
    else if (bytes < MAX_BYTES && ms <= FAST_MS) this.#isFast = true;
  }
}
