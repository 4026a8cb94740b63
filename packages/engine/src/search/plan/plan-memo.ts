// The memo of plans: the same query over the same leaves gives the same plan.
//
// - Key: the leaves of one view (with mapping, settings and statistics), and the query, by a hash of its JSON
//   and a comparison.
// - Value: the plan, and the leaves to search, which depend on nothing else.
// - Bound: MAX_PLANS per view, the oldest go. Queries longer than MAX_LENGTH are planned each time. Plans die
//   with the leaves.
// - Invalidation: other leaves, mapping, settings or statistics. Plans that use the time or the names of
//   indices are not kept, nor plans that hold state while they run.
// - Benefit: without it a repeated text costs 2.4 (phrase) to 6.6 times (rare term) in process, 1.4 times over HTTP.

import type { SearchRequest } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { QueryLimits } from '../../query/limits.ts';
import type { Plan } from '../../query/matcher.ts';
import { NONE } from '../../query/node/clauses/match-all-node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { InnerHitsPlan, NamedPlan } from '../../query/plan/planner.ts';
import { VolatileInputs } from '../../query/plan/volatile-inputs.ts';
import { planInSteps } from '../../query/plan-query.ts';
import type { Query } from '../../query/query.ts';
import { isStateless } from '../../query/steps.ts';
import type { LeafView } from '../../segment/leaf.ts';
import { type Deadline, type SearchSteps, untilLate } from '../deadline.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { SearchServices } from '../services.ts';
import { indexQuery } from './query-text.ts';

/** Plans kept for one set of leaves. */
const MAX_PLANS = 500;
/**
 * Characters and values of a query. Longer queries cost more to compare than planning them again, and would
 * fill the memory.
 */
const MAX_LENGTH = 1_000;

/** What decides a plan beside query and leaves. */
interface PlanOptions {
  readonly scores: boolean;
  readonly compat: SearchServices['compat'];
  readonly limits: QueryLimits;
}

/** A plan in the memo, with what searches have derived from it. */
interface MemoizedPlan {
  readonly json: JsonObject;
  readonly options: PlanOptions;
  readonly plan: Plan;
  /** The leaves of the view that the plan searches. */
  tasks?: readonly LeafTask[];
}

/** Plans over the leaves of one view. They die with the leaves. */
interface Plans {
  readonly mapping: unknown;
  readonly settings: unknown;
  readonly statistics: unknown;
  /** One plan per hash of a query. */
  readonly byHash: Map<number, MemoizedPlan>;
}

const memo = new WeakMap<readonly LeafView[], Plans>();

/** What remains of MAX_LENGTH while a query is hashed. */
let left = 0;
let hash = 0;

/** A number that equal queries share; -1 for one that is too long. O(MAX_LENGTH). */
export function queryHash(query: JsonObject): number {
  left = MAX_LENGTH;
  hash = 0x811c9dc5 | 0;
  mix(query);
  return left < 0 ? -1 : hash >>> 0;
}

/** FNV-1a over values, the characters of texts among them, and the ends of keys. */
function mix(value: JsonValue | undefined): void {
  if (--left < 0) return;
  if (typeof value === 'string') mixText(value);
  else if (typeof value === 'number') hash = Math.imul(hash ^ (value * 16), 16777619);
  else if (typeof value !== 'object' || value === null) hash = Math.imul(hash ^ (value ? 7 : 11), 16777619);
  else if (Array.isArray(value)) {
    hash = Math.imul(hash ^ 0x5b5d, 16777619);
    for (let i = 0; i < value.length && left >= 0; i++) mix(value[i]!);
  } else {
    hash = Math.imul(hash ^ 0x7b7d, 16777619);
    for (const key in value) {
      mixKey(key);
      mix(value[key]);
      if (left < 0) return;
    }
  }
}

/** Keys are few, so that their length and ends tell them apart; equal hashes are compared in full. */
function mixKey(key: string): void {
  const { length } = key;
  left -= length;
  if (length === 0) return;
  const ends = (key.charCodeAt(0) << 16) ^ key.charCodeAt(length - 1);
  hash = Math.imul(hash ^ length ^ ends, 16777619);
}

function mixText(text: string): void {
  left -= text.length;
  if (left < 0) return;
  let h = hash ^ text.length;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  hash = h;
}

