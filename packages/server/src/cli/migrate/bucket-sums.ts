// Are two collections the same? Each document is hashed (id, routing, source), and the hashes are added up in buckets by
// id: sums do not ask for an order, so each side is read in the order that is cheapest there, and memory is the same for
// a thousand documents and for a billion. A bucket whose sums differ has a document that differs.

import { hash } from 'node:crypto';
import type { RawHit } from '../io/raw-hits.ts';

const BUCKETS = 1 << 16;

/** What a side holds, added up. */
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

  /** Buckets that are not the same. */
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

  /** Of the whole, as 16 hex digits. */
  digest(): string {
    const parts = [this.#counts, this.#low, this.#high].map((part) => Buffer.from(part.buffer));
    return hash('sha256', Buffer.concat(parts), 'hex').slice(0, 16);
  }
}

/** The bucket of an id. */
export function bucketOfId(id: string): number {
  return hash('sha1', id, 'buffer').readUInt16LE(0);
}

/** 64 bits of a document, as two halves. */
export function hashDocument({ id, routing = '', source }: RawHit): readonly [low: number, high: number] {
  const head = Buffer.from(`${JSON.stringify([id, routing])}\n`);
  const bytes = hash('sha256', Buffer.concat([head, source]), 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}
