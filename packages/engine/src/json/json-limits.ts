// How much JSON can be read at all, whatever a limit says?

/** Longest number in characters: beyond, conversion would be quadratic. */
export const MAX_NUMBER = 1_000;

/** Objects and arrays inside each other: who reads them calls itself for each. */
export const MOST_NESTING = 1_000;

/** For so many of them there is room at first. */
export const USUAL_NESTING = 64;

/** What is kept for each depth, with room for all that there can be. */
export function deeper(depths: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(MOST_NESTING + 2);
  all.set(depths);
  return all;
}
