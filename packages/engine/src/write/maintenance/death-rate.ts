// Is a segment being written over just now? Then it is not worth rewriting for its dead: soon nothing of it is left, and to
// drop what is wholly dead costs nothing. Told from two looks at it.

/** A rate is taken over at least so long, in milliseconds. */
const SPAN_MS = 500;
/** A segment that would be wholly dead so soon, in milliseconds, is left to die. */
const PATIENCE_MS = 5_000;

interface Look {
  readonly at: number;
  readonly dead: number;
  readonly isDying: boolean;
}

/** What segments have lost lately. */
export class DeathRate {
  readonly #looks = new WeakMap<object, Look>();

  /**
   * True for a segment that may be gone soon, and for one that is looked at for the first time; `now` in milliseconds from any
   * moment on. What it said is said again for half a second.
   */
  isDying(segment: object, live: number, dead: number, now: number): boolean {
    const before = this.#looks.get(segment);
    const span = now - (before?.at ?? now);
    if (before !== undefined && span < SPAN_MS) return before.isDying && live > 0;
    const isDying = before === undefined || live * span < (dead - before.dead) * PATIENCE_MS;
    this.#looks.set(segment, { at: now, dead, isDying });
    return isDying && live > 0;
  }
}
