// What is an automaton to a dictionary? Something that steps over the code points of terms and says when no term with
// this beginning can match any more.

/** No way on. */
export const DEAD = -1;

/** A deterministic automaton over code points, built while it runs. */
export interface Automaton {
  /** Equal text, equal language. */
  readonly key: string;
  readonly start: number;
  /** The state after a code point, or DEAD. Throws when there would be more states than the cap allows. */
  step(state: number, codePoint: number): number;
  /**
   * The least code point above `codePoint` that leads on from a state, -1 when there is none. What is not worth finding
   * out is `codePoint + 1`.
   */
  liveAfter(state: number, codePoint: number): number;
  /** Whether the state accepts whatever follows it. */
  acceptsAll(state: number): boolean;
  /** -1 where the state does not accept; else how far from exact the match is (0 but for edit distances). */
  accepts(state: number): number;
}
