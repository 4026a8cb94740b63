// How much JSON can be read at all, whatever a limit says?

/** Longest number in characters: beyond, conversion would be quadratic. */
export const MAX_NUMBER = 1_000;

/** Objects and arrays inside each other: who reads them calls itself for each. */
export const MOST_NESTING = 1_000;
