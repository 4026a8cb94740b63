// The contract of an automaton over a dictionary: it steps over the code points of terms, and tells when no
// term with this beginning can match any more.

/** The state from which nothing matches. */
export const DEAD = -1;

/** A deterministic automaton over code points, built while it runs. */
export interface Automaton {
  /** Equal text, equal language. */
  readonly key: string;
  readonly start: number;
  /** The state after a code point, or DEAD. Throws when there would be more states than the cap allows. */
  step(state: number, codePoint: number): number;
  /**
   * The least code point above `codePoint` that leads on from a state, -1 when there is none. `codePoint + 1`
   * where finding out does not pay.
   */
  liveAfter(state: number, codePoint: number): number;
  /** Whether the state accepts whatever follows it. */
  acceptsAll(state: number): boolean;
  /** -1 where the state does not accept; else how far from exact the match is (0 but for edit distances). */
  accepts(state: number): number;
}
