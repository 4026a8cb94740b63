// `adjacency_matrix`: one bucket for each of several named queries, and for each pair of them that documents match
// both of. Pairs are counted as set bits of two bitmaps: 100 filters have 4,950 pairs.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { countAnd, fillOnes, hasBit, setBit, wordsFor } from '../../../kernels/bits.ts';
import { isObject } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import { CHUNK_DOCS } from '../../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { ChunkFilter } from '../../collect/chunk-filter.ts';
import { DocCounts } from '../../collect/counts.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { checkedQuery } from './filter.ts';

interface MatrixOptions {
  readonly names: readonly string[];
  readonly queries: readonly JsonObject[];
  readonly separator: string;
  /** Leaves out the buckets of single queries. */
  readonly pairsOnly: boolean;
}

const MOST_FILTERS = 100;

class AdjacencyMatrix implements Aggregator {
  readonly #options: MatrixOptions;
  readonly #place: AggregationPlace;
  readonly #filters: readonly ChunkFilter[];
  readonly #counts = new DocCounts();
  /** Names of the single filters, then of the pairs. */
  readonly #names: readonly string[];

  constructor(options: MatrixOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    this.#filters = options.queries.map((query) => new ChunkFilter(query, place.context));
    const { names, separator } = options;
    this.#names = [
      ...names,
      ...names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a}${separator}${b}`)),
    ];
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    for (const filter of this.#filters) yield* filter.prepare();
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    for (const filter of this.#filters) yield* filter.enter(leaf);
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    if (batch.count === 0) return;
    const bits = this.#filters.map((filter) => filter.bitsOf(batch));
    for (const [bucket, docs] of docsByBucket(batch)) this.#count(bucket, docs, bits);
    if (!this.#place.subs.isEmpty) this.#pass(batch, bits);
  }

  /** Counts documents of one bucket: those that match two filters are the bits that both have. */
  #count(bucket: number, docs: readonly number[], bits: readonly (Uint32Array | undefined)[]): void {
    const counts = this.#counts;
    const first = bucket * this.#names.length;
    const words = wordsFor(docs.length);
    const all = new Uint32Array(words * bits.length);
    const matching: { readonly filter: number; readonly rows: Uint32Array }[] = [];
    for (const [filter, own] of bits.entries()) {
      const rows = all.subarray(filter * words, (filter + 1) * words);
      if (own === undefined) fillOnes(rows, docs.length);
      else for (let i = 0; i < docs.length; i++) if (hasBit(own, docs[i]!)) setBit(rows, i);
      const count = countAnd(rows, rows);
      if (count === 0) continue;
      if (!this.#options.pairsOnly) counts.add(first + filter, count);
      for (const other of matching) {
        const both = countAnd(other.rows, rows);
        if (both > 0) counts.add(first + this.#pair(other.filter, filter), both);
      }
      matching.push({ filter, rows });
    }
  }

  /** Passes each document to the level below, once for each of its buckets. */
  #pass({ docs, buckets, count }: AggregationBatch, bits: readonly (Uint32Array | undefined)[]): void {
    const { subs } = this.#place;
    const width = this.#names.length;
    const matching: number[] = [];
    for (let i = 0; i < count; i++) {
      const low = docs[i]! % CHUNK_DOCS;
      const first = buckets[i]! * width;
      matching.length = 0;
      for (const [filter, own] of bits.entries()) {
        if (own !== undefined && !hasBit(own, low)) continue;
        if (!this.#options.pairsOnly) subs.add(docs[i]!, first + filter);
        for (const other of matching) subs.add(docs[i]!, first + this.#pair(other, filter));
        matching.push(filter);
      }
    }
    subs.flush();
  }

  /** The place of a pair among the names. REQUIRES: first < second. */
  #pair(first: number, second: number): number {
    const n = this.#options.names.length;
    return n + first * n - (first * (first + 1)) / 2 + (second - first - 1);
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context } = this.#place;
    const width = this.#names.length;
    const found = this.#names
      .map((name, i) => ({ name, number: bucket * width + i }))
      .filter(({ number }) => bucket >= 0 && this.#counts.of(number) > 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    context.countBuckets(found.length);
    const buckets: AggregationBucket[] = [];
    for (const { name, number } of found) {
      const aggregations = yield* subs.results(number);
      buckets.push({
        name,
        key: name,
        members: { key: name },
        docCount: this.#counts.of(number),
        aggregations,
      });
    }
    return { shape: 'buckets', typeName: 'adjacency_matrix', meta, head: {}, buckets, keyed: false };
  }
}

/** The documents of a batch by bucket, each as its place in the chunk. */
function docsByBucket({ docs, buckets, count }: AggregationBatch): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const own = found.get(buckets[i]!);
    if (own === undefined) found.set(buckets[i]!, [docs[i]! % CHUNK_DOCS]);
    else own.push(docs[i]! % CHUNK_DOCS);
  }
  return found;
}

export const ADJACENCY_MATRIX: AggregationKind<MatrixOptions> = {
  role: 'bucket',
  name: 'adjacency_matrix',
  parse: (body, name) => {
    const members = new Members('adjacency_matrix', body);
    const filters = members.object('filters');
    if (filters === undefined) throw illegalArgument(`[${name}] is missing : filters parameter`);
    const separator = members.text('separator') ?? '&';
    const pairsOnly = members.flag('show_only_intersecting') ?? false;
    members.end();
    const names = Object.keys(filters).sort();
    if (names.length > MOST_FILTERS)
      throw illegalArgument(
        `Number of filters is too large, must be less than or equal to: [${MOST_FILTERS}] but was [${names.length}].`,
      );
    const queries = names.map((each) => {
      const query = filters[each]!;
      if (!isObject(query)) throw members.wrongType('filters', query);
      try {
        return checkedQuery(query);
      } catch (error) {
        throw error instanceof EngineError ? members.failed('filters', error) : error;
      }
    });
    return { names, queries, separator, pairsOnly };
  },
  create: (options, place) => new AdjacencyMatrix(options, place),
};
