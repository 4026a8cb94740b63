// The nested objects shown inside the hits of their documents (`inner_hits`): those that match, sorted and cut
// to a page as hits are.

import type { AggregationLeaf } from '../../aggregations/collect/aggregator.ts';
import type { HitCandidate } from '../../aggregations/collect/hits.ts';
import type { HighlightField, Hit, SearchRequest } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import { Highlighter } from '../../highlight/highlighter.ts';
import { readHighlight } from '../../highlight/read-highlight.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { andInto, hasBit, setBit } from '../../kernels/bits.ts';
import { lowerBound } from '../../kernels/sorted-search.ts';
import { shortestFloat } from '../../mapping/types/shortest-float.ts';
import { isolateObject } from '../../nested/object-source.ts';
import { type Matcher, testsDocuments } from '../../query/matcher.ts';
import { flagMember, integerMember, unknownField, unknownKey } from '../../query/members.ts';
import { borrowScores, newBits, returnScores } from '../../query/node/node.ts';
import { isObject } from '../../query/parameters.ts';
import type { InnerHitsPlan } from '../../query/plan/planner.ts';
import { compileInSteps, prepareInSteps, type Steps } from '../../query/steps.ts';
import type { Leaf, LeafView } from '../../segment/leaf.ts';
import type { SearchServices } from '../services.ts';
import type { HitPlace } from './document-page.ts';
import { HitCollection, type HitDetails } from './hit-collection.ts';
import { NamedMatches } from './matched-queries.ts';

const DEFAULT_SIZE = 3;
const DEFAULT_WINDOW = 100;

/** Members of a search that say what the hits show. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['_source', 'docvalue_fields', 'fields', 'stored_fields', 'version', 'seq_no_primary_term', 'explain'],
]);

type InnerHits = NonNullable<Hit['innerHits']>;

/** For each document its inner hits; undefined where the search asks for none. */
export function* innerHits(
  docs: readonly HitPlace[],
  plans: ReadonlyMap<number, readonly InnerHitsPlan[]>,
  request: SearchRequest,
  services: SearchServices,
): Steps<InnerHits[] | undefined> {
  if ([...plans.values()].every(({ length }) => length === 0)) return undefined;
  const finders = new Map<number, InnerHitsFinder[]>();
  for (const [place, own] of plans) finders.set(place, findersOf(own, request, services));
  const found: InnerHits[] = [];
  for (const { leaf, indexPlace, doc } of docs)
    found.push(yield* findAll(finders.get(indexPlace) ?? [], leaf, doc));
  return found;
}

function findersOf(
  plans: readonly InnerHitsPlan[],
  request: SearchRequest,
  services: SearchServices,
): InnerHitsFinder[] {
  const finders = plans.map((plan) => new InnerHitsFinder(plan, request, services));
  const names = new Set<string>();
  for (const { name } of finders) {
    if (names.has(name)) throw illegalArgument(`[inner_hits] already contains an entry for key [${name}]`);
    names.add(name);
  }
  return finders;
}

function* findAll(finders: readonly InnerHitsFinder[], leaf: Leaf, doc: number): Steps<InnerHits> {
  const found = new Map<string, { result: Parts; request: JsonObject }>();
  for (const finder of finders) found.set(finder.name, yield* finder.find(leaf, doc));
  return found;
}

type Parts = InnerHits extends ReadonlyMap<string, { readonly result: infer R }> ? R : never;

/** What `inner_hits` asks for. */
interface InnerHitsSpec {
  name: string;
  from: number;
  size: number;
  sort: JsonValue | undefined;
  trackScores: boolean;
  highlight: readonly HighlightField[];
  readonly shown: JsonObject;
}

function readSpec({ json, path, view }: InnerHitsPlan): InnerHitsSpec {
  const shown: JsonObject = {};
  const spec: InnerHitsSpec = {
    ...{ name: path, from: 0, size: DEFAULT_SIZE, sort: undefined, trackScores: false },
    ...{ highlight: [], shown },
  };
  for (const [name, value] of Object.entries(json)) {
    if (SHOWN.has(name)) shown[name] = value;
    else if (name === 'name' && typeof value === 'string') spec.name = value;
    else if (name === 'from' || name === 'size') spec[name] = integerMember(name, value);
    else if (name === 'sort') shown['sort'] = spec.sort = value;
    else if (name === 'track_scores') spec.trackScores = flagMember(name, value);
    else if (name === 'ignore_unmapped') flagMember(name, value);
    else if (name === 'highlight' && isObject(value)) spec.highlight = readHighlight(value);
    else if (name === 'script_fields' || name === 'collapse')
      throw illegalArgument(`[${name}] is not supported in [inner_hits]`);
    else if (name === 'name' || name === 'highlight') throw unknownKey(name, value);
    else throw unknownField('inner_hits', json, name);
  }
  if (spec.from < 0 || spec.size < 0)
    throw new EngineError(
      'illegal_argument_exception',
      '[from] and [size] of [inner_hits] must be at least 0',
    );
  const most = Number(view.settings['index.max_inner_result_window'] ?? DEFAULT_WINDOW);
  if (spec.from + spec.size > most) {
    throw illegalArgument(
      `Inner result window is too large, the inner hit definition's [${json['name'] === undefined ? null : spec.name}]'s from + size must be less than or ` +
        `equal to: [${most}] but was [${spec.from + spec.size}]. This limit can be set by changing the ` +
        '[index.max_inner_result_window] index level setting.',
    );
  }
  return spec;
}

