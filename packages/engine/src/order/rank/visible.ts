// The documents that a search may show, by document number and by position of an order: matches that are
// alive and within the snapshot, as bits; and their ranks in the order of one leaf or of a stack of leaves.

import { hasBit, setBit, wordsFor } from '../../kernels/bits.ts';
import type { Leaf, LeafView } from '../../segment/leaf.ts';
import type { LeafOrder } from '../build/build-order.ts';
import { RankView } from './rank-view.ts';

/** Matches below one in this many are kept as a list instead of a bitmap. */
const SPARSE = 64;

/** Documents of a leaf that a search may show, in document order. */
export interface Visible {
  readonly view: LeafView;
  /** Canonical text of the filter; '' where everything matches. */
  readonly filterKey: string;
  /** Matches of the filter, dead documents and ones beyond the snapshot included; undefined: everything. */
  readonly matches: Uint32Array | undefined;
  /** False for matches that no other search can use. */
  readonly cacheable: boolean;
}

/**
 * Matches that are alive and within the snapshot, as a bitmap in document order; undefined where all
 * documents are.
 */
export function visibleBits(leaf: Leaf, v: Visible): Uint32Array | undefined {
  const { live, docCount } = v.view;
  if (v.matches === undefined && live === undefined && docCount === leaf.docCount) return undefined;
  const words = wordsFor(leaf.docCount);
  const bits = new Uint32Array(words);
  const limit = wordsFor(docCount);
  const first = v.matches ?? live;
  if (first === undefined) bits.fill(0xffff_ffff, 0, limit);
  else bits.set(first.subarray(0, limit));
  if (v.matches !== undefined && live !== undefined) for (let w = 0; w < limit; w++) bits[w]! &= live[w]!;
  if (docCount & 31) bits[docCount >>> 5]! &= -1 >>> (32 - (docCount & 31));
  return bits;
}

const STEP_WORDS = 1_024;

/**
 * The visible positions of an order; `bases` are those of its stack. O(visible documents); yields every
 * 32,768.
 */
export function* makeRanks(
  order: LeafOrder,
  bases: Uint32Array,
  parts: readonly Visible[],
): Generator<void, RankView, undefined> {
  const n = order.docs.length;
  const bits = parts.map((v) => visibleBits(v.view.leaf, v));
  if (bits.every((each) => each === undefined)) return RankView.all(n);
  if (order.isIdentity) return RankView.ofBits(n, bits[0]!);
  const at = order.positions();
  const sparse = new Uint32Array(Math.ceil(n / SPARSE) + 1);
  let count = 0;
  let dense: Uint32Array | undefined;
  const add = (p: number): void => {
    if (dense !== undefined) dense[p >>> 5]! |= 1 << (p & 31);
    else if (count < sparse.length) sparse[count++] = p;
    else {
      dense = new Uint32Array(wordsFor(n));
      for (let i = 0; i < count; i++) setBit(dense, sparse[i]!);
      setBit(dense, p);
    }
  };
  for (let i = 0; i < parts.length; i++) {
    const base = bases[i]!;
    const own = bits[i];
    const words = wordsFor(parts[i]!.view.leaf.docCount);
    for (let w = 0; w < words; w++) {
      let word = own === undefined ? -1 : own[w]!;
      const first = w << 5;
      if (own === undefined && first + 32 > parts[i]!.view.leaf.docCount)
        word = (1 << (parts[i]!.view.leaf.docCount & 31)) - 1;
      for (; word !== 0; word &= word - 1) add(at[base + first + 31 - Math.clz32(word & -word)]!);
      if (w % STEP_WORDS === STEP_WORDS - 1) yield;
    }
  }
  if (dense !== undefined) return RankView.ofBits(n, dense);
  return RankView.ofList(n, sparse.slice(0, count).sort());
}

/** Positions of visible documents that died after the given numbers of deaths, per leaf. */
export function deathsSince(
  order: LeafOrder,
  bases: Uint32Array,
  parts: readonly Visible[],
  since: readonly number[],
): number[] {
  const positions: number[] = [];
  parts.forEach(({ view, matches }, i) => {
    for (let entry = since[i]!; entry < view.deathCount; entry++) {
      const doc = view.leaf.deaths.doc(entry);
      if (doc < view.docCount && (matches === undefined || hasBit(matches, doc)))
        positions.push(order.position(bases[i]! + doc));
    }
  });
  return positions;
}
