// How far can a score lie from what its code says? A code is made with the average length of its own leaf, rounded to a
// bucket; scores use that of the whole index. The worst ratios over all lengths make every code a bound again, from above
// and, less 1, from below:
//
//   score / weight  =  tf / (tf + K)  <=  R · tf / (tf + K0)  <=  R · code / 255              R >= (tf + K0) / (tf + K)
//                                     >=  r · tf / (tf + K0)  >   r · (code - 1) / 255        r <= (tf + K0) / (tf + K)

import { LENGTHS } from '../segment/postings/norms.ts';
import { averageOf } from '../segment/postings/score-codes.ts';

const K1 = 1.2;
const B = 0.75;

/** Covers the rounding of float32 scores: at most 777 units of 2^-24 where the code is 1. */
const ROUNDING = 1.0001;

/** Bounds of score / weight for each 1 of a code. */
export interface Worth {
  readonly most: number;
  readonly least: number;
}

const known = new WeakMap<Float32Array, Map<number, Worth>>();

/** What codes are worth at most and at least, for postings of a bucket and the length factors of a search. O(1) once known. */
export function worthOfCode(bucket: number, inverses: Float32Array): Worth {
  let buckets = known.get(inverses);
  if (buckets === undefined) {
    buckets = new Map();
    known.set(inverses, buckets);
  }
  let worth = buckets.get(bucket);
  if (worth === undefined) {
    worth = worthOf(bucket, inverses);
    buckets.set(bucket, worth);
  }
  return worth;
}

/** Ratios are monotone in tf and tend to 1, so that their extremes are at tf = 1 or 1. */
function worthOf(bucket: number, inverses: Float32Array): Worth {
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
  return { most: (most * ROUNDING) / 255, least: least / ROUNDING / 255 };
}
