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

  /** Adds values to one sum. `areWhole`: all of them are integers. */
  addAll(bucket: number, values: Float64Array, count: number, areWhole: boolean): void {
    if (areWhole) {
      let sum = 0;
      let largest = 0;
      for (let i = 0; i < count; i++) {
        const value = values[i]!;
        sum += value;
        largest = Math.max(largest, Math.abs(value));
      }
      // Integers below 2^53 add up without an error.
      if (largest * count <= Number.MAX_SAFE_INTEGER) {
        this.add(bucket, sum);
        return;
      }
    }
    for (let i = 0; i < count; i++) this.add(bucket, values[i]!);
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
