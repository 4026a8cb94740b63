// Has this query been planned already? The same text over the same leaves gives the same plan: parsing, analysis and
// statistics are skipped, and what is found out about the plan later (flat or not, where its terms lie) is kept with it.

import type { JsonObject, JsonValue } from '../json/value.ts';
import type { QueryLimits } from '../query/limits.ts';
import type { Plan } from '../query/matcher.ts';
import { NONE } from '../query/node/all.ts';
import { parseQuery } from '../query/parse.ts';
import { type NamedPlan, planning } from '../query/planner.ts';
import type { Query } from '../query/query.ts';
import type { IndexView } from '../query/view.ts';
import type { LeafView } from '../segment/leaf.ts';
import type { Pace } from './pace.ts';
import { queryOf } from './plan.ts';
import type { SearchRequest } from './request.ts';
import type { SearchServices } from './services.ts';

/** Plans of one set of leaves; the oldest go. */
const MOST_PLANS = 500;
/** Longer texts cost more to compare than they save, and would fill the memory. */
const LONGEST = 1_000;
/** Words that make a plan depend on more than its leaves: the clock, the names of the index. */
const PASSING = /now|_index/;

/** What decides a plan beside text and leaves. */
export interface Circumstances {
  readonly scores: boolean;
  readonly compat: SearchServices['compat'];
  readonly limits: QueryLimits;
}

/** Plans over the leaves of one view. They go with the leaves. */
interface Plans {
  readonly mapping: unknown;
  readonly settings: unknown;
  readonly statistics: unknown;
  readonly limits: QueryLimits;
  readonly byText: Map<string, Plan>;
}

const kept = new WeakMap<readonly LeafView[], Plans>();

/** The text that a plan is kept under; undefined where it must not be kept. O(LONGEST). */
export function planKey(query: JsonObject, { scores, compat }: Circumstances): string | undefined {
  const text = spelled(query, scores ? 's' : 'f');
  return text === undefined || PASSING.test(text) ? undefined : text + compat;
}

/** Different values have different texts: strings are led by their length. Undefined when it gets too long. */
function spelled(value: JsonValue, before: string): string | undefined {
  if (before.length > LONGEST) return undefined;
  if (typeof value === 'string')
    return value.length > LONGEST ? undefined : `${before}${value.length}"${value}`;
  if (typeof value === 'number') return `${before}${Object.is(value, -0) ? '-0' : value};`;
  if (typeof value !== 'object' || value === null) return `${before}${typeof value}${value};`;
  let text: string | undefined = before;
  if (Array.isArray(value)) {
    text += '[';
    for (let i = 0; i < value.length && text !== undefined; i++) text = spelled(value[i]!, text);
    return text && `${text}]`;
  }
  text += '{';
  for (const key in value) {
    if (value[key] === undefined) continue;
    text = spelled(value[key]!, `${text}${key.length}"${key}`);
    if (text === undefined) return undefined;
  }
  return `${text}}`;
}

/** The plan that was kept for a view. */
function knownPlan(view: IndexView, key: string, { limits }: Circumstances): Plan | undefined {
  const plans = kept.get(view.leaves);
  return plans !== undefined && fits(plans, view, limits) ? plans.byText.get(key) : undefined;
}

/** A plan for each view, and the named queries within it. What cannot be planned in time matches nothing. */
export async function planAll(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  scores: boolean,
  pace: Pace,
): Promise<{ plans: Plan[]; named: Map<number, NamedPlan[]> }> {
  const circumstances = { scores, compat: services.compat, limits: services.limits.query };
  const now = services.now();
  const named = new Map<number, NamedPlan[]>();
  const plans: Plan[] = [];
  let parsed: Query | undefined;
  for (let i = 0; i < views.length; i++) {
    const view = views[i]!;
    const json = queryOf(request, view.name) ?? { match_all: {} };
    const key = request.slice === undefined ? planKey(json, circumstances) : undefined;
    const known = key === undefined ? undefined : knownPlan(view, key, circumstances);
    if (known !== undefined) {
      plans.push(known);
      continue;
    }
    let query = json === request.query ? parsed : undefined;
    query ??= parseQuery(json, circumstances.limits);
    if (json === request.query) parsed = query;
    const mine: NamedPlan[] = [];
    named.set(i, mine);
    const steps = planning(query, view, {
      now,
      ...circumstances,
      named: mine,
      ...(request.namedScores === true ? { namedScores: true } : {}),
      ...(request.slice === undefined ? {} : { slice: request.slice }),
    });
    const plan = await pace.inTime(steps);
    if (key !== undefined && plan !== undefined && mine.length === 0)
      keepPlan(view, key, circumstances, plan);
    plans.push(plan ?? NONE);
  }
  return { plans, named };
}

/** Whether nothing in a plan gathers anything while it runs: two searches at a time may have it, and it stays small. */
function isLight(plan: Plan): boolean {
  return plan.prepare === undefined && (plan.parts === undefined || plan.parts.every(isLight));
}

/** Keeps a light plan until the leaves, the mapping or the settings change. */
function keepPlan(view: IndexView, key: string, { limits }: Circumstances, plan: Plan): void {
  if (!isLight(plan)) return;
  let plans = kept.get(view.leaves);
  if (plans === undefined || !fits(plans, view, limits)) {
    const { mapping, settings, statistics } = view;
    plans = { mapping, settings, statistics, limits, byText: new Map() };
    kept.set(view.leaves, plans);
  }
  plans.byText.set(key, plan);
  if (plans.byText.size <= MOST_PLANS) return;
  for (const oldest of plans.byText.keys()) {
    plans.byText.delete(oldest);
    break;
  }
}

function fits({ mapping, settings, statistics, limits }: Plans, view: IndexView, own: QueryLimits): boolean {
  return (
    mapping === view.mapping && settings === view.settings && statistics === view.statistics && limits === own
  );
}
