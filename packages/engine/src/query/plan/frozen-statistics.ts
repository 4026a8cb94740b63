// BM25 statistics of an index at a snapshot, kept as long as a walk may continue there. A walk in score order
// keeps the statistics of its first page: else idf and average lengths would move while documents come and
// segments merge, and with them the scores that its positions are made of.

import type { Similarity } from '../../analysis/similarities.ts';

/** What BM25 needs to know of a field. */
export interface FieldStats {
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  readonly similarity: Similarity;
  /** Multipliers of tf by norm byte. */
  readonly inverses: Float32Array;
}

/** What BM25 needs to know of a term. */
export interface TermCount {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

/** Terms kept for one index at one snapshot; the least recently used are dropped. */
const MAX_TERMS = 20_000;
/**
 * Snapshots kept although no lease holds them: an embedding program may take its lease after its first page.
 */
const RECENT = 32;

let lastId = 0;

/** The statistics of one index at one snapshot that plans have used. */
export class FrozenStatistics {
  /** Unique: lists of scores made with other statistics are other lists. */
  readonly id: number = ++lastId;
  readonly fields: Map<string, FieldStats> = new Map();
  readonly #terms = new Map<string, TermCount>();
  maxDoc: number | undefined;
  readonly #within = new Map<string, FrozenStatistics>();

  /** Those of the objects of a nested path. */
  within(path: string): FrozenStatistics {
    let own = this.#within.get(path);
    if (own === undefined) this.#within.set(path, (own = new FrozenStatistics()));
    return own;
  }

  term(key: string): TermCount | undefined {
    const found = this.#terms.get(key);
    if (found !== undefined) {
      this.#terms.delete(key);
      this.#terms.set(key, found);
    }
    return found;
  }

  set(key: string, count: TermCount): void {
    this.#terms.set(key, count);
    if (this.#terms.size <= MAX_TERMS) return;
    for (const oldest of this.#terms.keys()) {
      this.#terms.delete(oldest);
      break;
    }
  }
}

/** Frozen statistics by snapshot and index. */
export class SnapshotStatistics {
  readonly #bySnapshot = new Map<number, Map<string, FrozenStatistics>>();
  readonly #leased: () => readonly number[];

  /** `leased` lists the snapshots that leases hold. */
  constructor(leased: () => readonly number[]) {
    this.#leased = leased;
  }

  /** The statistics of an index (by uuid) at a snapshot, empty at first. */
  of(snapshot: number, index: string): FrozenStatistics {
    let indices = this.#bySnapshot.get(snapshot);
    if (indices === undefined) {
      indices = new Map();
      this.#bySnapshot.set(snapshot, indices);
      // Only now and then: listing all leases costs more than a few maps.
      if (this.#bySnapshot.size > RECENT && this.#bySnapshot.size % RECENT === 0) this.#prune();
    }
    let frozen = indices.get(index);
    if (frozen === undefined) indices.set(index, (frozen = new FrozenStatistics()));
    return frozen;
  }

  get size(): number {
    return this.#bySnapshot.size;
  }

  #prune(): void {
    const leased = new Set(this.#leased());
    const idle = [...this.#bySnapshot.keys()].filter((snapshot) => !leased.has(snapshot));
    for (const snapshot of idle.slice(0, -RECENT)) this.#bySnapshot.delete(snapshot);
  }
}
