// The aggregators of one level, and the batch through which a bucket aggregation passes documents to them.

import type { AggregationResults } from '../../api.ts';
import type { Steps } from '../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  type Aggregator,
  BATCH_DOCS,
  type LeafMatches,
  newBatch,
} from './aggregator.ts';
import { NO_NUMBER } from './bucket-numbers.ts';
import type { AggregationContext } from './context.ts';
import type { CountedLevel } from './counted-level.ts';
import type { OrdinalRows } from './ordinal-rows.ts';

/** An aggregator with its name in the request. */
export interface NamedAggregator {
  readonly name: string;
  readonly aggregator: Aggregator;
}

/** Whether a document is the last of a batch. */
function isLast({ docs, buckets, count }: AggregationBatch, doc: number, bucket: number): boolean {
  return count > 0 && docs[count - 1] === doc && buckets[count - 1] === bucket;
}

/** The aggregators of one level. */
export class SubAggregators {
  readonly list: readonly NamedAggregator[];
  readonly needsScores: boolean;
  readonly #context: AggregationContext | undefined;
  #out: AggregationBatch | undefined;

  /** `context` counts the documents that are passed on. */
  constructor(list: readonly NamedAggregator[], context?: AggregationContext) {
    this.list = list;
    this.#context = context;
    this.needsScores = list.some(({ aggregator }) => aggregator.needsScores === true);
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  *prepare(): Steps<void> {
    for (const { aggregator } of this.list) if (aggregator.prepare !== undefined) yield* aggregator.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    for (const { aggregator } of this.list) {
      const steps = aggregator.enter(leaf);
      if (steps !== undefined) yield* steps;
    }
  }

  collect(batch: AggregationBatch): void {
    if (batch.count === 0) return;
    for (const { aggregator } of this.list) aggregator.collect(batch);
  }

  /** Collects a batch at the top of the tree. */
  collectBatch(batch: AggregationBatch): void {
    this.#context?.beginBatch();
    this.collect(batch);
  }

  /**
   * Passes one document on. One that comes again for the same bucket is in the next batch, because rows of a batch with the same
   * document and bucket are the values of one document. REQUIRES: `flush` follows the last document of a batch.
   */
  add(doc: number, bucket: number): void {
    if (this.list.length === 0) return;
    const out = (this.#out ??= newBatch());
    if (out.count === BATCH_DOCS || isLast(out, doc, bucket)) this.flush();
    out.docs[out.count] = doc;
    out.buckets[out.count++] = bucket;
  }

  /** Passes the documents of rows on, each into the bucket of its number. `hasNone`: some of them have no bucket. */
  addAll(batch: AggregationBatch, rows: OrdinalRows, numbers: Uint32Array, hasNone: boolean): void {
    if (this.list.length === 0) return;
    const { docs, count } = rows;
    // Where each document of the batch has one value, none comes again.
    let first = docs === batch.docs && !hasNone ? count : 0;
    if (count <= BATCH_DOCS)
      for (; first < count && numbers[first] !== NO_NUMBER; first++)
        if (first > 0 && docs[first] === docs[first - 1] && numbers[first] === numbers[first - 1]) break;
    if (first === count) {
      // All have a bucket, and none comes again: the next level reads them where they are.
      this.#pass({ docs, buckets: numbers, count });
      return;
    }
    for (let i = 0; i < count; i++) if (numbers[i] !== NO_NUMBER) this.add(docs[i]!, numbers[i]!);
    this.flush();
  }

  /**
   * Collects all matches of the leaf at once where no level below needs them. The aggregators that are left to be given batches.
   * REQUIRES: the leaf is entered.
   */
  *collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<SubAggregators> {
    const left: NamedAggregator[] = [];
    for (const each of this.list) {
      const { aggregator } = each;
      const isDone = aggregator.collectLeaf !== undefined && (yield* aggregator.collectLeaf(leaf, matches));
      if (!isDone) left.push(each);
    }
    return left.length === this.list.length ? this : new SubAggregators(left, this.#context);
  }

  /** The levels below, where all of them only count documents. */
  countedLevels(): CountedLevel[] | undefined {
    const levels: CountedLevel[] = [];
    for (const { aggregator } of this.list) {
      const level = aggregator.countedLevel?.();
      if (level === undefined) return undefined;
      levels.push(level);
    }
    return levels;
  }

  /** Collects what `add` has taken. */
  flush(): void {
    const out = this.#out;
    if (out === undefined || out.count === 0) return;
    this.#pass(out);
    out.count = 0;
  }

  #pass(batch: AggregationBatch): void {
    this.#context?.countPassed(batch.count);
    this.collect(batch);
  }

  *results(bucket: number): Steps<AggregationResults> {
    const results: AggregationResults = new Map();
    for (const { name, aggregator } of this.list) {
      const result = aggregator.result(bucket);
      results.set(name, 'next' in result ? yield* result : result);
    }
    return results;
  }

  /** The number that a path of an order names in a bucket; undefined where it names none. */
  number(bucket: number, path: readonly string[], key: string): number | undefined {
    const [first, ...rest] = path;
    const found = this.list.find(({ name }) => name === first);
    return found?.aggregator.number?.(bucket, rest, key);
  }
}
