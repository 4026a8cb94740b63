// `top_hits`: the best documents of each bucket, as hits.

import type { AggregationResult } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject, jsonToken } from '../../query/parameters.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import type { HitCandidate, HitHighlighter, HitSort } from '../collect/hits.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';

interface TopHitsOptions {
  readonly from: number;
  readonly size: number;
  readonly sort: JsonObject[string] | undefined;
  readonly trackScores: boolean;
  readonly highlight: JsonObject | undefined;
  /** The members that say what hits show. */
  readonly shown: JsonObject;
}

/** The best of one bucket so far: unsorted, at most twice as many as it shows. */
interface Best {
  total: number;
  maxScore: number;
  hits: HitCandidate[];
  worst: HitCandidate | undefined;
}

/** Candidates kept beyond those that are shown before they are sorted. */
const SLACK = 16;
const MAX_WINDOW = 100;

class TopHits implements Aggregator {
  readonly needsScores: boolean;
  readonly #options: TopHitsOptions;
  readonly #place: AggregationPlace;
  readonly #sort: HitSort;
  readonly #showsScores: boolean;
  readonly #highlighter: HitHighlighter | undefined;
  readonly #buckets: (Best | undefined)[] = [];
  #leaf: AggregationLeaf | undefined;

  constructor(options: TopHitsOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    for (const { settings } of place.context.views) {
      const most = Number(settings['index.max_inner_result_window'] ?? MAX_WINDOW);
      if (options.from + options.size <= most) continue;
      throw illegalArgument(
        `Top hits result window is too large, the top hits aggregator [${place.name}]'s from + size must be less than or ` +
          `equal to: [${most}] but was [${options.from + options.size}]. This limit can be set by changing the ` +
          '[index.max_inner_result_window] index level setting.',
      );
    }
    this.#sort = place.context.hits.sort(options.sort);
    this.needsScores = this.#sort.needsScores || options.trackScores;
    this.#showsScores = options.trackScores || isByScore(options.sort);
    this.#highlighter = options.highlight && place.context.hits.highlighter(options.highlight);
  }

  enter(leaf: AggregationLeaf): void {
    this.#leaf = leaf;
  }

  collect({ docs, buckets, count }: AggregationBatch): void {
    const leaf = this.#leaf!;
    const { scores } = leaf;
    const depth = this.#options.from + this.#options.size;
    const compare = (a: HitCandidate, b: HitCandidate): number => this.#sort.compare(a, b);
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i]!;
      const best = (this.#buckets[bucket] ??= {
        total: 0,
        maxScore: Number.NaN,
        hits: [],
        worst: undefined,
      });
      best.total++;
      const doc = docs[i]!;
      const score = scores === undefined ? Number.NaN : Math.fround(scores[doc & 0xffff]!);
      if (!(score <= best.maxScore)) best.maxScore = score;
      const hit = { leaf, doc, score };
      if (best.worst !== undefined && compare(hit, best.worst) > 0) continue;
      best.hits.push(hit);
      if (best.hits.length < 2 * depth + SLACK) continue;
      best.hits = best.hits.sort(compare).slice(0, depth);
      best.worst = best.hits.at(-1);
    }
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { from, size, shown } = this.#options;
    const { context, meta } = this.#place;
    const best = this.#buckets[bucket];
    const sorted = best?.hits.sort((a, b) => this.#sort.compare(a, b)).slice(from, from + size) ?? [];
    const maxScore = best !== undefined && this.#showsScores ? best.maxScore : undefined;
    const details =
      this.#highlighter && (yield* this.#highlighter(sorted)).map((highlights) => ({ highlights }));
    return {
      shape: 'hits',
      typeName: 'top_hits',
      meta,
      result: {
        total: { value: best?.total ?? 0, relation: 'eq' },
        maxScore: maxScore === undefined || Number.isNaN(maxScore) ? undefined : maxScore,
        hits: yield* context.hits.show(sorted, this.#sort, this.#showsScores, details),
      },
      request: shown,
    };
  }
}

/** True for the order by score. With other fields beside it, the peer sorts by scores without showing them. */
function isByScore(sort: JsonValue | undefined): boolean {
  const [first, ...others] = Array.isArray(sort) ? (sort as readonly JsonValue[]) : [sort];
  if (first === undefined || (isObject(first) && Object.keys(first).length === 0)) return true;
  if (others.length > 0) return false;
  if (!isObject(first)) return first === '_score';
  const order = first['_score'];
  return order === 'desc' || (isObject(order) && (order['order'] ?? 'desc') === 'desc');
}

/** Members of a search that hits inside buckets have too. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['_source', 'docvalue_fields', 'fields', 'stored_fields', 'version', 'seq_no_primary_term', 'explain'],
]);

export const TOP_HITS: AggregationKind<TopHitsOptions> = {
  role: 'metric',
  name: 'top_hits',
  readsTexts: ({ highlight }) => highlight !== undefined,
  parse: (body, own) => {
    const shown: JsonObject = {};
    const numbers: Record<string, number> = { from: 0, size: 3 };
    let sort: JsonObject[string] | undefined;
    let trackScores = false;
    let highlight: JsonObject | undefined;
    for (const [name, value] of Object.entries(body)) {
      if (name === 'from' || name === 'size') numbers[name] = countOf(name, value, own);
      else if (name === 'sort') shown['sort'] = sort = value;
      else if (name === 'track_scores') trackScores = value === true || value === 'true';
      else if (SHOWN.has(name)) shown[name] = value;
      else if (name === 'highlight' && isObject(value)) highlight = value;
      else if (name === 'script_fields') throw illegalArgument(`[${name}] is not supported in [top_hits]`);
      else throw new EngineError('parsing_exception', `Unknown key for a ${jsonToken(value)} in [${name}].`);
    }
    return { from: numbers['from']!, size: numbers['size']!, sort, trackScores, highlight, shown };
  },
  create: (options, place) => new TopHits(options, place),
};

function countOf(name: string, value: JsonObject[string], own: string): number {
  const count = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  if (!Number.isInteger(count))
    throw new EngineError('parsing_exception', `Unknown value for [${name}]: it must be a number`);
  if (count < 0)
    throw illegalArgument(`[${name}] must be greater than or equal to 0. Found [${count}] in [${own}]`);
  return count;
}
