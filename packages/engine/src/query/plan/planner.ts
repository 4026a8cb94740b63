// The context in which a query is planned for one view: fields, statistics, limits and the factories of
// common nodes. Kinds and fields plan themselves with it (kinds/, field/). The function that finds the kind
// of a query is passed in (plan-query.ts), so that this file does not know the kinds.

import type { Similarity } from '../../analysis/similarities.ts';
import type { EngineError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { NestedView } from '../../nested/view-objects.ts';
import { idf, legacyFactor } from '../../score/bm25.ts';
import { misfit, tooManyClauses, tooManyLeaves } from '../errors.ts';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../limits.ts';
import type { Plan } from '../matcher.ts';
import { BoolNode } from '../node/clauses/bool-node.ts';
import { type ClauseLists, combineClauses } from '../node/clauses/combine-clauses.ts';
import { disMaxNode } from '../node/clauses/dis-max-node.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { boosted, type PlanNode } from '../node/node.ts';
import { TermNode } from '../node/terms/term-node.ts';
import type { Query } from '../query.ts';
import type { Slice } from './index-slice.ts';
import type { IndexView } from './index-view.ts';
import type { Lookups } from './lookups.ts';
import { Statistics } from './statistics.ts';
import { VolatileInputs } from './volatile-inputs.ts';

/** A query with a name, planned. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan;
  /** Whether the plan gives scores. */
  readonly scored: boolean;
}

/** Objects that a search shows inside the hits of their documents (`inner_hits`). */
export interface InnerHitsPlan {
  readonly path: string;
  /** The body of `inner_hits`. */
  readonly json: JsonObject;
  /** The query that the objects match. */
  readonly query: JsonObject;
  /** The objects by the documents of the hits. */
  readonly objects: NestedView;
  readonly view: IndexView;
  /** Gives scores. */
  readonly plan: Plan;
  readonly named: readonly NamedPlan[];
  /** Those inside the hits of these. */
  readonly inner: readonly InnerHitsPlan[];
}

/** What a search knows besides the query. */
export interface PlanContext {
  /** Milliseconds since 1970: `now` in date maths. */
  readonly now: number;
  readonly limits?: QueryLimits;
  /** Whether scores are needed. */
  readonly scores: boolean;
  /** Whether errors are told as they are: the peer wraps those of a search's own query. @default false */
  readonly isPlain?: boolean;
  /** Keeps terms without documents in the plan, which then says what the query looks for. @default false */
  readonly keepsAbsent?: boolean;
  readonly compat?: 'opensearch' | 'elasticsearch';
  /** Only this part of the documents. */
  readonly slice?: Slice;
  /** Receives the plans of queries with a `_name`. */
  readonly named?: NamedPlan[];
  /** Whether these have to give scores. */
  readonly namedScores?: boolean;
  /** Receives the objects that are shown inside hits. */
  readonly inner?: InnerHitsPlan[];
  /** Receives the volatile inputs that the plan uses. */
  readonly inputs?: VolatileInputs;
}

/** What the kinds do with their queries. */
interface KindsOfQueries {
  /** Plans one query; `boost` includes the query's own. */
  readonly plan: (query: Query, planner: Planner, boost: number) => PlanNode;
  /** True for a query that is replaced by match_none. */
  readonly isNone: (query: Query, planner: Planner) => boolean;
}

/** Plans queries against one view. */
export class Planner {
  readonly view: IndexView;
  readonly limits: QueryLimits;
  readonly compat: 'opensearch' | 'elasticsearch';
  readonly stats: Statistics;
  /** What must be looked up in dictionaries before the plan is complete. */
  readonly lookups: Lookups;
  readonly #named: NamedPlan[] | undefined;
  readonly #inputs: VolatileInputs;
  readonly #context: PlanContext;
  readonly #kinds: KindsOfQueries;
  #scores: boolean;
  #clauses = 0;
  #leaves = 0;

