// Which searches are over before anybody could wait for them? The ten best of a query that is planned already, ranked
// by nothing but its score: their leaves, their kernels' record and the sides of their hits are kept with the plan, and
// nothing is made for a search but its page. What takes longer than a slice goes on as the others do. So are pages of
// everything, and of nothing: most texts with a word that nobody has written.

import type { JsonObject } from '../json/value.ts';
import type { Side } from '../order/compare.ts';
import { type OrderSpec, orderSpec } from '../order/spec.ts';
import { type FlatPlan, flatPlan } from '../query/node/flat.ts';
import type { IndexView } from '../query/view.ts';
import { Compiled, FOREIGN, isCompilable } from '../score/compiled.ts';
import type { FlatQuery } from '../score/flat.ts';
import { boundOf, type Located, locate } from '../score/located.ts';
import { borrowPruner, returnPruner } from '../score/prune.ts';
import { kernelsAreOn } from '../score/shelf.ts';
import { TopK } from '../score/topk.ts';
import { pageOfEverything } from './everything.ts';
import type { Page, PageDoc } from './page.ts';
import { type LeafTask, leafTasks } from './plan.ts';
import { type KeptPlan, knownPlan, planHash, planNow } from './planned.ts';
import { docOf, placeOf, positionOf } from './ranked.ts';
import type { SearchRequest } from './request.ts';
import { DEFAULT_SIZE } from './request-checks.ts';
import type { SearchServices } from './services.ts';

/** What searches that ask for no order get. */
export const BY_SCORE: OrderSpec = orderSpec([
  { kind: 'score', descending: true },
  { kind: 'position', descending: false },
]);

/** Pages that end deeper are sought in the whole list. */
const DEEPEST = 1_000;
/** Postings that kernels go over at most: about a millisecond. */
const MOST_WORK = 1_000_000;
/** Documents that twins go over at most: as long. */
const MOST_DOCS = 131_072;

const EVERYTHING: JsonObject = { match_all: {} };

/** What is known of a plan. */
export interface Swift {
  /** Undefined where every document matches, alike. */
  readonly flat: FlatPlan | undefined;
  readonly tasks: readonly LeafTask[];
  readonly sides: readonly Side[];
  readonly docs: number;
  /** Whether the kernels can search it. */
  readonly isCompilable: boolean;
  /** For the twins: where the terms lie in each leaf that has them. */
  located?: readonly LocatedTask[];
}

interface LocatedTask {
  readonly task: LeafTask;
  readonly terms: Located;
  readonly bound: number;
}

/** A page that nothing cut short. */
export type SwiftPage = Page & { readonly cutShort: boolean };

/**
 * The page of a request that has been checked; undefined where it is to be searched the usual way. `plans`: what nobody has
 * asked yet is planned here, where that takes no look-up.
 */
export function swiftPage(
  views: readonly IndexView[],
  request: SearchRequest,
  services: SearchServices,
  plans = false,
): SwiftPage | undefined {
  if (views.length !== 1 || !isPlain(request)) return undefined;
  const view = views[0]!;
  const { query = EVERYTHING, from = 0, size = DEFAULT_SIZE } = request;
  if (size === 0 || from + size > DEEPEST || request.filters?.get(view.name) !== undefined) return undefined;
  const circumstances = { scores: true, compat: services.compat, limits: services.limits.query };
  const at = planHash(query);
  const known = knownPlan(view, query, at, circumstances);
  const plan = known ?? (plans ? planNow(view, query, at, circumstances, services.now()) : undefined);
  if (plan === undefined) return undefined;
  if (plan.plan.matchesNone) return EMPTY_PAGE;
  const swift = (plan.swift ??= swiftOf(plan, view, services));
  if (swift === null) return undefined;
  const { flat, tasks, sides } = swift;
  if (flat === undefined) {
    const score = Math.fround(plan.plan.constant!);
    return { ...pageOfEverything(tasks, sides, score, from, size), cutShort: false };
  }
  const { trackTotalHits: track = true } = request;
  const countTo = track === true ? Number.POSITIVE_INFINITY : Number(track);
  if (!swift.isCompilable || !kernelsAreOn()) return pruned(swift, flat.query, from, size, countTo);
  const page = compiled(swift, flat.query, from, size, countTo, known !== undefined);
  return page === 'foreign' ? pruned(swift, flat.query, from, size, countTo) : page;
}

