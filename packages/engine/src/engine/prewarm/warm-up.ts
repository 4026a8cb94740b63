// Inverts the tails of a bulk load ahead of the first search, in slices, when writes have paused. Full tails
// are sealed instead. Gaps between steady writes are not a pause: documents inverted in one gap would be
// merged away after the next.

import type { Memory } from '../../memory/memory.ts';
import type { Tail } from '../../tail/tail.ts';
import { runSliced } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { Writer } from '../../write/writer/writer.ts';

/** Writes have paused if none came for so long, ... */
const PAUSE_MS = 150;
/** ... and for so many times the mean gap between writes, ... */
const GAPS = 4;
/** ... but at most this. */
const LONG_PAUSE_MS = 2_000;
/** Inverting fewer documents than this costs a search next to nothing. */
const FEW = 500;

/** Tells a pause from the gaps between steady writes. */
export class WriteRhythm {
  #last = Number.NEGATIVE_INFINITY;
  /** Moving mean of the gap between writes. */
  #gap = 0;

  /** Notes a write, in milliseconds from any origin. */
  record(now: number): void {
    const gap = now - this.#last;
    // A long pause starts over.
    this.#gap = gap > LONG_PAUSE_MS ? 0 : (this.#gap * 3 + gap) / 4;
    this.#last = now;
  }

  /** Time without a write that counts as a pause. */
  get pauseMs(): number {
    return Math.min(Math.max(PAUSE_MS, this.#gap * GAPS), LONG_PAUSE_MS);
  }

  /** Time of the last write. */
  get last(): number {
    return this.#last;
  }
}

/** Prepares indices for their next search while writes pause. */
export class WarmUp {
  readonly #writer: () => Writer;
  readonly #memory: Memory;
  readonly #sealIdle: (state: IndexState) => Promise<void>;
  readonly #waiting = new Set<IndexState>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer runs. */
  #due = 0;
  readonly #rhythm = new WriteRhythm();
  #running = false;
  #closed = false;

  /** `sealIdle` seals the full tails of an index. */
  constructor(writer: () => Writer, memory: Memory, sealIdle: (state: IndexState) => Promise<void>) {
    this.#writer = writer;
    this.#memory = memory;
    this.#sealIdle = sealIdle;
  }

  /** Notes new documents in these indices. */
  noteWrites(states: Iterable<IndexState>): void {
    for (const state of states) this.#waiting.add(state);
    const now = performance.now();
    this.#rhythm.record(now);
    this.#schedule(now);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /**
   * A timer that fires too early is set again: resetting it with every write would cost more than most of the
   * write.
   */
  #schedule(from: number): void {
    if (this.#running || this.#closed) return;
    const due = from + this.#rhythm.pauseMs;
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, due - performance.now())).unref();
  }

  #look(): void {
    this.#timer = undefined;
    const { last, pauseMs } = this.#rhythm;
    if (performance.now() < last + pauseMs) this.#schedule(last);
    else void this.#run();
  }

  async #run(): Promise<void> {
    const writer = this.#writer();
    if (writer.isBusy) return this.#schedule(performance.now());
    this.#running = true;
    const stopped = (): boolean => writer.isBusy || this.#closed;
    for (const state of this.#waiting) {
      if (stopped()) break;
      this.#waiting.delete(state);
      const sealed = this.#sealIdle(state).catch(() => {});
      await this.#prepare(state, state.tails.slice(-1), stopped);
      await sealed;
      if (!stopped()) await this.#prepare(state, [...state.tails], stopped);
    }
    this.#running = false;
    if (this.#waiting.size > 0) this.#schedule(performance.now());
  }

  async #prepare(state: IndexState, tails: readonly Tail[], stopped: () => boolean): Promise<void> {
    const snapshot = state.visibleCommit(this.#writer().published);
    if (state.countUninverted(snapshot) < FEW) return;
    const leave = this.#memory.beginReading();
    try {
      await runSliced(state.prepare(snapshot, 'all', tails), stopped);
    } catch {
      // The search that needs it prepares it itself and reports the error.
    } finally {
      leave();
    }
  }
}
