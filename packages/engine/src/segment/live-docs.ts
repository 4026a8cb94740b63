// Bitmaps of the documents of a leaf that are alive and visible in a snapshot, by chunks.

import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from './leaf.ts';

/** Overwrites a bitmap with the documents of a chunk that are alive and visible. */
export function liveDocs(view: LeafView, chunk: number, bits: Uint32Array): void {
  bits.fill(0xffff_ffff);
  maskLive(view, chunk, bits);
}

/** Clears the bits of documents that are dead or beyond the snapshot. */
export function maskLive({ live, docCount, leaf }: LeafView, chunk: number, bits: Uint32Array): void {
  const base = chunk * CHUNK_WORDS;
  const words = Math.max(0, Math.min(CHUNK_WORDS, ((leaf.docCount + 31) >>> 5) - base));
  if (live !== undefined) for (let w = 0; w < words; w++) bits[w]! &= live[base + w]!;
  const end = docCount - chunk * CHUNK_DOCS;
  if (end >= CHUNK_DOCS) return;
  if (end > 0 && end & 31) bits[end >>> 5]! &= -1 >>> (32 - (end & 31));
  bits.fill(0, end > 0 ? (end + 31) >>> 5 : 0);
}
