// Who pays for what a bulk load left to be inverted? Not the first search, if there is a pause before it: when writes
// have paused for a while the tails are made searchable ahead of time, in slices, until the next write comes. Those that are
// full are sealed instead, if they are not yet. Gaps between writes that keep coming are no pause: what is inverted in one is
// merged away after the next.

import type { Memory } from '../../memory/memory.ts';
import type { Tail } from '../../tail/tail.ts';
import { runSliced } from '../../turn.ts';
import type { IndexState } from '../../write/index-state/index-state.ts';
import type { Writer } from '../../write/writer/writer.ts';

/** Writes pause when none has come for so long, */
const PAUSE_MS = 150;
/** and for so many times as long as it took from one to the next before, */
const GAPS = 4;
/** but for no longer than this. */
const LONG_PAUSE_MS = 2_000;
/** Fewer documents than this cost a search next to nothing. */
const FEW = 500;

/** Tells a pause from the gaps between writes that keep coming. */
export class WriteRhythm {
  #last = Number.NEGATIVE_INFINITY;
  /** From one write to the next, lately. */
  #gap = 0;

  /** There was a write, in milliseconds from any moment on. */
  record(now: number): void {
    const gap = now - this.#last;
    // Behind a long pause everything begins anew.
    this.#gap = gap > LONG_PAUSE_MS ? 0 : (this.#gap * 3 + gap) / 4;
    this.#last = now;
  }

  /** So long a silence is a pause. */
  get pauseMs(): number {
    return Math.min(Math.max(PAUSE_MS, this.#gap * GAPS), LONG_PAUSE_MS);
  }

  /** When the last write was. */
  get last(): number {
    return this.#last;
  }
}

/** Prepares indices for their next search while nobody writes. */
export class WarmUp {
  readonly #writer: () => Writer;
  readonly #memory: Memory;
  readonly #rested: (state: IndexState) => Promise<void>;
  readonly #waiting = new Set<IndexState>();
  #timer: NodeJS.Timeout | undefined;
  /** When it runs. */
  #due = 0;
  readonly #rhythm = new WriteRhythm();
  #running = false;
  #closed = false;

  /** `rested` seals the full tails of an index. */
  constructor(writer: () => Writer, memory: Memory, rested: (state: IndexState) => Promise<void>) {
    this.#writer = writer;
    this.#memory = memory;
    this.#rested = rested;
  }

  /** These indices have new documents. */
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

  /** A timer that runs too early looks again: to set it anew with every write would cost more than most other things do. */
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
      const sealed = this.#rested(state).catch(() => {});
      await this.#prepare(state, state.tails.slice(-1), stopped);
      await sealed;
      if (!stopped()) await this.#prepare(state, [...state.tails], stopped);
    }
    this.#running = false;
    if (this.#waiting.size > 0) this.#schedule(performance.now());
  }

  async #prepare(state: IndexState, tails: readonly Tail[], stopped: () => boolean): Promise<void> {
    const snapshot = state.visibleCommit(this.#writer().published);
    if (state.countUnsearched(snapshot) < FEW) return;
    const leave = this.#memory.beginReading();
    try {
      await runSliced(state.prepare(snapshot, 'all', tails), stopped);
    } catch {
      // What cannot be prepared now is prepared by the search that needs it, which reports the error.
    } finally {
      leave();
    }
  }
}
