// How far can a score lie above what its code says? A code is made with the average length of its own leaf, rounded to a
// bucket; scores use that of the whole index. The worst ratio over all lengths makes every code a bound again:
//
//   score / weight  =  tf / (tf + K)  <=  R · tf / (tf + K0)  <=  R · code / 255        R >= (tf + K0) / (tf + K)

import { averageOf } from '../segment/codes.ts';
import { LENGTHS } from '../segment/norm.ts';

const K1 = 1.2;
const B = 0.75;

/** Covers the rounding of float32 scores: at most 777 units of 2^-24 where the code is 1. */
const ROUNDING = 1.0001;

const known = new WeakMap<Float32Array, Map<number, number>>();

/** Bound of score / (weight · code), for postings of a bucket and the length factors of a search. O(1) once known. */
export function scorePerCode(bucket: number, inverses: Float32Array): number {
  let buckets = known.get(inverses);
  if (buckets === undefined) {
    buckets = new Map();
    known.set(inverses, buckets);
  }
  let bound = buckets.get(bucket);
  if (bound === undefined) {
    bound = (worstRatio(bucket, inverses) * ROUNDING) / 255;
    buckets.set(bucket, bound);
  }
  return bound;
}

/** The ratio is monotone in tf and tends to 1, so that its largest value is at tf = 1 or at most 1. */
function worstRatio(bucket: number, inverses: Float32Array): number {
  const average = averageOf(bucket);
  let worst = 1;
  for (let norm = 0; norm < 256; norm++) {
    const coded = K1 * (1 - B + (B * LENGTHS[norm]!) / average);
    const real = 1 / inverses[norm]!;
    worst = Math.max(worst, (1 + coded) / (1 + real));
  }
  return worst;
}
