// The memo of plans: the same query over the same leaves gives the same plan.
//
// - Key: the leaves of one view (with mapping, settings and statistics), and the query, by a hash of its JSON and a comparison.
// - Value: the plan, and what depends on nothing else: the leaves to search and their sides in score order.
// - Bound: MOST_PLANS a view, the oldest go; queries longer than LONGEST are planned each time. It goes with the leaves.
// - Invalidation: other leaves, mapping, settings, statistics. Plans that ask for the time or for names of indices are not kept, nor
//   those that gather anything while they run.

import type { SearchRequest } from '../../api.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Side } from '../../order/compare.ts';
import type { QueryLimits } from '../../query/limits.ts';
import type { Plan } from '../../query/matcher.ts';
import { NONE } from '../../query/node/clauses/match-all-node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { NamedPlan } from '../../query/plan/planner.ts';
import { Passing } from '../../query/plan/volatile-inputs.ts';
import { planning } from '../../query/plan-query.ts';
import type { Query } from '../../query/query.ts';
import type { LeafView } from '../../segment/leaf.ts';
import { type Deadline, inTime, type SearchSteps } from '../deadline.ts';
import { type LeafTask, queryOf } from '../leaf-task.ts';
import type { SearchServices } from '../services.ts';

/** Plans of one set of leaves; the oldest go. */
const MOST_PLANS = 500;
/** Longer queries cost more to compare than they save, and would fill the memory: characters and values. */
const LONGEST = 1_000;

/** What decides a plan beside query and leaves. */
export interface Circumstances {
  readonly scores: boolean;
  readonly compat: SearchServices['compat'];
  readonly limits: QueryLimits;
}

/** A plan that is found again by its query, and what is known of it. */
export interface KeptPlan {
  readonly json: JsonObject;
  readonly circumstances: Circumstances;
  readonly plan: Plan;
  /** The leaves of the view, to be searched by the plan. */
  tasks?: readonly LeafTask[];
  /** The sides of `tasks` in score order. */
  sides?: readonly Side[];
}

/** Plans over the leaves of one view. They go with the leaves. */
interface Plans {
  readonly mapping: unknown;
  readonly settings: unknown;
  readonly statistics: unknown;
  /** By the hash of the query: one of each. */
  readonly byHash: Map<number, KeptPlan>;
}

const memo = new WeakMap<readonly LeafView[], Plans>();

/** What is left of LONGEST. */
let left = 0;
let hash = 0;

/** A number that equal queries share; -1 for one that is too long. O(LONGEST). */
export function planHash(query: JsonObject): number {
  left = LONGEST;
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

/** Keys are few: their ends tell them apart, and what says the same is asked anyway. */
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

/** Whether two queries say the same. REQUIRES: `planHash` gives a number for one of them. */
export function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (typeof a !== 'object' || a === null) return Object.is(a, b);
  if (typeof b !== 'object' || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    const other = b as readonly JsonValue[];
    if (a.length !== other.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], other[i])) return false;
    return true;
  }
  const one = a as JsonObject;
  const other = b as JsonObject;
  let keys = 0;
  for (const key in one) {
    // What is not there is undefined or a function, which no value is the same as; but for this one.
    if (key === '__proto__' && !Object.hasOwn(other, key)) return false;
    if (!isSame(one[key], other[key])) return false;
    keys++;
  }
  for (const _ in other) keys--;
  return keys === 0;
}

/** The plan that was kept for a query over a view; `planHash` gives `at`. */
export function knownPlan(
  view: IndexView,
  query: JsonObject,
  at: number,
  own: Circumstances,
): KeptPlan | undefined {
  const plans = at < 0 ? undefined : memo.get(view.leaves);
  if (plans === undefined || !fits(plans, view)) return undefined;
  const found = plans.byHash.get(at);
  if (found === undefined || !isSame(query, found.json)) return undefined;
  const { scores, compat, limits } = found.circumstances;
  return scores === own.scores && compat === own.compat && limits === own.limits ? found : undefined;
}

/** What plans of one search have come to. */
export interface Planned {
  readonly plans: Plan[];
  /** The named queries within them, by the place of the view. */
  readonly named: Map<number, NamedPlan[]>;
  /** What any of them has asked for. */
  readonly passing: Passing;
  /** The plan as the memo holds it, where the search is of one view and its plan is kept. */
  readonly kept: KeptPlan | undefined;
}

/** A plan for each view. What cannot be planned in time matches nothing. */
export function* planAll(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  scores: boolean,
  deadline: Deadline,
): SearchSteps<Planned> {
  const circumstances = { scores, compat: services.compat, limits: services.limits.query };
  const now = request.now ?? services.now();
  const passing = new Passing();
  const named = new Map<number, NamedPlan[]>();
  const plans: Plan[] = [];
  let parsed: Query | undefined;
  let kept: KeptPlan | undefined;
  for (let i = 0; i < views.length; i++) {
    const view = views[i]!;
    const json = queryOf(request, view.name) ?? { match_all: {} };
    const at = request.slice === undefined ? planHash(json) : -1;
    const known = knownPlan(view, json, at, circumstances);
    if (known !== undefined) {
      plans.push(known.plan);
      kept = known;
      continue;
    }
    let query = json === request.query ? parsed : undefined;
    query ??= parseQuery(json, circumstances.limits);
    if (json === request.query) parsed = query;
    const mine: NamedPlan[] = [];
    const asks = new Passing();
    named.set(i, mine);
    const steps = planning(query, view, {
      now,
      ...circumstances,
      named: mine,
      passing: asks,
      ...(request.namedScores === true ? { namedScores: true } : {}),
      ...(request.slice === undefined ? {} : { slice: request.slice }),
    });
    const plan = yield* inTime(steps, deadline);
    passing.add(asks);
    if (plan !== undefined && mine.length === 0) {
      const own: KeptPlan = { json, circumstances, plan };
      if (keepPlan(view, at, own, asks)) kept = own;
    }
    plans.push(plan ?? NONE);
  }
  return { plans, named, passing, kept: views.length === 1 ? kept : undefined };
}

/** Whether nothing in a plan gathers anything while it runs: two searches at a time may have it, and it stays small. */
function isLight(plan: Plan): boolean {
  return plan.prepare === undefined && (plan.parts === undefined || plan.parts.every(isLight));
}

/** Keeps a light plan that asks for nothing that passes, until the leaves, the mapping or the settings change. True if it did. */
function keepPlan(view: IndexView, at: number, own: KeptPlan, { asksNow, asksNames }: Passing): boolean {
  if (at < 0 || asksNow || asksNames || !isLight(own.plan)) return false;
  let plans = memo.get(view.leaves);
  if (plans === undefined || !fits(plans, view)) {
    const { mapping, settings, statistics } = view;
    plans = { mapping, settings, statistics, byHash: new Map() };
    memo.set(view.leaves, plans);
  }
  plans.byHash.set(at, own);
  if (plans.byHash.size > MOST_PLANS) {
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
