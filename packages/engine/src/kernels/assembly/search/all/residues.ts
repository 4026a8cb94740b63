// Can terms stand where a phrase wants them, as far as their places modulo 8 tell? A byte a posting says which of these it has
// (segment/residues.ts): turned back by each term's place in the phrase, the bytes share a bit where it may start.

import { FIELD_POSITION_RESIDUES, TERM_OFFSET } from '../layout';
import { FIELD, termRow } from '../lists';

/** Where the residues of a list lie by posting; 0 in segments that have none. */
export function residuesOf(c: usize): usize {
  return load<u32>(load<u32>(c, FIELD), FIELD_POSITION_RESIDUES);
}

/** How far residues of a list are turned back. */
export function rotationOf(c: usize): i32 {
  return load<i32>(termRow(c), TERM_OFFSET) & 7;
}

/** Residues turned back. What is above the lowest byte says nothing. */
export function rotateBack(residues: i32, turn: i32): i32 {
  return (residues * 0x101) >>> turn;
}

/** Residues of the places where the phrase may start, for a posting of a list. */
export function startsOf(c: usize, posting: i32): i32 {
  const residues = residuesOf(c);
  return residues === 0 ? 0xff : rotateBack(<i32>load<u8>(residues + <usize>posting), rotationOf(c)) & 0xff;
}
