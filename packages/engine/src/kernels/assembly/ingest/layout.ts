// Where is what? The result of `words` and the room behind it, which tail/window.ts makes.
//
//   result   0 place where it stopped | 4 its end, for a new term | 8 why: DONE, ASK or NEW
//   EDGES    u32 each: where a word begins, where it ends, and so on in turn
//   PROBES   a word each; described in table.ts

export const DONE: u32 = 0;
export const NEEDS_CALLER: u32 = 1;
export const NEW_TERM: u32 = 2;
export const MORE: u32 = 3;

/** Edges from which on cutting pauses: one block adds up to 64, and eight are written at once. */
export const ENOUGH: usize = 192;
const MOST_EDGES: usize = 272;
const MOST_WORDS: usize = MOST_EDGES >>> 1;
/** Bytes of a probe. */
export const PROBE: usize = 32;

export const EDGES: usize = 64;
export const PROBES: usize = EDGES + MOST_EDGES * 4;
export const RESULT_BYTES: usize = PROBES + MOST_WORDS * PROBE;