  constructor(view: IndexView, context: PlanContext, kinds: KindsOfQueries, lookups: Lookups) {
    this.#kinds = kinds;
    this.lookups = lookups;
    this.view = view;
    this.limits = context.limits ?? DEFAULT_QUERY_LIMITS;
    this.compat = context.compat ?? 'opensearch';
    this.stats = new Statistics(view.leaves, view.statistics, (path) => this.similarity(path));
    this.#named = context.named;
    this.#inputs = context.inputs ?? new VolatileInputs();
    this.#context = context;
    this.#scores = context.scores;
  }

  /** Whether the node being planned must give scores. */
  get scores(): boolean {
    return this.#scores;
  }

  /** Whether errors are told as they are. */
  get isPlain(): boolean {
    return this.#context.isPlain === true;
  }

  /** Whether terms without documents stay in the plan. */
  get keepsAbsent(): boolean {
    return this.#context.keepsAbsent === true;
  }

  /** Milliseconds since 1970, for date maths. A plan that uses it is good for this moment only. */
  now(): number {
    this.#inputs.asksNow = true;
    return this.#context.now;
  }

  /** All names of the index. A plan that uses them is good for these names only. */
  names(): readonly string[] {
    this.#inputs.asksNames = true;
    const { name, aliases = [] } = this.view;
    return [name, ...aliases];
  }

