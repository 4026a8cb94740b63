// BM25 as Lucene 10 computes it, to the bit: float32 arithmetic throughout, document lengths through a
// one-byte code, no factor (k1 + 1) unless Elasticsearch's scores are wanted.
//
//   idf    = ln(1 + (N - n + 0.5) / (n + 0.5))         N documents with the field, n with the term
//   score  = w - w / (1 + tf · inverse[norm])          w = boost · idf
//   inverse[norm] = 1 / (k1 · ((1 - b) + b · length(norm) / avgdl))
//
// The similarity `boolean` is the same with w = boost and infinite inverses, so that all loops know one formula.
//
// Source: org.apache.lucene.search.similarities.BM25Similarity; lengths by org.apache.lucene.util.SmallFloat.

import type { Similarity } from '../analysis/similarities.ts';
import { LENGTHS } from '../segment/postings/norms.ts';

/** The factor k1 + 1 by which Elasticsearch (LegacyBM25Similarity) multiplies every weight. */
export function legacyFactor({ k1 }: Similarity): number {
  return Math.fround(1 + Math.fround(k1));
}

/** The norm of fields that have none: length 1. */
export const NO_NORM = 1;

/** Inverse document frequency, as a float32. REQUIRES: 0 < docFreq. */
export function idf(docFreq: number, docCount: number): number {
  return Math.fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

/** Average length of a field, as a float32; 1 where the field has no statistics. */
export function averageLength(sumTotalTermFreq: number, docCount: number): number {
  return docCount === 0 || sumTotalTermFreq <= 0 ? 1 : Math.fround(sumTotalTermFreq / docCount);
}

/** Recently computed multipliers, by parameters and average length. */
const recent = new Map<string, Float32Array>();
const MAX_RECENT = 64;

/**
 * One multiplier of tf for each of the 256 norms. The array is shared by all callers and must not be changed.
 */
export function normInverses(avgdl: number, { kind, k1, b }: Similarity): Float32Array {
  const average = Math.fround(avgdl);
  const key = kind === 'boolean' ? kind : `${k1} ${b} ${average}`;
  let inverses = recent.get(key);
  if (inverses === undefined) {
    // However often a term occurs: w - w / Infinity is w.
    inverses =
      kind === 'boolean'
        ? new Float32Array(256).fill(Number.POSITIVE_INFINITY)
        : compute(average, Math.fround(k1), Math.fround(b));
    if (recent.size >= MAX_RECENT) recent.clear();
    recent.set(key, inverses);
  }
  return inverses;
}

function compute(average: number, k1: number, b: number): Float32Array {
  const f = Math.fround;
  const out = new Float32Array(256);
  for (let code = 0; code < 256; code++) {
    const relative = f(f(b * LENGTHS[code]!) / average);
    out[code] = f(1 / f(k1 * f(f(1 - b) + relative)));
  }
  return out;
}

/** Score of a term that occurs `freq` times. Monotone in freq and in normInverse. */
export function termScore(weight: number, freq: number, normInverse: number): number {
  const f = Math.fround;
  return f(weight - f(weight / f(1 + f(freq * normInverse))));
}
