// Does a list of everything go on at once behind a commit? Its pages stand on runs, which are other ones after every write;
// but the orders of what came are made beforehand (engine/beforehand.ts). Where all that a page needs is there, nothing is
// waited for, and the first page after a commit is as soon as the next ones. Else it goes the way that can wait.

import { type OrderSpec, orderSpec } from '../order/spec.ts';
import { Stack } from '../order/stack.ts';
import type { Visible } from '../order/visible.ts';
import { AllNode } from '../query/node/all.ts';
import type { IndexView } from '../query/view.ts';
import { type Gathered, noteSorts, nothingGathered } from './by-order.ts';
import { mergedOf, stackOf, used } from './merging.ts';
import { type LeafTask, leafTasks, queryOf } from './plan.ts';
import type { Prepared } from './prepared.ts';
import type { SearchRequest } from './request.ts';
import type { SearchServices } from './services.ts';
import { parseSort } from './sort.ts';
import { sortables } from './sortable.ts';

/** What so many documents come to be sorted in takes no longer than the rest of a page. */
const FEW = 64;

const TRIES = 2;

const EVERYTHING = new AllNode(1);

/** What pages of a request stand on, where that is at hand. Throws where it cannot be sorted like that. */
export function preparedAtHand(
  request: SearchRequest,
  views: readonly IndexView[],
  services: SearchServices,
): Prepared | undefined {
  if (!isPlainList(request, views)) return undefined;
  const fields = parseSort(request.sort);
  if (fields.length === 0 || fields.some(({ field }) => field === '_score')) return undefined;
  const sort = sortables(fields, views);
  const specs = sort.map((entries) => orderSpec(entries.map(({ entry }) => entry)));
  const tasks = leafTasks(
    views,
    views.map(() => EVERYTHING),
  );
  const { orders, filters } = services.caches;
  // Ranks with the latest deaths take the place of those before: what was taken out meanwhile is taken out again.
  for (let tries = 0; tries < TRIES; tries++) {
    const forgotten = orders.forgotten + filters.forgotten;
    const gathered = gatheredNow(tasks, specs, services);
    if (gathered === undefined) return undefined;
    if (forgotten !== orders.forgotten + filters.forgotten) continue;
    noteSorts(tasks, specs, services);
    used(tasks, specs, services);
    return {
      ...{ views, fields, sort, specs, tasks, gathered, forgotten },
      ...{ now: undefined, uses: 0, hasLooked: false },
    };
  }
  return undefined;
}

/** Every document, alike, by fields. */
function isPlainList(request: SearchRequest, views: readonly IndexView[]): boolean {
  const { shape, collapse, minScore, slice, trackScores } = request;
  if (shape === undefined || collapse !== undefined || minScore !== undefined) return false;
  if (slice !== undefined || trackScores === true || request.terminateAfter) return false;
  return views.every(({ name }) => {
    const query = queryOf(request, name);
    if (query === undefined) return true;
    const [kind, ...others] = Object.keys(query);
    return kind === 'match_all' && others.length === 0 && Object.keys(query[kind] ?? [0]).length === 0;
  });
}

/** The same runs that `gather` would find. */
function gatheredNow(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  services: SearchServices,
): Gathered | undefined {
  const out = nothingGathered();
  const taken = new Set<LeafTask>();
  for (const [indexPlace, own] of Map.groupBy(tasks, (task) => task.indexPlace)) {
    const found = mergedOf(own, specs[indexPlace]!, services.caches.orders);
    if (found === undefined) continue;
    if (!addMerged(out, found, specs[indexPlace]!, services)) return undefined;
    for (const task of found.tasks) taken.add(task);
  }
  for (const task of tasks)
    if (!taken.has(task) && !addLeaf(out, task, specs[task.indexPlace]!, services)) return undefined;
  return out;
}

function addMerged(
  out: Gathered,
  { merged, tasks }: NonNullable<ReturnType<typeof mergedOf>>,
  spec: OrderSpec,
  services: SearchServices,
): boolean {
  const { orders } = services.caches;
  const stack = stackOf(tasks, spec, 0, orders);
  const view = atOnce(orders.mergedRanks(merged, stack, tasks.map(wholeOf)));
  if (view === undefined) return false;
  out.total += view.total;
  out.runs.push({ stack, docs: merged.order.docs, view });
  return true;
}

function addLeaf(out: Gathered, task: LeafTask, spec: OrderSpec, services: SearchServices): boolean {
  const { orders } = services.caches;
  const { leaf } = task.view;
  const known = orders.peek(leaf, spec);
  if (known === undefined && (leaf.isMini !== true || leaf.docCount > FEW)) return false;
  if (!orders.ready(leaf, spec).next().done) return false;
  const side = orders.side(leaf, spec, task.place, task.indexPlace);
  const order = known ?? atOnce(orders.build(side));
  if (order === undefined) return false;
  const view = atOnce(orders.ranks(leaf, spec, order, wholeOf(task)));
  if (view === undefined) return false;
  const stack = new Stack([side]);
  const leads = order.leadsOf(stack).next();
  if (!leads.done) return false;
  out.total += view.total;
  out.runs.push({ stack, docs: order.docs, view, leads: leads.value });
  return true;
}

function wholeOf({ view }: LeafTask): Visible {
  return { view, filterKey: '', matches: undefined, cacheable: true };
}

/** What steps come to, where it is one; more would take longer than a page may. */
function atOnce<T>(steps: Generator<void, T, undefined>): T | undefined {
  const step = steps.next();
  return step.done ? step.value : undefined;
}
