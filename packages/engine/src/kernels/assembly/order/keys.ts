// Sort keys of documents: 64 bits in two separate halves, flipped so that smaller comes first.

import { LEVEL_FLIP, LEVEL_HI, LEVEL_LO } from './layout';

/** Maps unsigned order to signed order: vectors compare signed numbers. */
export const SIGN: u64 = 0x8000000000000000;

/** The key of a document on a level. */
export function keyOf(row: usize, doc: u32): u64 {
  const at = (<usize>doc) << 2;
  const flip = load<u32>(row, LEVEL_FLIP);
  const high = load<u32>(<usize>load<u32>(row, LEVEL_HI) + at) ^ flip;
  const low = load<u32>(<usize>load<u32>(row, LEVEL_LO) + at) ^ flip;
  return ((<u64>high) << 32) | <u64>low;
}

/** The flip of the high halves of a level for vector comparison. */
export function flipOfHigh(row: usize): v128 {
  return i32x4.splat(load<i32>(row, LEVEL_FLIP) ^ 0x80000000);
}

/** A bound of a level, for vector comparison. */
export function boundOf(row: usize, offset: usize): v128 {
  return i64x2.splat(load<u64>(row + offset) ^ SIGN);
}
