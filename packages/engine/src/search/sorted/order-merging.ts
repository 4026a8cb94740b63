// Decides when the orders of an index's leaves are merged into one. A jump in one run costs a tenth of a jump
// over ten runs, so orders that are used often are merged in the background. Small leaves that come later
// stay runs of their own beside the merged order, until there are many of them or together they reach a
// quarter of it.

import { LeafStack, type PartialOrder } from '../../order/build/leaf-stack.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import type { MergedOrder, Orders } from '../../order/orders.ts';
import { HOT } from '../caches/order-heat.ts';
import type { ListRuns } from '../caches/runs-memo.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { SearchServices } from '../services.ts';

/** Smaller leaves are merged into segments soon, so that merging their orders does not pay. */
const MIN_DOCS = 1_024;
/** The same for unsealed leaves, which merge with each other up to about this size (tail/minis/choose-minis.ts). */
const MIN_MINI_DOCS = 8_192;
/** This many runs beside the merged order are merged into it, however small they are. */
const MAX_EXTRA_RUNS = 8;
/** So are runs that together hold more than this share of its documents. */
const MERGE_SHARE = 0.25;

/**
 * The merged order of an index and its leaves; undefined where one of them is missing or seen only in part.
 */
export function findMergedOrder(
  tasks: readonly LeafTask[],
  spec: OrderSpec,
  orders: Orders,
): { readonly merged: MergedOrder; readonly tasks: readonly LeafTask[] } | undefined {
  const merged = tasks.length < 2 ? undefined : orders.merged(tasks[0]!.index.uuid, spec);
  if (merged === undefined) return undefined;
  const found: LeafTask[] = [];
  for (const task of tasks) {
    if (task.view.leaf.uid !== merged.uids[found.length]) continue;
    if (!isComplete(task)) return undefined;
    found.push(task);
  }
  return found.length === merged.uids.length ? { merged, tasks: found } : undefined;
}

/** The leaves of some tasks on top of each other. */
export function stackLeaves(
  tasks: readonly LeafTask[],
  spec: OrderSpec,
  score: number,
  orders: Orders,
): LeafStack {
  return new LeafStack(
    tasks.map(({ view, place, indexPlace }) => orders.side(view.leaf, spec, place, indexPlace, score)),
  );
}

/** Counts uses of the order of a search, and merges its runs in the background once that pays. */
export function noteUse(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  services: SearchServices,
  times: number = 1,
): void {
  const { heat } = services.caches;
  let indexPlace = -1;
  for (const task of tasks) {
    if (task.indexPlace === indexPlace) continue;
    indexPlace = task.indexPlace;
    const spec = specs[indexPlace]!;
    const key = `${task.index.uuid}|${spec.key}`;
    if (!heat.add(key, times)) continue;
    mergeRuns(
      tasks.filter((each) => each.indexPlace === task.indexPlace),
      spec,
      key,
      services,
    );
  }
}

/**
 * Counts the uses of memoized runs. They stay as they are, so merging is considered once for all of their
 * pages.
 */
export function mergeIfHot(runs: ListRuns, services: SearchServices): void {
  if (runs.isConsidered || runs.uses < HOT) return;
  runs.isConsidered = true;
  noteUse(runs.tasks, runs.specs, services, HOT);
}

function mergeRuns(tasks: readonly LeafTask[], spec: OrderSpec, key: string, services: SearchServices): void {
  const { orders, heat } = services.caches;
  const old = findMergedOrder(tasks, spec, orders);
  const inOld = new Set(old?.tasks);
  const extra = tasks.filter(
    (task) =>
      !inOld.has(task) &&
      isComplete(task) &&
      task.view.docCount >= (task.view.leaf.isMini === true ? MIN_MINI_DOCS : MIN_DOCS) &&
      orders.peek(task.view.leaf, spec) !== undefined,
  );
  const docs = (list: readonly LeafTask[]): number => list.reduce((sum, task) => sum + task.view.docCount, 0);
  const isWorth =
    old === undefined
      ? extra.length >= 2
      : extra.length >= MAX_EXTRA_RUNS || (extra.length > 0 && docs(extra) >= MERGE_SHARE * docs(old.tasks));
  if (!isWorth) return;
  const members = tasks.filter((task) => inOld.has(task) || extra.includes(task));
  const stack = stackLeaves(members, spec, 0, orders);
  const stretches: PartialOrder[] = extra.map((task) => ({
    docs: orders.peek(task.view.leaf, spec)!.docs,
    shifts: [{ from: 0, add: stack.bases[members.indexOf(task)]! }],
  }));
  if (old !== undefined) {
    let from = 0;
    const shifts = old.tasks.map((task) => {
      const shift = { from, add: stack.bases[members.indexOf(task)]! - from };
      from += task.view.docCount;
      return shift;
    });
    stretches.push({ docs: old.merged.order.docs, shifts });
  }
  services.background(`merge|${key}`, function* () {
    const merged = yield* orders.merge(tasks[0]!.index.uuid, stack, stretches);
    if (merged === undefined) heat.stop(key);
  });
}

/** Whether a view shows all documents of its leaf, dead or alive: none is beyond its snapshot. */
function isComplete({ view }: LeafTask): boolean {
  return view.docCount === view.leaf.docCount;
}
