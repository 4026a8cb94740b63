// Which documents would a merge leave out? The dead that nobody sees any more: not what is searched now, and not what leases
// keep. `keepers` are the commits of these, ascending.

import { countBits } from '../kernels/bits.ts';
import type { Leaf } from '../segment/leaf.ts';

/**
 * How many documents a merge would leave out: those that leases still see do not count, or the same segment would be
 * merged over and over. Below a fifth of the segment the exact number decides nothing and is not looked for.
 */
export function droppable(leaf: Leaf, keepers: readonly number[]): number {
  if (leaf.deaths.count * 5 < leaf.docCount) return leaf.deaths.count;
  // A single keeper sees nothing that has died by then.
  if (keepers.length === 1) return leaf.deaths.countAt(keepers[0]!);
  const drop = dropped(leaf, keepers);
  return drop === undefined ? 0 : countBits(drop, 0, leaf.docCount);
}

/** Bitmap of the documents that no keeper sees: dead at d, and no kept snapshot in [birth, d). */
export function dropped(leaf: Leaf, keepers: readonly number[]): Uint32Array | undefined {
  const last = keepers.at(-1)!;
  let drop: Uint32Array | undefined;
  for (let entry = 0; entry < leaf.deaths.count; entry++) {
    const death = leaf.deaths.commit(entry);
    if (death > last) break;
    const doc = leaf.deaths.doc(entry);
    if (keepers.length > 1 && keepers[firstFrom(keepers, leaf.docs.commit(doc))]! < death) continue;
    drop ??= new Uint32Array((leaf.docCount + 31) >>> 5);
    drop[doc >>> 5]! |= 1 << (doc & 31);
  }
  return drop;
}

/** Place of the first of ascending numbers that is at least `least`. */
function firstFrom(numbers: readonly number[], least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
