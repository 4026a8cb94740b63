// How fast documents of a segment die, from two looks at it. A segment that is being overwritten is not worth
// rewriting for its dead: soon it is wholly dead, and dropping it costs nothing.

/** Shortest time a rate is measured over, in milliseconds. */
const SPAN_MS = 500;
/** A segment that will be wholly dead within this time, in milliseconds, is left to die. */
const PATIENCE_MS = 5_000;

interface Look {
  readonly at: number;
  readonly dead: number;
  readonly isDying: boolean;
}

/** Death rates of segments. */
export class DeathRate {
  readonly #looks = new WeakMap<object, Look>();

  /**
   * Whether a segment will be wholly dead soon; also true on the first look. `now` is in milliseconds from
   * any origin. The answer stays the same for half a second.
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
