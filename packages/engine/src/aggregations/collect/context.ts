// What all aggregators of one search share: the views, the moment, the bounds of buckets and memory, and the
// plans of queries inside aggregations.

import type { SearchRequest } from '../../api.ts';
import { EngineError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { NestedView } from '../../nested/view-objects.ts';
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
  /** Hits of other documents: nested objects. */
  hitsOf(views: readonly IndexView[]): AggregationHits;
}

/** The nested objects of a level. */
interface EnteredObjects {
  readonly path: string;
  /** By index; undefined where the path is not nested. */
  readonly objects: readonly (NestedView | undefined)[];
  /** The documents, or the objects around these. */
  readonly outer: AggregationContext;
}

/** What one search has used of its bounds. */
class Usage {
  buckets = 0;
  bytes = 0;
  passed = 0;
}

/** The context of the aggregators of one search. */
export class AggregationContext {
  readonly views: readonly IndexView[];
  readonly request: SearchRequest;
  readonly now: number;
  readonly compat: 'opensearch' | 'elasticsearch';
  readonly limits: QueryLimits;
  readonly hits: AggregationHits;
  /** Undefined for documents. */
  readonly entered: EnteredObjects | undefined;
  readonly #inputs: AggregationInputs;
  readonly #maxBuckets: number;
  readonly #usage: Usage;

  constructor(inputs: AggregationInputs, entered?: EnteredObjects, usage?: Usage) {
    const { views, request, now, compat, limits, hits } = inputs;
    this.#inputs = inputs;
    this.entered = entered;
    this.#usage = usage ?? (entered === undefined ? new Usage() : entered.outer.#usage);
    this.views = views;
    this.request = request;
    this.now = now;
    this.compat = compat;
    this.limits = limits;
    this.hits = hits;
    this.#maxBuckets = request.maxBuckets ?? DEFAULT_MAX_BUCKETS;
  }

  /** The context of the objects at a nested path. */
  *enter(path: string): Steps<AggregationContext> {
    const objects: (NestedView | undefined)[] = [];
    for (const { mapping, nested } of this.views) {
      const isWithin = nested !== undefined && (nested.path === '' || path.startsWith(`${nested.path}.`));
      objects.push(isWithin && mapping.isNested(path) ? yield* nested.enter(path) : undefined);
    }
    const views = this.views.map((view, i) => ({
      ...view,
      leaves: objects[i]?.leaves ?? [],
      nested: objects[i]?.inner,
      statistics: undefined,
    }));
    const inputs = { ...this.#inputs, views, hits: this.#inputs.hitsOf(views) };
    return new AggregationContext(inputs, { path, objects, outer: this });
  }

  /** The context of the same documents with other fields. */
  over(views: readonly IndexView[]): AggregationContext {
    return new AggregationContext({ ...this.#inputs, views }, this.entered, this.#usage);
  }

  /** The context of the objects of an enclosing path, or of the documents for an empty one. Without objects for other paths. */
  *leave(path: string): Steps<AggregationContext> {
    const { documents } = this;
    if (path === '') return documents;
    const isEnclosing = this.entered?.path.startsWith(`${path}.`) === true;
    return yield* isEnclosing ? documents.enter(path) : this.enter(path);
  }

  /** The context of the documents that everything is part of. */
  get documents(): AggregationContext {
    return this.entered === undefined ? this : this.entered.outer.documents;
  }

  /** Whether some index has the objects that this is about. */
  get hasObjects(): boolean {
    return this.entered === undefined || this.entered.objects.some((objects) => objects !== undefined);
  }

  /** What significant terms are compared with: documents where no index has the objects that the terms are of. */
  get background(): AggregationContext {
    return this.hasObjects ? this : this.documents;
  }

  /** Counts buckets of the reply against `search.max_buckets`. */
  countBuckets(n: number): void {
    this.#usage.buckets += n;
    this.checkBuckets(0);
  }

  /** Throws where so many more buckets would be too many. */
  checkBuckets(n: number): void {
    if (this.#usage.buckets + n <= this.#maxBuckets) return;
    throw new EngineError(
      'too_many_buckets_exception',
      `Trying to create too many buckets. Must be less than or equal to: [${this.#maxBuckets}] but was ` +
        `[${this.#maxBuckets + 1}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      { details: { max_buckets: this.#maxBuckets } },
    );
  }

  /** A batch of documents comes to the level at the top. */
  beginBatch(): void {
    this.#usage.passed = 0;
  }

  /**
   * Counts documents that a level passes to the one below it, for each batch. A document with several values is passed several times, so levels
   * multiply: without a bound, 30 levels over two values would take hours.
   */
  countPassed(docs: number): void {
    this.#usage.passed += docs;
    if (this.#usage.passed <= MAX_PASSED) return;
    throw new EngineError(
      'circuit_breaking_exception',
      `[aggregations] Too much work: a batch of documents came to more than [${MAX_PASSED}] documents on all levels. Use fewer ` +
        'levels over fields with several values.',
      { details: { bytes_wanted: this.#usage.passed, bytes_limit: MAX_PASSED, durability: 'PERMANENT' } },
    );
  }

  /** Counts memory of buckets and values against the bound of one search. */
  claimBytes(bytes: number): void {
    this.#usage.bytes += bytes;
    if (this.#usage.bytes <= MAX_BYTES) return;
    throw new EngineError(
      'circuit_breaking_exception',
      `[aggregations] Data too large: more than [${MAX_BYTES}] bytes of buckets. Narrow the query, or page the ` +
        'buckets with a [composite] aggregation.',
      { details: { bytes_wanted: this.#usage.bytes, bytes_limit: MAX_BYTES, durability: 'TRANSIENT' } },
    );
  }

  /** Plans a query for each view, without scores. */
  *planAll(query: JsonObject): Steps<Plan[]> {
    const parsed = parseQuery(query, this.limits);
    const { now, limits, compat } = this;
    const plans: Plan[] = [];
    for (const view of this.views)
      plans.push(yield* planInSteps(parsed, view, { now, limits, compat, scores: false, isPlain: true }));
    return plans;
  }
}