  /** Plans a query; `boost` is the product of the boosts around it. */
  plan(query: Query, boost: number): PlanNode {
    const node = boosted(this.#kinds.plan(query, this, Math.fround(boost * query.boost)), query.boost);
    if (query.name !== undefined && this.#named !== undefined) this.#named.push(this.#namedPlan(query, node));
    return node;
  }

  /**
   * Plans a query with a name. Its score is its own: boosts around it do not count, nor that it may stand in
   * a filter.
   */
  #namedPlan(query: Query, node: PlanNode): NamedPlan {
    const name = query.name!;
    if (this.#context.namedScores !== true) return { name, plan: node, scored: false };
    const { named: _, namedScores: __, slice: ___, inner: ____, ...context } = this.#context;
    const own = { ...context, scores: true };
    const plan = new Planner(this.view, own, this.#kinds, this.lookups).plan(query, 1);
    return { name, plan, scored: true };
  }

  /** True for a query that the peer replaces by match_none before it plans anything. */
  isNone(query: Query): boolean {
    return this.#kinds.isNone(query, this);
  }

  /** Plans a query without scores. */
  filter(query: Query): PlanNode {
    return this.withoutScores(() => this.plan(query, 1));
  }

  /** Plans with scores off. */
  withoutScores<T>(work: () => T): T {
    return this.#withScores(false, work);
  }

  /** Plans with scores on: also in a filter, where matches depend on scores. */
  withScores<T>(work: () => T): T {
    return this.#withScores(true, work);
  }

  #withScores<T>(scores: boolean, work: () => T): T {
    const before = this.#scores;
    this.#scores = scores;
    try {
      return work();
    } finally {
      this.#scores = before;
    }
  }

  /** Counts clauses against the limit. */
  countClauses(n: number): void {
    this.#clauses += n;
    if (this.#clauses > this.limits.maxClauses) throw tooManyClauses(this.limits.maxClauses);
  }

  /** Counts the words of one text against the limit. */
  countWords(n: number): void {
    if (n > this.limits.maxClauses) throw tooManyClauses(this.limits.maxClauses);
    this.countLeaves(n);
  }

  /** Counts terms that a text or a fuzzy word expanded to, against the same limit. */
  countLeaves(n: number): void {
    this.#leaves += n;
    if (this.#leaves > this.limits.maxClauses) throw tooManyLeaves(this.limits.maxClauses);
  }

  /** True for a path that is neither in the mapping nor a field of every index. */
  isUnmapped(path: string): boolean {
    return !path.startsWith('_') && this.field(path) === undefined;
  }

  /** The field at a path, aliases followed. */
  field(path: string): FieldType | undefined {
    return this.view.mapping.field(path);
  }

  /** The nested path that the query stands in; empty for documents. */
  get nestedPath(): string {
    return this.view.nested?.path ?? '';
  }

  /** The objects of a nested path below that one; undefined while they are made. */
  objects(path: string): NestedView | undefined {
    const { nested } = this.view;
    return nested && this.lookups.ask(`nested ${path}`, () => nested.enter(path));
  }

  /** Plans a query for nested objects. */
  planWithin(objects: NestedView, query: Query, boost: number, scores: boolean): PlanNode {
    return this.#within(objects, { scores }).plan(query, boost);
  }

  /** Notes that the objects which match a query are shown inside hits, where the search shows any. */
  noteInnerHits(objects: NestedView, query: Query, json: Pick<InnerHitsPlan, 'json' | 'query'>): void {
    if (this.#context.inner === undefined) return;
    const named: NamedPlan[] = [];
    const inner: InnerHitsPlan[] = [];
    const within = this.#within(objects, { scores: true, named, inner });
    const plan = within.plan(query, 1);
    const { path } = objects;
    this.#context.inner.push({ path, ...json, objects, view: within.view, plan, named, inner });
  }

  #within(objects: NestedView, own: Pick<PlanContext, 'scores' | 'named' | 'inner'>): Planner {
    const { leaves, inner } = objects;
    const statistics = this.view.statistics?.within(objects.path);
    const view: IndexView = { ...this.view, leaves, nested: inner, statistics };
    const { named: _, inner: __, slice: ___, ...context } = this.#context;
    const lookups = this.lookups.within(objects.path);
    return new Planner(view, { ...context, ...own }, this.#kinds, lookups);
  }

  misfit(reason: string, causedBy?: EngineError): EngineError {
    return misfit(this.view, reason, causedBy);
  }

  combine(lists: ClauseLists): PlanNode {
    if (!this.keepsAbsent) return combineClauses(lists, this.#scores);
    const { must = [], filter = [], should = [], mustNot = [], least = 0 } = lists;
    // Matches nothing (too few optional clauses), but highlights need its terms.
    return should.length < least
      ? new BoolNode({ must, filter, should, mustNot, least }, this.#scores)
      : combineClauses(lists, this.#scores);
  }

  disMax(nodes: readonly PlanNode[], tie: number): PlanNode {
    return disMaxNode(nodes, tie, this.#scores);
  }

  /** How terms at a path score; without a path, terms of no single field. */
  similarity(path?: string): Similarity {
    const { mapping } = this.view;
    return (path === undefined ? undefined : mapping.field(path)?.similarity) ?? mapping.similarity;
  }

  /** Weight of terms with a summed idf. */
  weight(boost: number, idfs: number, similarity: Similarity): number {
    const own = this.#legacy(boost, similarity);
    return similarity.kind === 'boolean' ? own : Math.fround(own * Math.fround(idfs));
  }

  /** The boost with the factor of Elasticsearch's scores, where they are wanted. */
  #legacy(boost: number, similarity: Similarity): number {
    const isLegacy = similarity.isLegacy || this.compat === 'elasticsearch';
    return Math.fround(isLegacy && similarity.kind !== 'boolean' ? boost * legacyFactor(similarity) : boost);
  }

  /** A scored term of an indexed field. `docFreq` replaces the counted one in the idf. */
  term(path: string, bytes: Uint8Array, boost: number, docFreq?: number): PlanNode {
    const found = this.stats.term(path, bytes).docFreq;
    if (found === 0 && !this.keepsAbsent) return NONE;
    const stats = this.stats.field(path);
    const counted = docFreq ?? found;
    const { docCount, inverses, similarity } = stats;
    const weight = this.#scores ? this.weight(boost, idf(counted, docCount), similarity) : 0;
    const own = this.#legacy(boost, similarity);
    return new TermNode(path, bytes, weight, inverses, { boost: own, docFreq: counted, docCount });
  }
}
