// The postings of a term, or a set of terms, in one chunk. The groups of a term are in the order of their
// chunks.

import type { Leaf, Postings, Terms } from '../../../segment/leaf.ts';

/** The group of a term in a chunk, or -1. O(log groups of the term). */
export function findGroup(postings: Postings, ordinal: number, chunk: number): number {
  let low = postings.firstGroup(ordinal);
  const end = postings.endGroup(ordinal);
  let high = end;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (postings.chunk(mid) < chunk) low = mid + 1;
    else high = mid;
  }
  return low < end && postings.chunk(low) === chunk ? low : -1;
}

/** Sets the bits of a group's documents. */
export function orGroup(postings: Postings, group: number, bits: Uint32Array): void {
  const dense = postings.bits(group);
  if (dense !== undefined) {
    for (let i = 0; i < 2048; i++) bits[i]! |= dense[i]!;
    return;
  }
  const lo = postings.lo;
  const end = postings.end(group);
  for (let p = postings.start(group); p < end; p++) {
    const doc = lo[p]!;
    bits[doc >>> 5]! |= 1 << (doc & 31);
  }
}

/** Overwrites bits with a group's documents. */
export function setGroup(postings: Postings, group: number, bits: Uint32Array): void {
  const dense = postings.bits(group);
  if (dense !== undefined) {
    bits.set(dense);
    return;
  }
  bits.fill(0);
  orGroup(postings, group, bits);
}

/** Number of documents with any of the terms, at most. */
export function matchCost(leaf: Leaf, terms: Terms, ordinals: ArrayLike<number>): number {
  let cost = 0;
  for (let i = 0; i < ordinals.length && cost < leaf.docCount; i++) cost += terms.docFreq(ordinals[i]!);
  return Math.min(cost, leaf.docCount);
}

/** All groups of some terms, by chunk: groups of chunk c are list[starts[c] … starts[c + 1]). */
export interface GroupsByChunk {
  readonly starts: Uint32Array;
  readonly list: Uint32Array;
}

/** Terms between two yields. */
const SLICE = 4096;

/** Sorts the groups of some terms by chunk. O(groups); yields as it goes. */
export function* groupsByChunk(
  postings: Postings,
  ordinals: ArrayLike<number>,
  chunks: number,
): Generator<void, GroupsByChunk, undefined> {
  const starts = new Uint32Array(chunks + 1);
  for (let i = 0; i < ordinals.length; i++) {
    if (i % SLICE === SLICE - 1) yield;
    const end = postings.endGroup(ordinals[i]!);
    for (let g = postings.firstGroup(ordinals[i]!); g < end; g++) starts[postings.chunk(g) + 1]!++;
  }
  for (let c = 0; c < chunks; c++) starts[c + 1]! += starts[c]!;
  const next = starts.slice();
  const list = new Uint32Array(starts[chunks]!);
  for (let i = 0; i < ordinals.length; i++) {
    if (i % SLICE === SLICE - 1) yield;
    const end = postings.endGroup(ordinals[i]!);
    for (let g = postings.firstGroup(ordinals[i]!); g < end; g++) list[next[postings.chunk(g)]!++] = g;
  }
  return { starts, list };
}
