// The best documents of one bucket in one index by score, of which no more than some may have the same key.
// Dropping early is safe: a document that has enough better ones before it stays behind them.

import type { AggregationLeaf } from '../../collect/aggregator.ts';

/** A document that competes for a place in a sample. */
export interface SampleDoc {
  readonly leaf: AggregationLeaf;
  readonly doc: number;
  readonly score: number;
  readonly key: number;
}

/** Candidates kept beyond the size before the worst are dropped. */
const SLACK = 64;

/** Collects the best documents. */
export class BestDocs {
  readonly #size: number;
  readonly #perKey: number;
  #docs: SampleDoc[] = [];
  #limit: number;

  constructor(size: number, perKey: number) {
    this.#size = size;
    this.#perKey = perKey;
    this.#limit = 2 * size + SLACK;
  }

  add(doc: SampleDoc): void {
    this.#docs.push(doc);
    if (this.#docs.length >= this.#limit) this.#docs = this.best();
  }

  /** The best documents so far, best first. */
  best(): SampleDoc[] {
    const kept: SampleDoc[] = [];
    const counts = new Map<number, number>();
    for (const doc of this.#docs.sort(compare)) {
      if (kept.length === this.#size) break;
      const count = counts.get(doc.key) ?? 0;
      if (count >= this.#perKey) continue;
      counts.set(doc.key, count + 1);
      kept.push(doc);
    }
    return kept;
  }
}

function compare(a: SampleDoc, b: SampleDoc): number {
  return b.score - a.score || comparePlaces(a, b);
}

/** Sorts documents as they were collected. */
export function comparePlaces(a: SampleDoc, b: SampleDoc): number {
  return a.leaf.place - b.leaf.place || a.doc - b.doc;
}
