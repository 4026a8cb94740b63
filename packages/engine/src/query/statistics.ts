// How common are terms and how long are fields? Sums over every leaf of a view, dead documents included until they are
// merged away, as in Lucene.

import { averageLength, normInverses } from '../score/bm25.ts';
import type { LeafView } from '../segment/leaf.ts';

/** What BM25 needs to know of a field. */
export interface FieldStats {
  readonly docCount: number;
  readonly sumTotalTermFreq: number;
  /** Multipliers of tf by norm byte. */
  readonly inverses: Float32Array;
}

/** What BM25 needs to know of a term. */
export interface TermCount {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

/** Statistics of one view, kept for the length of one planning. */
export class Statistics {
  readonly #leaves: readonly LeafView[];
  readonly #fields = new Map<string, FieldStats>();

  constructor(leaves: readonly LeafView[]) {
    this.#leaves = leaves;
  }

  field(path: string): FieldStats {
    let stats = this.#fields.get(path);
    if (stats === undefined) {
      let docCount = 0;
      let sumTotalTermFreq = 0;
      for (const { leaf } of this.#leaves) {
        const terms = leaf.terms(path);
        if (terms === undefined) continue;
        docCount += terms.stats.docCount;
        sumTotalTermFreq += terms.hasFreqs ? terms.stats.sumTotalTermFreq : terms.stats.sumDocFreq;
      }
      const inverses = normInverses(averageLength(sumTotalTermFreq, docCount));
      stats = { docCount, sumTotalTermFreq, inverses };
      this.#fields.set(path, stats);
    }
    return stats;
  }

  term(path: string, bytes: Uint8Array): TermCount {
    let docFreq = 0;
    let totalTermFreq = 0;
    for (const { leaf } of this.#leaves) {
      const terms = leaf.terms(path);
      if (terms === undefined) continue;
      const ordinal = terms.find(bytes, 0, bytes.length);
      if (ordinal < 0) continue;
      docFreq += terms.docFreq(ordinal);
      totalTermFreq += terms.totalTermFreq(ordinal);
    }
    return { docFreq, totalTermFreq };
  }

  /** Documents of all leaves, dead ones included (Lucene's maxDoc). */
  get maxDoc(): number {
    let n = 0;
    for (const view of this.#leaves) n += view.leaf.docCount;
    return n;
  }
}