/** A leaf of objects with those that match. */
interface MatchedLeaf {
  readonly own: AggregationLeaf;
  readonly matcher: Matcher;
  /** Its matches; undefined where objects are tested one by one. */
  readonly bits: Uint32Array | undefined;
  readonly named: NamedMatches | undefined;
}

/** Finds one kind of inner hits of the documents of one index. */
class InnerHitsFinder {
  readonly #plan: InnerHitsPlan;
  readonly #spec: InnerHitsSpec;
  readonly #request: SearchRequest;
  readonly #services: SearchServices;
  readonly #collection: HitCollection;
  readonly #views: ReadonlyMap<Leaf, LeafView>;
  readonly #inner: readonly InnerHitsFinder[];
  readonly #leaves = new Map<Leaf, MatchedLeaf>();
  #highlighter: Highlighter | undefined;

  constructor(plan: InnerHitsPlan, request: SearchRequest, services: SearchServices) {
    this.#plan = plan;
    this.#spec = readSpec(plan);
    this.#request = request;
    this.#services = services;
    this.#collection = new HitCollection([plan.view], services);
    this.#views = new Map(plan.view.leaves.map((view) => [view.leaf, view]));
    this.#inner = findersOf(plan.inner, request, services);
  }

  get name(): string {
    return this.#spec.name;
  }

  *find(leaf: Leaf, doc: number): Steps<{ result: Parts; request: JsonObject }> {
    const { from, size, sort: json, trackScores, shown } = this.#spec;
    const candidates = yield* this.#candidates(leaf, doc);
    const sort = this.#collection.sort(json);
    const showScores = json === undefined || trackScores || sort.needsScores;
    const maxScore = candidates.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY);
    const page = candidates.sort((a, b) => sort.compare(a, b)).slice(from, from + size);
    const details: HitDetails[] = [];
    for (const candidate of page) details.push(yield* this.#details(candidate));
    const hits = yield* this.#collection.show(page, sort, showScores, details);
    const result: Parts = {
      total: { value: candidates.length, relation: 'eq' },
      maxScore: showScores && candidates.length > 0 ? shortestFloat(maxScore) : undefined,
      hits,
    };
    return { result, request: shown };
  }

  /** The objects of a document that match. */
  *#candidates(leaf: Leaf, doc: number): Steps<HitCandidate[]> {
    const found: HitCandidate[] = [];
    for (const { leaf: objects, from, to, parents, base } of this.#plan.objects.join(leaf)) {
      const start = lowerBound(parents, from, to, doc + base);
      const end = lowerBound(parents, start, to, doc + base + 1);
      if (start === end) continue;
      const { own, matcher, bits } = yield* this.#matched(objects);
      const chosen = newBits();
      if (bits === undefined) {
        const candidates = newBits();
        for (let object = start; object < end; object++) setBit(candidates, object);
        matcher.match(0, chosen, candidates);
        andInto(chosen, candidates);
      } else {
        for (let object = start; object < end; object++) if (hasBit(bits, object)) setBit(chosen, object);
      }
      const scores = borrowScores();
      matcher.score(0, chosen, scores);
      for (let object = start; object < end; object++) {
        if (!hasBit(chosen, object)) continue;
        found.push({ leaf: own, doc: object, score: Math.fround(scores[object]!) });
        scores[object] = 0;
      }
      returnScores(scores);
      yield;
    }
    return found;
  }

  *#matched(objects: Leaf): Steps<MatchedLeaf> {
    let known = this.#leaves.get(objects);
    if (known !== undefined) return known;
    const { plan, named, view: index } = this.#plan;
    const matcher = yield* compileInSteps(plan, objects);
    const bits = testsDocuments(plan) ? undefined : newBits();
    if (bits !== undefined) matcher.match(0, bits);
    for (const each of named) yield* prepareInSteps(each.plan, objects);
    const view = this.#views.get(objects)!;
    const own = { leaf: objects, view, index, indexPlace: 0, place: this.#leaves.size, scores: undefined };
    known = { own, matcher, bits, named: named.length === 0 ? undefined : new NamedMatches(named, objects) };
    this.#leaves.set(objects, known);
    return known;
  }

  *#details({ leaf: { leaf }, doc }: HitCandidate): Steps<HitDetails> {
    const named = this.#leaves.get(leaf)?.named;
    return {
      matched: named?.of(doc),
      highlights: this.#spec.highlight.length === 0 ? undefined : yield* this.#highlight(leaf, doc),
      ...(this.#inner.length === 0 ? {} : { innerHits: yield* findAll(this.#inner, leaf, doc) }),
    };
  }

  *#highlight(leaf: Leaf, object: number): Steps<HitDetails['highlights']> {
    const { view, query } = this.#plan;
    const { now = this.#services.now() } = this.#request;
    const { compat, limits } = this.#services;
    const context = { now, scores: true, keepsAbsent: true, compat, limits: limits.query };
    this.#highlighter ??= yield* Highlighter.plan(view, this.#spec.highlight, { query }, context);
    const origin = view.nested!.origin(leaf, object);
    const { docs } = origin.view.leaf;
    const { document } = origin;
    const source = this.#services.readSource(
      docs.sourceChunk(document),
      docs.sourceOffset(document),
      docs.sourceLength(document),
    );
    const own = isolateObject(source, origin.steps);
    return own === undefined ? undefined : yield* this.#highlighter.highlight(docs.id(document), own);
  }
}
