// Sums of document hashes (id, routing, source) in buckets by id. Sums need no order, so each side is read in
// its cheapest order, and memory is the same for a thousand documents and a billion. A bucket with differing
// sums contains a differing document.

import { hash } from 'node:crypto';
import type { RawHit } from '../io/raw-hits.ts';

const BUCKETS = 1 << 16;

/** The sums of one side. */
export class BucketSums {
  readonly #counts = new Uint32Array(BUCKETS);
  readonly #low = new Uint32Array(BUCKETS);
  readonly #high = new Uint32Array(BUCKETS);
  count = 0;

  /** O(bytes of the document). */
  add(hit: RawHit): void {
    const bucket = bucketOfId(hit.id);
    const [low, high] = hashDocument(hit);
    this.#counts[bucket]! += 1;
    this.#low[bucket] = this.#low[bucket]! + low;
    this.#high[bucket] = this.#high[bucket]! + high;
    this.count += 1;
  }

  /** The differing buckets. */
  differing(other: BucketSums): Set<number> {
    const found = new Set<number>();
    for (let i = 0; i < BUCKETS; i++) {
      const same =
        this.#counts[i] === other.#counts[i] &&
        this.#low[i] === other.#low[i] &&
        this.#high[i] === other.#high[i];
      if (!same) found.add(i);
    }
    return found;
  }

  /** A digest of all sums, 16 hex digits. */
  digest(): string {
    const parts = [this.#counts, this.#low, this.#high].map((part) => Buffer.from(part.buffer));
    return hash('sha256', Buffer.concat(parts), 'hex').slice(0, 16);
  }
}

export function bucketOfId(id: string): number {
  return hash('sha1', id, 'buffer').readUInt16LE(0);
}

/** 64 bits of a document's hash, as two halves. */
export function hashDocument({ id, routing = '', source }: RawHit): readonly [low: number, high: number] {
  const head = Buffer.from(`${JSON.stringify([id, routing])}\n`);
  const bytes = hash('sha256', Buffer.concat([head, source]), 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}
