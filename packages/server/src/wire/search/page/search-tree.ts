// Makes the reply to a search as a tree: totals, scores and hits in the shape and order of the peer. Sources
// are the stored bytes.

import {
  answerTooLarge,
  type Hit,
  type HitsResult,
  type IndexInfo,
  isObject,
  isolatedObject,
  type JsonObject,
  type JsonValue,
  type NestedIdentity,
  runToEnd,
  type SearchResult,
  type SortValue,
} from '@octavo/engine';
import { double, float } from '../../../json/number-text.ts';
import { RawJson, type ReplyObject, type ReplyValue } from '../../../json/reply-value.ts';
import type { Target } from '../../resolve/target.ts';
import type { Services } from '../../router/route.ts';
import { NO_SOURCE, type SourceFilter, visibleSource, WHOLE_SOURCE } from '../../source/source-filter.ts';
import { readSearchBody } from '../body/search-body.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { explanationTree } from './explanation-tree.ts';
import { fieldType, hitFields, isRealType } from './hit-fields.ts';

/** The reply to a search, without the id of a scroll or a point in time. `shards`: its `_shards`. */
export function searchTree(
  shards: ReplyObject,
  result: SearchResult,
  started: number,
  hits: ReplyObject,
): ReplyObject {
  return {
    took: Math.round(performance.now() - started),
    timed_out: result.timedOut,
    terminated_early: result.terminatedEarly,
    _shards: shards,
    hits,
  };
}

/** The `hits` member of a search or of inner hits. `inner` has the inner hits of each hit. Yields after each hit. */
export function* hitsTree(
  services: Services,
  target: Target,
  spec: SearchSpec,
  result: SearchResult,
  inner?: readonly ReplyObject[],
): Generator<void, ReplyObject, undefined> {
  const shown = new HitPrinter(services, target, spec);
  const bare = target.infos.length === 0;
  const hits: ReplyObject[] = [];
  for (const [i, hit] of result.hits.entries()) {
    const printed = yield* shown.print(hit);
    if (inner !== undefined) printed['inner_hits'] = inner[i];
    hits.push(printed);
    yield;
  }
  return {
    total: formatTotal(spec, result),
    max_score: bare ? float(0) : scoreOf(result.maxScore ?? Number.NaN),
    hits,
  };
}

/** Prints single documents as hits of a search. */
export function hitPrinter(services: Services, target: Target, spec: SearchSpec): (hit: Hit) => ReplyObject {
  const printer = new HitPrinter(services, target, spec);
  return (hit) => runToEnd(printer.print(hit));
}

/** `hits.total`: an object, or a number for `rest_total_hits_as_int`; undefined leaves it out. */
export function formatTotal(
  spec: SearchSpec,
  result: Pick<SearchResult, 'total'>,
): number | { value: number; relation: 'eq' | 'gte' } | undefined {
  if (result.total === undefined) return spec.totalAsInt ? -1 : undefined;
  return spec.totalAsInt
    ? result.total.value
    : { value: result.total.value, relation: result.total.relation };
}

function scoreOf(score: number): ReplyValue {
  return Number.isNaN(score) ? null : float(score);
}

/** The `hits` member of a bucket or of inner hits, by the members of their request that are those of a search. */
export function bucketHits(
  services: Services,
  target: Target,
  outer: SearchSpec,
  result: HitsResult['result'],
  request: JsonObject,
): Generator<void, ReplyObject, undefined> {
  const spec = { ...readSearchBody(request), totalAsInt: outer.totalAsInt };
  const found = { ...result, timedOut: false, terminatedEarly: undefined };
  return hitsTree(services, target, spec, { ...found, more: false, moreBefore: false, snapshot: 0 });
}

const NO_MEMBERS = new TextEncoder().encode('{}');

/** Prints the hits of one search. */
class HitPrinter {
  readonly #services: Services;
  readonly #target: Target;
  readonly #infos: ReadonlyMap<string, IndexInfo>;
  readonly #spec: SearchSpec;
  readonly #source: SourceFilter;
  readonly #bare: boolean;
  readonly #reals: readonly boolean[];
  readonly #hasFields: boolean;
  readonly #nodeId: string;
  readonly #most: number;
  #bytes = 0;

  constructor(services: Services, target: Target, spec: SearchSpec) {
    this.#services = services;
    this.#target = target;
    this.#infos = new Map(target.infos.map((info) => [info.name, info]));
    this.#spec = spec;
    this.#nodeId = services.nodeId;
    this.#most = services.limits.answerBytes;
    this.#bare = spec.storedFields?.includes('_none_') ?? false;
    const fallback =
      spec.storedFields?.includes('_source') === true ||
      (spec.storedFields === undefined && spec.scriptFields.length === 0)
        ? WHOLE_SOURCE
        : NO_SOURCE;
    this.#source = spec.source ?? fallback;
    this.#reals = realSortEntries(spec.sort, target);
    this.#hasFields =
      spec.docvalueFields.length > 0 ||
      spec.fields.length > 0 ||
      spec.scriptFields.length > 0 ||
      spec.collapse !== undefined ||
      (spec.storedFields !== undefined && !this.#bare);
  }

  /** Throws before the sources that are shown take more memory than an answer may. */
  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#most) throw answerTooLarge(this.#bytes, this.#most);
  }

