// Sums by bucket with compensation of rounding errors (Kahan 1965), as the peer adds.

import { extended } from './numeric-metric.ts';

/** Sums of doubles. */
export class CompensatedSums {
  sums: Float64Array = new Float64Array(0);
  #deltas: Float64Array = new Float64Array(0);

  resize(buckets: number): void {
    this.sums = extended(this.sums, buckets, 0);
    this.#deltas = extended(this.#deltas, buckets, 0);
  }

  add(bucket: number, value: number): void {
    const sum = this.sums[bucket]!;
    if (!Number.isFinite(value) || !Number.isFinite(sum)) {
      this.sums[bucket] = sum + value;
      return;
    }
    const corrected = value + this.#deltas[bucket]!;
    const updated = sum + corrected;
    this.#deltas[bucket] = corrected - (updated - sum);
    this.sums[bucket] = updated;
  }
}