/** Whether two queries are equal. REQUIRES: `queryHash` gives a number for one of them. */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== 'object' || a === null) return Object.is(a, b);
  if (typeof b !== 'object' || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    const other = b as readonly JsonValue[];
    if (a.length !== other.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSameJson(a[i], other[i])) return false;
    return true;
  }
  const one = a as JsonObject;
  const other = b as JsonObject;
  let keys = 0;
  for (const key in one) {
    // A missing key gives undefined or a function, which equals no value; __proto__ gives an object.
    if (key === '__proto__' && !Object.hasOwn(other, key)) return false;
    if (!isSameJson(one[key], other[key])) return false;
    keys++;
  }
  for (const _ in other) keys--;
  return keys === 0;
}

/** The memoized plan of a query over a view; `queryHash` gives `at`. */
function findPlan(
  view: IndexView,
  query: JsonObject,
  at: number,
  given: PlanOptions,
): MemoizedPlan | undefined {
  const plans = at < 0 ? undefined : memo.get(view.leaves);
  if (plans === undefined || !fits(plans, view)) return undefined;
  const found = plans.byHash.get(at);
  if (found === undefined || !isSameJson(query, found.json)) return undefined;
  const { scores, compat, limits } = found.options;
  return scores === given.scores && compat === given.compat && limits === given.limits ? found : undefined;
}

/** The plans of one search. */
export interface PlannedQuery {
  readonly plans: Plan[];
  /** The named queries within them, by the place of their view. */
  readonly named: Map<number, NamedPlan[]>;
  /** The objects to show inside hits, by the place of their view. */
  readonly inner: Map<number, InnerHitsPlan[]>;
  /** The volatile inputs that any of them uses. */
  readonly inputs: VolatileInputs;
  /** The plan in the memo, where the search is of one view and its plan is memoized. */
  readonly memoized: MemoizedPlan | undefined;
}

/** Plans a request for each view. A view that cannot be planned in time matches nothing. */
export function* planAll(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  scores: boolean,
  deadline: Deadline,
): SearchSteps<PlannedQuery> {
  const options = { scores, compat: services.compat, limits: services.limits.query };
  const now = request.now ?? services.now();
  const inputs = new VolatileInputs();
  const named = new Map<number, NamedPlan[]>();
  const inner = new Map<number, InnerHitsPlan[]>();
  const plans: Plan[] = [];
  let parsed: Query | undefined;
  let memoized: MemoizedPlan | undefined;
  for (let i = 0; i < views.length; i++) {
    const view = views[i]!;
    const json = indexQuery(request, view.name) ?? { match_all: {} };
    const at = request.slice === undefined ? queryHash(json) : -1;
    const known = findPlan(view, json, at, options);
    if (known !== undefined) {
      plans.push(known.plan);
      memoized = known;
      continue;
    }
    let query = json === request.query ? parsed : undefined;
    query ??= parseQuery(json, options.limits);
    if (json === request.query) parsed = query;
    // Parsing a long query takes a slice, and planning it another.
    if (at < 0) yield;
    const ownNamed: NamedPlan[] = [];
    const own = new VolatileInputs();
    named.set(i, ownNamed);
    const ownInner: InnerHitsPlan[] = [];
    inner.set(i, ownInner);
    const steps = planInSteps(query, view, {
      now,
      ...options,
      named: ownNamed,
      inner: ownInner,
      inputs: own,
      ...(request.namedScores === true ? { namedScores: true } : {}),
      ...(request.slice === undefined ? {} : { slice: request.slice }),
    });
    const plan = yield* untilLate(steps, deadline);
    if (at < 0) yield;
    inputs.add(own);
    if (plan !== undefined && ownNamed.length === 0 && ownInner.length === 0) {
      const entry: MemoizedPlan = { json, options, plan };
      if (keepPlan(view, at, entry, own)) memoized = entry;
    }
    plans.push(plan ?? NONE);
  }
  return { plans, named, inner, inputs, memoized: views.length === 1 ? memoized : undefined };
}

/** Keeps a stateless plan without volatile inputs. Returns whether it did. */
function keepPlan(
  view: IndexView,
  at: number,
  entry: MemoizedPlan,
  { asksNow, asksNames }: VolatileInputs,
): boolean {
  if (at < 0 || asksNow || asksNames || !isStateless(entry.plan)) return false;
  let plans = memo.get(view.leaves);
  if (plans === undefined || !fits(plans, view)) {
    const { mapping, settings, statistics } = view;
    plans = { mapping, settings, statistics, byHash: new Map() };
    memo.set(view.leaves, plans);
  }
  plans.byHash.set(at, entry);
  if (plans.byHash.size > MAX_PLANS) {
    for (const oldest of plans.byHash.keys()) {
      plans.byHash.delete(oldest);
      break;
    }
  }
  return true;
}

function fits({ mapping, settings, statistics }: Plans, view: IndexView): boolean {
  return mapping === view.mapping && settings === view.settings && statistics === view.statistics;
}
