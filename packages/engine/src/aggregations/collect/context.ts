// What all aggregators of one search share: the views, the moment, the bounds of buckets and memory, and the
// plans of queries inside aggregations.

import type { SearchRequest } from '../../api.ts';
import { EngineError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { QueryLimits } from '../../query/limits.ts';
import type { Plan } from '../../query/matcher.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planInSteps } from '../../query/plan-query.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationHits } from './hits.ts';

/** Buckets of one reply by default, as the peer has it. */
export const DEFAULT_MAX_BUCKETS = 65_535;
/** Bytes that the buckets and values of one search may take while it collects. */
const MAX_BYTES = 512 * 1024 * 1024;
/** Documents that one batch may come to on all levels together: tenths of a second of work. */
const MAX_PASSED = 4_000_000;

/** What a search gives to its aggregations. */
export interface AggregationInputs {
  readonly views: readonly IndexView[];
  readonly request: SearchRequest;
  readonly now: number;
  readonly compat: 'opensearch' | 'elasticsearch';
  readonly limits: QueryLimits;
  readonly hits: AggregationHits;
}

/** The context of the aggregators of one search. */
export class AggregationContext {
  readonly views: readonly IndexView[];
  readonly request: SearchRequest;
  readonly now: number;
  readonly compat: 'opensearch' | 'elasticsearch';
  readonly limits: QueryLimits;
  readonly hits: AggregationHits;
  readonly #maxBuckets: number;
  #buckets = 0;
  #bytes = 0;
  #passed = 0;

  constructor({ views, request, now, compat, limits, hits }: AggregationInputs) {
    this.views = views;
    this.request = request;
    this.now = now;
    this.compat = compat;
    this.limits = limits;
    this.hits = hits;
    this.#maxBuckets = request.maxBuckets ?? DEFAULT_MAX_BUCKETS;
  }

  /** Counts buckets of the reply against `search.max_buckets`. */
  countBuckets(n: number): void {
    this.#buckets += n;
    this.checkBuckets(0);
  }

  /** Throws where so many more buckets would be too many. */
  checkBuckets(n: number): void {
    if (this.#buckets + n <= this.#maxBuckets) return;
    throw new EngineError(
      'too_many_buckets_exception',
      `Trying to create too many buckets. Must be less than or equal to: [${this.#maxBuckets}] but was ` +
        `[${this.#maxBuckets + 1}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      { details: { max_buckets: this.#maxBuckets } },
    );
  }

  /** A batch of documents comes to the level at the top. */
  beginBatch(): void {
    this.#passed = 0;
  }

  /**
   * Counts documents that a level passes to the one below it, for each batch. A document with several values is passed several times, so levels
   * multiply: without a bound, 30 levels over two values would take hours.
   */
  countPassed(docs: number): void {
    this.#passed += docs;
    if (this.#passed <= MAX_PASSED) return;
    throw new EngineError(
      'circuit_breaking_exception',
      `[aggregations] Too much work: a batch of documents came to more than [${MAX_PASSED}] documents on all levels. Use fewer ` +
        'levels over fields with several values.',
      { details: { bytes_wanted: this.#passed, bytes_limit: MAX_PASSED, durability: 'PERMANENT' } },
    );
  }

  /** Counts memory of buckets and values against the bound of one search. */
  claimBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= MAX_BYTES) return;
    throw new EngineError(
      'circuit_breaking_exception',
      `[aggregations] Data too large: more than [${MAX_BYTES}] bytes of buckets. Narrow the query, or page the ` +
        'buckets with a [composite] aggregation.',
      { details: { bytes_wanted: this.#bytes, bytes_limit: MAX_BYTES, durability: 'TRANSIENT' } },
    );
  }

  /** Plans a query for each view, without scores. */
  *planAll(query: JsonObject): Steps<Plan[]> {
    const parsed = parseQuery(query, this.limits);
    const { now, limits, compat } = this;
    const plans: Plan[] = [];
    for (const view of this.views)
      plans.push(yield* planInSteps(parsed, view, { now, limits, compat, scores: false }));
    return plans;
  }
}
