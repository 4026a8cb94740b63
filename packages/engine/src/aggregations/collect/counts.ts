// Counts of documents by bucket, for aggregations whose buckets are numbered by their place.

import { grown } from './bucket-table.ts';

/** Counts that grow with the numbers of buckets. */
export class DocCounts {
  #counts: Uint32Array = new Uint32Array(16);

  add(bucket: number, docs: number = 1): void {
    if (bucket >= this.#counts.length) this.#counts = grown(this.#counts, (bucket + 1) * 2);
    this.#counts[bucket]! += docs;
  }

  of(bucket: number): number {
    return bucket < 0 ? 0 : (this.#counts[bucket] ?? 0);
  }
}
