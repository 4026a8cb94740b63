// Layout of the result of `cutWords`, and of the room behind it, which tail/terms/text-window.ts
// allocates.
//
//   result   0 address where it stopped | 4 end of the term, for NEW_TERM | 8 DONE, NEEDS_CALLER or NEW_TERM
//   EDGES    u32 each: start and end of each word in turn
//   PROBES   one per word; described in term-table.ts

export const DONE: u32 = 0;
export const NEEDS_CALLER: u32 = 1;
export const NEW_TERM: u32 = 2;
export const MORE: u32 = 3;

/** Cutting pauses at so many edges: one block adds up to 64, and eight are written at once. */
export const ENOUGH: usize = 192;
const MOST_EDGES: usize = 272;
const MOST_WORDS: usize = MOST_EDGES >>> 1;
/** Bytes of a probe. */
export const PROBE: usize = 32;

export const EDGES: usize = 64;
export const PROBES: usize = EDGES + MOST_EDGES * 4;
export const RESULT_BYTES: usize = PROBES + MOST_WORDS * PROBE;