const EMPTY_PAGE: SwiftPage = Object.freeze({
  docs: [],
  total: 0,
  before: false,
  after: false,
  maxScore: Number.NaN,
  cutShort: false,
});

/** Whether nothing but the score decides, and nothing ends the search. */
function isPlain(request: SearchRequest): boolean {
  const { sort } = request;
  return (
    (sort === undefined || (Array.isArray(sort) && sort.length === 0)) &&
    request.postFilter === undefined &&
    request.searchAfter === undefined &&
    request.backwards !== true &&
    request.minScore === undefined &&
    !request.terminateAfter &&
    request.timeoutMs === undefined &&
    request.collapse === undefined &&
    request.slice === undefined &&
    request.signal?.aborted !== true &&
    request.caller?.isGone !== true
  );
}

function swiftOf({ plan }: KeptPlan, view: IndexView, { caches }: SearchServices): Swift | null {
  const flat = plan.scoring ? flatPlan(plan) : undefined;
  const isEverything = plan.matchesAll && !plan.scoring && plan.constant !== undefined;
  if (flat === undefined ? !isEverything : flat.restriction !== undefined) return null;
  const tasks = leafTasks([view], [plan]);
  const sides = tasks.map((t) => caches.orders.side(t.view.leaf, BY_SCORE, t.place, 0));
  const docs = tasks.reduce((sum, task) => sum + task.view.docCount, 0);
  return { flat, tasks, sides, docs, isCompilable: flat !== undefined && isCompilable(flat.query) };
}

/** The page by the kernels; `foreign` where a leaf is none of theirs, or there is no room for the record. */
function compiled(
  swift: Swift,
  query: FlatQuery,
  from: number,
  size: number,
  countTo: number,
  again: boolean,
): SwiftPage | 'foreign' | undefined {
  const { tasks } = swift;
  // One more than the page, so that it is known whether something follows even where nothing is counted.
  const found = Compiled.open(query, from + size + 1, tasks, again);
  try {
    const { rows } = found;
    for (let i = 0; i < rows.length; i++) if (rows[i] === FOREIGN) return 'foreign';
    if (found.run(countTo > 0 ? countTo : -1, MOST_WORK, Number.NEGATIVE_INFINITY)) return undefined;
    const count = found.size;
    const docs = found.found(swift.sides, from, from + size);
    return pageOf(docs, count, count > 0 ? found.score(0) : Number.NaN, found.total, from, size);
  } finally {
    found.release();
  }
}

function pruned(
  swift: Swift,
  query: FlatQuery,
  from: number,
  size: number,
  countTo: number,
): SwiftPage | undefined {
  if (swift.docs > MOST_DOCS) return undefined;
  swift.located ??= locatedIn(swift, query);
  const top = new TopK(from + size + 1);
  const pruner = borrowPruner(query, top);
  try {
    for (const { task, terms, bound } of swift.located) {
      const counting = countTo > 0 && pruner.total <= countTo;
      if (!counting && bound < top.threshold) continue;
      if (!pruner.open(task.view, terms, undefined, positionOf(task.place, 0), counting)) return undefined;
      while (pruner.step());
    }
    const { docs: positions, scores } = top.drain();
    const docs: PageDoc[] = [];
    for (let i = from; i < positions.length && i < from + size; i++) {
      const position = positions[i]!;
      docs.push({ side: swift.sides[placeOf(position)]!, doc: docOf(position), score: scores[i]! });
    }
    return pageOf(docs, positions.length, scores[0] ?? Number.NaN, pruner.total, from, size);
  } finally {
    returnPruner(pruner);
  }
}

function locatedIn({ tasks }: Swift, query: FlatQuery): LocatedTask[] {
  const all: LocatedTask[] = [];
  for (const task of tasks) {
    const terms = locate(query, task.view.leaf);
    if (terms === 'empty') continue;
    all.push({
      task,
      terms,
      bound: terms === 'unbounded' ? Number.POSITIVE_INFINITY : boundOf(query, terms),
    });
  }
  return all;
}

function pageOf(
  docs: readonly PageDoc[],
  found: number,
  maxScore: number,
  total: number,
  from: number,
  size: number,
): SwiftPage {
  return {
    docs,
    total: Math.max(total, found),
    before: from > 0 && found > 0,
    after: found > from + size,
    maxScore,
    cutShort: false,
  };
}
