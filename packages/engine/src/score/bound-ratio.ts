// Bounds how far a score can lie from what its code says. A code is computed with the average length of its
// own leaf, rounded to a bucket, and with the usual k1 and b, but scores use the average length of the whole index
// and the parameters of their field. The worst ratios over all lengths make every code a bound again, from above and,
// less 1, from below:
//
//   score / weight  =  tf / (tf + K)  <=  R · tf / (tf + K0)  <=  R · code / 255              R >= (tf + K0) / (tf + K)
//                                     >=  r · tf / (tf + K0)  >   r · (code - 1) / 255        r <= (tf + K0) / (tf + K)

import { LENGTHS } from '../segment/postings/norms.ts';
import { averageOf } from '../segment/postings/score-codes.ts';

const K1 = 1.2;
const B = 0.75;

/** Covers the rounding of float32 scores: a few units of 2^-24 of the weight, while the step of a code is 1 / 255 of it. */
const ROUNDING = 1e-4;

/** Bounds of score / weight for each 1 of a code. */
interface CodeBounds {
  readonly most: number;
  readonly least: number;
}

const memo = new WeakMap<Float32Array, Map<number, CodeBounds>>();

/** Bounds of what codes score, for postings of a bucket and the length factors of a search. Memoized. */
export function codeBounds(bucket: number, inverses: Float32Array): CodeBounds {
  let buckets = memo.get(inverses);
  if (buckets === undefined) {
    buckets = new Map();
    memo.set(inverses, buckets);
  }
  let bounds = buckets.get(bucket);
  if (bounds === undefined) {
    bounds = computeBounds(bucket, inverses);
    buckets.set(bucket, bounds);
  }
  return bounds;
}

/** Ratios are monotone in tf and tend to 1, so that an extreme is either the ratio at tf = 1, or 1. */
function computeBounds(bucket: number, inverses: Float32Array): CodeBounds {
  const average = averageOf(bucket);
  let most = 1;
  let least = 1;
  for (let norm = 0; norm < 256; norm++) {
    const coded = K1 * (1 - B + (B * LENGTHS[norm]!) / average);
    const real = 1 / inverses[norm]!;
    const ratio = (1 + coded) / (1 + real);
    if (ratio > most) most = ratio;
    if (ratio < least) least = ratio;
  }
  return { most: (most * (1 + ROUNDING)) / 255, least: Math.max(0, least - ROUNDING) / 255 };
}
