// The one-byte code of a posting, an upper bound of its score: ceil(255·tf/(tf+K0(norm))), where K0 is
// BM25's length part with the segment's average length, rounded to a bucket so that segments share
// tables. A code is monotone in tf, and with the norm it gives tf back, except for a few pairs that
// postings store as exceptions.

import { LENGTHS } from './norms.ts';

const K1 = 1.2;
const B = 0.75;
const STEPS = 64;
const CODED = 256;

/**
 * Buckets are steps of 2^(1/64). `coarse` steps are wider, for short-lived minis that should share tables.
 */
export function bucketOf(averageLength: number, coarse: number = 1): number {
  const steps = Math.round((Math.log2(Math.max(1, averageLength)) * STEPS) / coarse);
  return steps * coarse;
}

/** Average length that a bucket stands for. */
export function averageOf(bucket: number): number {
  return 2 ** (bucket / STEPS);
}

/** The codes of one bucket, and their inverse. */
export class ScoreCodes {
  readonly bucket: number;
  /** tf of (norm << 8 | code), or 0 where it must be looked up. */
  readonly freqs: Uint8Array = new Uint8Array(65_536);
  /** Code of (tf << 8 | norm) for tf < 256. */
  readonly table: Uint8Array = new Uint8Array(CODED * 256);
  /** K0 of each norm. */
  readonly lengthParts: Float64Array = new Float64Array(256);

  constructor(bucket: number) {
    this.bucket = bucket;
    const average = averageOf(bucket);
    for (let norm = 0; norm < 256; norm++) {
      this.lengthParts[norm] = K1 * (1 - B + (B * LENGTHS[norm]!) / average);
      let before = 0;
      let code = this.#compute(1, norm);
      for (let tf = 1; tf < CODED; tf++) {
        const after = this.#compute(tf + 1, norm);
        this.table[(tf << 8) | norm] = code;
        if (code !== before && code !== after) this.freqs[(norm << 8) | code] = tf;
        before = code;
        code = after;
      }
    }
  }

  #compute(tf: number, norm: number): number {
    return Math.ceil((255 * tf) / (tf + this.lengthParts[norm]!) - 1e-9);
  }

  /** Code of a posting, 1 to 255. */
  code(tf: number, norm: number): number {
    return tf < CODED ? this.table[(tf << 8) | norm]! : this.#compute(tf, norm);
  }
}

const shared = new Map<number, WeakRef<ScoreCodes>>();

/** The tables of a bucket (128 KB), shared by all current users. */
export function scoreCodesOf(bucket: number): ScoreCodes {
  let codes = shared.get(bucket)?.deref();
  if (codes === undefined) {
    codes = new ScoreCodes(bucket);
    shared.set(bucket, new WeakRef(codes));
  }
  return codes;
}
