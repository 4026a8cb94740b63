// Does the disk answer so fast that it costs less to wait for it than to have a thread do so? Two threads have to be woken up
// for a write that somebody else carries out: where the disk has taken it before they run, the serving thread waits in place.
// Nothing else is served meanwhile, so it does that for short writes only, and no more where they are slow again and again.

/** Longer ones take longer than other threads need to wake up. */
const MOST_BYTES = 65_536;
/** Carried out by a thread within this, waking included, a write shows that the disk is prompt. */
const QUICK_MS = 0.2;
/** Waited for in place, a write that took longer was slow: so may be one of many on any machine, for want of a core. */
const SLOW_MS = 0.5;
/** More than one in so many is too much: a slow one counts so often, a quick one takes one back. */
const WEIGHT = 8;
/** As many as are too much within a short time, weighed. */
const TOO_MUCH = 64;
/** Then threads write for so many times at least. */
const REST = 256;

/** What is known of how fast a disk makes short writes durable. */
export class SyncWritePolicy {
  #isPrompt = false;
  #slowness = 0;
  #rest = 0;

  /** Whether to wait in place for a write of so many bytes. */
  writesInPlace(bytes: number): boolean {
    return this.#isPrompt && bytes < MOST_BYTES;
  }

  /** A write was waited for in place, for so many milliseconds. */
  recordInPlace(ms: number): void {
    if (ms <= SLOW_MS) {
      this.#slowness = Math.max(0, this.#slowness - 1);
      return;
    }
    this.#slowness += WEIGHT;
    if (this.#slowness < TOO_MUCH) return;
    this.#slowness = 0;
    this.#isPrompt = false;
    this.#rest = REST;
  }

  /** A thread has made so many bytes durable, within so many milliseconds. */
  recordByThread(bytes: number, ms: number): void {
    if (this.#rest > 0) this.#rest--;
    else if (bytes < MOST_BYTES && ms <= QUICK_MS) this.#isPrompt = true;
  }
}
