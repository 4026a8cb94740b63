// Residues of positions modulo 8: a byte per posting (segment/postings/residues.ts). Rotated back by the
// offset of each term in the phrase, the bytes of all terms share a bit where the phrase may start.

import { FIELD_POSITION_RESIDUES, TERM_OFFSET } from '../layout';
import { FIELD, termRow } from '../lists';

/** Address of the residues of a list, by posting; 0 in segments without them. */
export function residuesOf(c: usize): usize {
  return load<u32>(load<u32>(c, FIELD), FIELD_POSITION_RESIDUES);
}

/** How far the residues of a list are rotated back. */
export function rotationOf(c: usize): i32 {
  return load<i32>(termRow(c), TERM_OFFSET) & 7;
}

/** Residues rotated back; only the lowest byte is valid. */
export function rotateBack(residues: i32, turn: i32): i32 {
  return (residues * 0x101) >>> turn;
}

/** Residues of the possible starts of the phrase, for a posting of a list. */
export function startsOf(c: usize, posting: i32): i32 {
  const residues = residuesOf(c);
  return residues === 0 ? 0xff : rotateBack(<i32>load<u8>(residues + <usize>posting), rotationOf(c)) & 0xff;
}
