// Does a list of everything go on at once behind a commit? Its pages stand on runs, which are other ones after every write;
// but the orders of what came are made beforehand (engine/beforehand.ts). Where all that a page needs is there, nothing is
// waited for, and the first page after a commit is as soon as the next ones. Else it goes the way that can wait.

import type { KnownOrder } from '../order/known.ts';
import { type OrderSpec, orderSpec } from '../order/spec.ts';
import { Stack } from '../order/stack.ts';
import type { Visible } from '../order/visible.ts';
import { AllNode } from '../query/node/all.ts';
import type { IndexView } from '../query/view.ts';
import { type Gathered, noteSorts, nothingGathered } from './by-order.ts';
import { mergedOf, used } from './merging.ts';
import { type LeafTask, leafTasks, queryOf } from './plan.ts';
import type { Prepared } from './prepared.ts';
import type { SearchRequest } from './request.ts';
import type { SearchServices } from './services.ts';
import { parseSort, type SortField } from './sort.ts';
import { type Sortable, sortables } from './sortable.ts';

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
  const sorted = sortedAs(request, views);
  if (sorted === undefined) return undefined;
  const { fields, sort, specs } = sorted;
  const tasks = leafTasks(
    views,
    views.map(() => EVERYTHING),
  );
  const { orders, filters } = services.caches;
  // Ranks with the latest deaths take the place of those before, which nothing here looks at. What else they have pushed out, where
  // the budget is spent, may have been taken out already: the second time there is nothing to push.
  for (let tries = 0; tries < TRIES; tries++) {
    const before = orders.lost + filters.forgotten;
    const gathered = gatheredNow(tasks, specs, services);
    if (gathered === undefined) return undefined;
    if (before !== orders.lost + filters.forgotten) continue;
    // Before anything else is asked for: what that pushes out may be of these runs.
    const { forgotten } = services.caches;
    noteSorts(tasks, specs, services);
    used(tasks, specs, services);
    return {
      ...{ views, fields, sort, specs, tasks, gathered, forgotten },
      ...{ now: undefined, uses: 0, hasLooked: false },
    };
  }
  return undefined;
}

/** How a list is sorted in the indices that it is of. */
interface Sorted {
  /** What a sort depends on; views would have their leaves stay. */
  readonly indices: readonly Pick<IndexView, 'mapping' | 'name'>[];
  readonly fields: readonly SortField[];
  readonly sort: readonly Sortable[][];
  readonly specs: readonly OrderSpec[];
}

/** How lists of a shape were sorted last. */
const lists = new WeakMap<object, Sorted>();

/** How a list of everything is sorted; undefined where it is none, or not by fields. */
function sortedAs(request: SearchRequest, views: readonly IndexView[]): Sorted | undefined {
  if (!isPlainList(request, views)) return undefined;
  const last = lists.get(request.shape!);
  if (last !== undefined && isAlike(last.indices, views)) return last;
  const fields = parseSort(request.sort);
  if (fields.length === 0 || fields.some(({ field }) => field === '_score')) return undefined;
  const sort = sortables(fields, views);
  const specs = sort.map((entries) => orderSpec(entries.map(({ entry }) => entry)));
  const indices = views.map(({ mapping, name }) => ({ mapping, name }));
  const sorted = { indices, fields, sort, specs };
  lists.set(request.shape!, sorted);
  return sorted;
}

function isAlike(before: Sorted['indices'], now: readonly IndexView[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ mapping, name }, i) => mapping === now[i]!.mapping && name === now[i]!.name)
  );
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
  const stack = new Stack(
    tasks.map(({ view: { leaf }, place, indexPlace }) => {
      const keys = orders.known.keys(leaf, spec) ?? orders.side(leaf, spec, place, indexPlace).keys;
      return { leaf, spec, keys, place, indexPlace, score: 0 };
    }),
  );
  const view = atOnce(orders.mergedRanks(merged, stack, tasks.map(wholeOf)));
  if (view === undefined) return false;
  out.total += view.total;
  out.runs.push({ stack, docs: merged.order.docs, order: merged.order, view });
  return true;
}

function addLeaf(out: Gathered, task: LeafTask, spec: OrderSpec, services: SearchServices): boolean {
  const { orders } = services.caches;
  const { place, indexPlace } = task;
  const { leaf, docCount, deathCount } = task.view;
  const found = orders.known.find(leaf, spec) ?? made(task, spec, services);
  if (found === undefined) return false;
  const { order, keys } = found;
  const view =
    orders.known.ranks(leaf, spec, docCount, deathCount) ??
    atOnce(orders.ranks(leaf, spec, order, wholeOf(task)));
  if (view === undefined) return false;
  const stack = new Stack([{ leaf, spec, keys, place, indexPlace, score: 0 }]);
  const leads = order.leadsOf(stack).next();
  if (!leads.done) return false;
  out.total += view.total;
  out.runs.push({ stack, docs: order.docs, order, view, leads: leads.value });
  return true;
}

/** Of the few documents of a leaf that has no order yet, or of one whose keys were forgotten, where that is done at once. */
function made(
  { view: { leaf }, place, indexPlace }: LeafTask,
  spec: OrderSpec,
  { caches: { orders } }: SearchServices,
): KnownOrder | undefined {
  const known = orders.peek(leaf, spec);
  if (known === undefined && (leaf.isMini !== true || leaf.docCount > FEW)) return undefined;
  if (!orders.ready(leaf, spec).next().done) return undefined;
  const side = orders.side(leaf, spec, place, indexPlace);
  const order = known ?? atOnce(orders.build(side));
  return order && { order, keys: side.keys };
}

function wholeOf({ view }: LeafTask): Visible {
  return { view, filterKey: '', matches: undefined, cacheable: true };
}

/** What steps come to, where it is one; more would take longer than a page may. */
function atOnce<T>(steps: Generator<void, T, undefined>): T | undefined {
  const step = steps.next();
  return step.done ? step.value : undefined;
}