  *print(hit: Hit): Generator<void, ReplyObject, undefined> {
    const spec = this.#spec;
    const out: ReplyObject = {};
    if (spec.explain) {
      out['_shard'] = `[${hit.index}][0]`;
      out['_node'] = this.#nodeId;
    }
    out['_index'] = hit.index;
    if (hit.type !== '_doc') out['_type'] = hit.type;
    if (!this.#bare || hit.nested !== undefined) out['_id'] = hit.id;
    if (hit.nested !== undefined) out['_nested'] = identityTree(hit.nested);
    if (spec.version) out['_version'] = hit.version;
    if (spec.seqNoPrimaryTerm) {
      out['_seq_no'] = hit.seqNo;
      out['_primary_term'] = 1;
    }
    out['_score'] = scoreOf(hit.score);
    if (hit.routing !== undefined && !this.#bare) out['_routing'] = hit.routing;
    // What is not shown is not read.
    const source =
      this.#bare || !this.#source.enabled
        ? undefined
        : yield* visibleSource(this.#infos.get(hit.index)?.mappings, hit.source, this.#source);
    if (source !== undefined) this.#count(source.bytes.length);
    if (hit.ignored !== undefined && !this.#bare) out['_ignored'] = [...hit.ignored];
    if (source !== undefined)
      out['_source'] = hit.nested === undefined ? source : objectWithin(source, hit.nested);
    if (this.#hasFields) out['fields'] = hitFields(hit, this.#infos.get(hit.index), spec);
    if (hit.highlights !== undefined && hit.highlights.size > 0)
      out['highlight'] = highlightTree(hit.highlights);
    if (hit.sort !== undefined) out['sort'] = hit.sort.map((value, i) => this.#sortValue(value, i));
    if (hit.matchedQueries !== undefined && hit.matchedQueries.length > 0) {
      out['matched_queries'] = namedQueries(
        hit.matchedQueries,
        spec.namedScores ? hit.matchedScores : undefined,
      );
    }
    if (spec.explain) {
      out['_explanation'] =
        hit.explanation === undefined
          ? { value: scoreOf(hit.score), description: 'the score of the query', details: [] }
          : explanationTree(hit.explanation);
    }
    if (hit.innerHits !== undefined && hit.innerHits.size > 0)
      out['inner_hits'] = this.#innerHits(hit.innerHits);
    return out;
  }

  #innerHits(inner: NonNullable<Hit['innerHits']>): ReplyObject {
    const out = Object.create(null) as ReplyObject;
    for (const [name, { result, request }] of inner)
      out[name] = { hits: runToEnd(bucketHits(this.#services, this.#target, this.#spec, result, request)) };
    return out;
  }

  #sortValue(value: SortValue, entry: number): ReplyValue {
    return typeof value === 'number' && this.#reals[entry] === true ? double(value) : value;
  }
}

/** Field names come from mappings, so none of them may be taken for a member of every object. */
function highlightTree(highlights: NonNullable<Hit['highlights']>): ReplyObject {
  const out = Object.create(null) as ReplyObject;
  for (const [field, fragments] of highlights) out[field] = [...fragments];
  return out;
}

/** `matched_queries`: names, or names with their scores. */
function namedQueries(names: readonly string[], scores: readonly number[] | undefined): ReplyValue {
  if (scores === undefined) return [...names];
  const out = Object.create(null) as ReplyObject;
  for (let i = 0; i < names.length; i++) out[names[i]!] = scoreOf(scores[i]!);
  return out;
}

/** For each entry of a sort, true if its values are printed with a point. */
export function realSortEntries(sort: JsonValue | undefined, target: Target): boolean[] {
  return sortEntries(sort).map(([field, options]) => {
    const type = isObject(options) ? options['numeric_type'] : undefined;
    return type === undefined ? isRealSort(field, target) : type === 'double';
  });
}

/** The field and the options of each sort entry. */
function sortEntries(sort: JsonValue | undefined): [field: string, options: JsonValue | undefined][] {
  if (sort === undefined) return [];
  const entries = Array.isArray(sort) ? sort : [sort];
  return entries.flatMap((entry): [string, JsonValue | undefined][] => {
    if (typeof entry === 'string') return [[entry, undefined]];
    return isObject(entry) ? Object.entries(entry) : [['', undefined]];
  });
}

function isRealSort(field: string, target: Target): boolean {
  if (field === '_score') return true;
  for (const info of target.infos) {
    const type = fieldType(info.mappings, field);
    if (type !== undefined) return isRealType(type);
  }
  return false;
}

/** What a source shows of the object of a hit. */
function objectWithin({ bytes }: RawJson, nested: NestedIdentity): RawJson {
  const steps: NestedIdentity[] = [];
  for (let at: NestedIdentity | undefined = nested; at !== undefined; at = at.nested) steps.push(at);
  return new RawJson(isolatedObject(bytes, steps) ?? NO_MEMBERS);
}

/** `_nested`: the field and number of an object, and of the objects within it on the way to the hit. */
function identityTree({ field, offset, nested }: NestedIdentity): ReplyObject {
  return { field, offset, _nested: nested && identityTree(nested) };
}
