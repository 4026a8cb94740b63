// Which documents a merge or a seal may leave out: dead ones that neither current searches nor leases see.
// `keepers` are the commits that must stay visible, ascending.

import { countBits, hasBit } from '../../kernels/bits.ts';
import type { DocumentRange } from '../../segment/leaf.ts';

/**
 * Number of documents a merge would leave out. Those that leases still see do not count, or the same segment
 * would be merged over and over. Below a fifth of the segment the exact number does not matter and all deaths
 * are returned.
 */
export function countDroppable(leaf: DocumentRange, keepers: readonly number[]): number {
  if (leaf.deaths.count * 5 < leaf.docCount) return leaf.deaths.count;
  // A single keeper sees no document that has died by then.
  if (keepers.length === 1) return leaf.deaths.countAt(keepers[0]!);
  const drop = droppableBitmap(leaf, keepers);
  return drop === undefined ? 0 : countBits(drop, 0, leaf.docCount);
}

/**
 * Bitmap of the documents that no keeper sees: dead at d, and no keeper in [birth, d). Undefined if there are
 * none.
 */
export function droppableBitmap(leaf: DocumentRange, keepers: readonly number[]): Uint32Array | undefined {
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

/**
 * Whether keepers see none of these documents, all of which are dead. The last deaths are the likeliest to be
 * seen, so they are checked first.
 */
export function isInvisible(range: DocumentRange, keepers: readonly number[]): boolean {
  const last = keepers.at(-1)!;
  if (range.deaths.countAt(last) < range.docCount) return false;
  if (keepers.length === 1) return true;
  for (let entry = range.deaths.count - 1; entry >= 0; entry--) {
    const birth = range.docs.commit(range.deaths.doc(entry));
    if (keepers[firstFrom(keepers, birth)]! < range.deaths.commit(entry)) return false;
  }
  return true;
}

/** Whether all of these documents are dead, visible to leases or not. O(ranges). */
export function isAllDead(ranges: readonly DocumentRange[]): boolean {
  return ranges.every(({ deaths, docCount }) => deaths.count === docCount);
}

/** Whether keepers see none of these documents. O(ranges) if some are alive. */
export function isAllDroppable(ranges: readonly DocumentRange[], keepers: readonly number[]): boolean {
  return isAllDead(ranges) && ranges.every((range) => isInvisible(range, keepers));
}

/** Document numbers of a tail without its droppable documents. */
interface SurvivorMap {
  /** New number by document of the tail; -1 if left out. */
  readonly newDoc: Int32Array;
  /** The same by range. */
  readonly byRange: readonly Int32Array[];
  readonly docCount: number;
}

/**
 * Numbers the documents of consecutive ranges without the droppable ones; undefined if fewer than one in 16
 * are. O(documents).
 */
export function findSurvivors(
  ranges: readonly DocumentRange[],
  keepers: readonly number[],
): SurvivorMap | undefined {
  let total = 0;
  let dead = 0;
  for (const { docCount, deaths } of ranges) {
    total += docCount;
    dead += deaths.count;
  }
  if (dead * DROP_PART < total) return undefined;
  const newDoc = new Int32Array(total);
  const byRange: Int32Array[] = [];
  let docCount = 0;
  let first = 0;
  for (const range of ranges) {
    const its = newDoc.subarray(first, (first += range.docCount));
    byRange.push(its);
    const drop = droppableBitmap(range, keepers);
    for (let doc = 0; doc < its.length; doc++)
      its[doc] = drop !== undefined && hasBit(drop, doc) ? -1 : docCount++;
  }
  return (total - docCount) * DROP_PART < total ? undefined : { newDoc, byRange, docCount };
}

/** Fewer dead documents than one in so many are kept: renumbering the others costs as much. */
const DROP_PART = 16;

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
