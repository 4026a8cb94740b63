// Sums term frequencies and field lengths over every leaf of a view, dead documents included until they are
// merged away, as Lucene does.

import { BM25, type Similarity } from '../../analysis/similarities.ts';
import { averageLength, normInverses } from '../../score/bm25.ts';
import type { LeafView } from '../../segment/leaf.ts';
import type { TermSource } from '../query-terms.ts';
import type { Steps } from '../steps.ts';
import { type FieldStats, FrozenStatistics, type TermCount } from './frozen-statistics.ts';

/** Statistics of one view: counted at the first use, and then unchanged where they are frozen. */
export class Statistics {
  readonly #leaves: readonly LeafView[];
  readonly #frozen: FrozenStatistics;
  readonly #fields: Map<string, FieldStats>;
  readonly #similarityOf: (path: string) => Similarity;

  /** `similarityOf`: that of the field at a path. */
  constructor(
    leaves: readonly LeafView[],
    frozen: FrozenStatistics = new FrozenStatistics(),
    similarityOf: (path: string) => Similarity = () => BM25,
  ) {
    this.#leaves = leaves;
    this.#similarityOf = similarityOf;
    this.#frozen = frozen;
    this.#fields = frozen.fields;
  }

  field(path: string): FieldStats {
    const similarity = this.#similarityOf(path);
    let stats = this.#fields.get(path);
    // A closed index may have got another similarity.
    if (stats?.similarity !== similarity) {
      let docCount = 0;
      let sumTotalTermFreq = 0;
      for (const { leaf } of this.#leaves) {
        const terms = leaf.terms(path);
        if (terms === undefined) continue;
        docCount += terms.stats.docCount;
        sumTotalTermFreq += terms.hasFreqs ? terms.stats.sumTotalTermFreq : terms.stats.sumDocFreq;
      }
      const inverses = normInverses(averageLength(sumTotalTermFreq, docCount), similarity);
      stats = { docCount, sumTotalTermFreq, similarity, inverses };
      this.#fields.set(path, stats);
    }
    return stats;
  }

  term(path: string, bytes: Uint8Array): TermCount {
    // Not by a TextDecoder, which refuses shared memory.
    const key = `${path}\0${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')}`;
    let count = this.#frozen.term(key);
    if (count === undefined) this.#frozen.set(key, (count = this.#count(path, bytes)));
    return count;
  }

  #count(path: string, bytes: Uint8Array): TermCount {
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

  /** The documents of some terms, and a number of each term summed over them. */
  *sum(path: string, source: TermSource, numberOf: (term: Uint8Array) => number): Steps<TermCount> {
    const key = `\0${path}\0${source.key}`;
    const known = this.#frozen.term(key);
    if (known !== undefined) return known;
    let docFreq = 0;
    let totalTermFreq = 0;
    for (const { leaf } of this.#leaves) {
      const terms = leaf.terms(path);
      if (terms === undefined) continue;
      const ordinals = yield* source.ordinals(terms);
      for (let i = 0; i < ordinals.length; i++) {
        const documents = terms.docFreq(ordinals[i]!);
        docFreq += documents;
        totalTermFreq += documents * numberOf(terms.term(ordinals[i]!));
      }
      yield;
    }
    const count = { docFreq, totalTermFreq };
    this.#frozen.set(key, count);
    return count;
  }

  /** Documents of all leaves, dead ones included (Lucene's maxDoc). */
  get maxDoc(): number {
    this.#frozen.maxDoc ??= this.#leaves.reduce((sum, view) => sum + view.leaf.docCount, 0);
    return this.#frozen.maxDoc;
  }
}
