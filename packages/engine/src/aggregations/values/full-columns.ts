// Finds columns in which each document of a leaf has one value. Rows of such a column need no look at the bitmap of documents with
// a value, and share the documents of their batch.
//
//   key           the bitmap of documents with a value
//   bound         a boolean per column, which dies with it
//   invalidation  none: columns never change

import { countBits } from '../../kernels/bits.ts';
import type { Column } from '../../segment/leaf.ts';

const memo = new WeakMap<Uint32Array, boolean>();

export function hasOneValueEach({ starts, present }: Column, docCount: number): boolean {
  if (starts !== undefined) return false;
  let isFull = memo.get(present);
  if (isFull === undefined) memo.set(present, (isFull = countBits(present, 0, docCount) === docCount));
  return isFull;
}
