// Limits of JSON reading that no setting can raise, and the arrays of the scanner that depend on them.

/** Longest number in characters: converting longer ones takes quadratic time. */
export const MAX_NUMBER_LENGTH = 1_000;

/** Deepest nesting of objects and arrays: readers recurse once per level. */
export const MAX_NESTING = 1_000;

/** Nesting for which the arrays have room at first. */
export const USUAL_NESTING = 64;

/** The same array with room for the deepest nesting. */
export function withMaxNesting(depths: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(MAX_NESTING + 2);
  all.set(depths);
  return all;
}
