// `filter`: the documents that match a query. `global`: all documents of the indices, whatever the query.

import type { AggregationResult } from '../../../api.ts';
import { EngineError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { parseQuery } from '../../../query/parse.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf } from '../../collect/aggregator.ts';
import { ChunkFilter } from '../../collect/chunk-filter.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { SingleBucket } from '../single-bucket.ts';

class Filter extends SingleBucket {
  readonly #filter: ChunkFilter;

  constructor(query: JsonObject, place: AggregationPlace) {
    super('filter', place);
    this.#filter = new ChunkFilter(query, place.context);
  }

  override *prepare(): Steps<void> {
    yield* this.#filter.prepare();
    yield* super.prepare();
  }

  override *enter(leaf: AggregationLeaf): Steps<void> {
    yield* this.#filter.enter(leaf);
    yield* super.enter(leaf);
  }

  protected keep(batch: AggregationBatch, kept: AggregationBatch): void {
    this.#filter.keep(batch, kept);
  }
}

/** Checks a query inside an aggregation, and returns it. */
export function checkedQuery(query: JsonObject): JsonObject {
  parseQuery(query);
  return query;
}

export const FILTER: AggregationKind<JsonObject> = {
  role: 'bucket',
  name: 'filter',
  parse: checkedQuery,
  create: (query, place) => new Filter(query, place),
};

class Global extends SingleBucket {
  constructor(place: AggregationPlace) {
    super('global', place);
  }

  protected keep({ docs, buckets, count }: AggregationBatch, kept: AggregationBatch): void {
    kept.docs.set(docs.subarray(0, count));
    kept.buckets.set(buckets.subarray(0, count));
    kept.count = count;
  }

  override *result(bucket: number): Steps<AggregationResult> {
    if (bucket > 0) throw new RangeError('a global bucket below another');
    return yield* super.result(bucket);
  }
}

export const GLOBAL: AggregationKind<null> = {
  role: 'bucket',
  name: 'global',
  isGlobal: true,
  parse: (body) => {
    new Members('global', body).end();
    return null;
  },
  create: (_options, place) => new Global(place),
};

/** The error for a `global` aggregation inside another. */
export function misplacedGlobal(parent: string, name: string): EngineError {
  return new EngineError(
    'aggregation_execution_exception',
    `Aggregation [${parent}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as ` +
      'top level aggregations',
  );
}
