// The common part of aggregations with one bucket: it has the number of the bucket above, so that the
// documents it keeps are passed on as they are.

import type { AggregationResult } from '../../api.ts';
import type { Steps } from '../../query/steps.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  type Aggregator,
  newBatch,
} from '../collect/aggregator.ts';
import { DocCounts } from '../collect/counts.ts';
import type { AggregationPlace } from '../kind.ts';

/** Keeps some documents of each bucket. */
export abstract class SingleBucket implements Aggregator {
  protected readonly place: AggregationPlace;
  readonly #typeName: string;
  readonly #counts = new DocCounts();
  readonly #kept = newBatch();

  constructor(typeName: string, place: AggregationPlace) {
    this.#typeName = typeName;
    this.place = place;
  }

  get needsScores(): boolean {
    return this.place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    yield* this.place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const kept = this.#kept;
    kept.count = 0;
    this.keep(batch, kept);
    for (let i = 0; i < kept.count; i++) this.#counts.add(kept.buckets[i]!);
    this.place.subs.collect(kept);
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { meta, subs } = this.place;
    const aggregations = yield* subs.results(bucket);
    return {
      shape: 'bucket',
      typeName: this.#typeName,
      meta,
      docCount: this.#counts.of(bucket),
      aggregations,
    };
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0) return this.place.subs.number(bucket, path, key);
    return key === '' || key === 'doc_count' || key === '_count' ? this.#counts.of(bucket) : undefined;
  }

  /** Copies the documents that belong to the bucket. */
  protected abstract keep(batch: AggregationBatch, kept: AggregationBatch): void;
}
