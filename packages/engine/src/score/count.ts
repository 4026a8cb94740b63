// How many visible documents hold a term? Its document frequency where nothing has died, else bitmaps and single bits.

import { popcount32 } from '../kernels/bits.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from '../segment/leaf.ts';
import type { FlatTerm } from './flat.ts';

/** Visible documents of a leaf with the term; -1 where the snapshot ends within the leaf. */
export function countTerm(view: LeafView, term: FlatTerm): number {
  const { leaf, live, docCount } = view;
  if (docCount < leaf.docCount) return -1;
  const terms = leaf.terms(term.path);
  if (terms === undefined || !terms.indexed) return 0;
  const ordinal = terms.find(term.bytes, 0, term.bytes.length);
  if (ordinal < 0) return 0;
  if (live === undefined) return terms.docFreq(ordinal);
  const { postings } = terms;
  const end = postings.endGroup(ordinal);
  let count = 0;
  for (let group = postings.firstGroup(ordinal); group < end; group++) {
    const chunk = postings.chunk(group);
    const bits = postings.bits(group);
    count +=
      bits === undefined
        ? countSingly(postings.lo, postings.start(group), postings.end(group), live, chunk * CHUNK_WORDS)
        : countBoth(bits, live, chunk * CHUNK_WORDS, Math.min(CHUNK_DOCS, docCount - chunk * CHUNK_DOCS));
  }
  return count;
}

function countSingly(lo: Uint16Array, start: number, end: number, live: Uint32Array, from: number): number {
  let count = 0;
  for (let p = start; p < end; p++) count += (live[from + (lo[p]! >>> 5)]! >>> (lo[p]! & 31)) & 1;
  return count;
}

function countBoth(bits: Uint32Array, live: Uint32Array, from: number, docs: number): number {
  const words = (docs + 31) >>> 5;
  let count = 0;
  for (let w = 0; w < words; w++) count += popcount32(bits[w]! & live[from + w]!);
  return count;
}
