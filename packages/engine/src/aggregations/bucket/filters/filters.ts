// `filters`: one bucket for each of several queries, named or in their order, and one for documents that match
// none of them.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../../query/errors.ts';
import { isObject, jsonToken } from '../../../query/parameters.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { NO_BUCKET } from '../../collect/aggregator.ts';
import { ChunkFilter } from '../../collect/chunk-filter.ts';
import { DocCounts } from '../../collect/counts.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { checkedQuery } from './filter.ts';

interface FiltersOptions {
  readonly names: readonly string[];
  readonly queries: readonly JsonObject[];
  readonly isNamed: boolean;
  /** The name of the bucket of documents that match none. */
  readonly other: string | undefined;
}

class Filters implements Aggregator {
  readonly #options: FiltersOptions;
  readonly #place: AggregationPlace;
  readonly #filters: readonly ChunkFilter[];
  readonly #counts = new DocCounts();

  constructor(options: FiltersOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    this.#filters = options.queries.map((query) => new ChunkFilter(query, place.context));
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

  /** Buckets of each bucket above. */
  get #width(): number {
    return this.#filters.length + (this.#options.other === undefined ? 0 : 1);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, count } = batch;
    if (count === 0) return;
    const { subs } = this.#place;
    const bits = this.#filters.map((filter) => filter.bitsOf(batch));
    const width = this.#width;
    for (let i = 0; i < count; i++) {
      const low = docs[i]! & 0xffff;
      const first = buckets[i]! * width;
      let matches = 0;
      for (let f = 0; f < bits.length; f++) {
        const own = bits[f];
        if (own !== undefined && ((own[low >>> 5]! >>> (low & 31)) & 1) === 0) continue;
        matches++;
        this.#counts.add(first + f);
        subs.add(docs[i]!, first + f);
      }
      if (matches > 0 || width === bits.length) continue;
      this.#counts.add(first + bits.length);
      subs.add(docs[i]!, first + bits.length);
    }
    subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { names, isNamed, other } = this.#options;
    const { subs, meta, context } = this.#place;
    const all = other === undefined ? names : [...names, other];
    const buckets: AggregationBucket[] = [];
    context.countBuckets(all.length);
    for (const [i, name] of all.entries()) {
      const number = bucket < 0 ? NO_BUCKET : bucket * this.#width + i;
      const aggregations = yield* subs.results(number);
      buckets.push({ name, key: name, members: {}, docCount: this.#counts.of(number), aggregations });
    }
    return { shape: 'buckets', typeName: 'filters', meta, head: {}, buckets, keyed: isNamed };
  }
}

const EMPTY = '[filters] cannot be empty.';

function readFilters(value: JsonValue | undefined): Pick<FiltersOptions, 'names' | 'queries' | 'isNamed'> {
  const isNamed = isObject(value);
  if (!isNamed && !Array.isArray(value)) throw illegalArgument(EMPTY);
  const queries = Object.values(value).map((query) => {
    if (isObject(query)) return checkedQuery(query);
    throw new EngineError('parsing_exception', '[_na] query malformed, must start with start_object');
  });
  if (queries.length === 0) throw illegalArgument(EMPTY);
  // Named buckets come in the order of their names.
  const names = Object.keys(value);
  const order = names.map((_, i) => i);
  if (isNamed) order.sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  return { isNamed, names: order.map((i) => names[i]!), queries: order.map((i) => queries[i]!) };
}

export const FILTERS_KIND: AggregationKind<FiltersOptions> = {
  role: 'bucket',
  name: 'filters',
  parse: (body, name) => {
    const members = new Members('filters', body);
    const filters = readFilters(members.any('filters'));
    const otherKey = members.text('other_bucket_key');
    const hasOther = members.flag('other_bucket') ?? otherKey !== undefined;
    members.end((key) => parsingError(`Unknown key for a ${jsonToken(body[key]!)} in [${name}]: [${key}].`));
    return { ...filters, other: hasOther ? (otherKey ?? '_other_') : undefined };
  },
  create: (options, place) => new Filters(options, place),
};
