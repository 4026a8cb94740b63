// When is it worth to have one order for all segments of an index? When it is asked for often, and there are several: a
// jump in one run costs a tenth of one over ten. The merged order is kept while small segments come, which are runs
// beside it; they are merged into it when they are many, or together a quarter of it.

import { Stack, type Stretch } from '../../order/build/leaf-stack.ts';
import type { Merged, Orders } from '../../order/orders.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { SearchServices } from '../services.ts';

/** Uses of an order before its runs are merged, and between looks at whether they should be. */
export const HOT = 8;
/** Smaller leaves pass soon. */
const MIN_DOCS = 1_024;
/** The same for what is not sealed: it goes on to be merged with its like up to about this size (tail/minis.ts). */
const MIN_MINI_DOCS = 8_192;
/** So many runs beside the merged one are merged into it, however small. */
const MOST_BESIDE = 8;
/** Together larger than this share of it, they are as well. */
const SHARE = 0.25;

/** How often orders have been used, by index and spec. */
export class Heat {
  readonly #uses = new Map<string, number>();

  /** Counts more uses, one to HOT of them; true every few times. */
  rises(key: string, times: number): boolean {
    const uses = (this.#uses.get(key) ?? 0) + times;
    if (this.#uses.size > 10_000) this.#uses.clear();
    this.#uses.set(key, uses);
    return uses % HOT < times;
  }

  /** Never hot again: its merged order has no room. */
  cool(key: string): void {
    this.#uses.set(key, Number.NEGATIVE_INFINITY);
  }
}

/** The merged order of an index with its leaves among these; undefined where one of them is gone, or seen in part only. */
export function mergedOf(
  tasks: readonly LeafTask[],
  spec: OrderSpec,
  orders: Orders,
): { readonly merged: Merged; readonly tasks: readonly LeafTask[] } | undefined {
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

/** Leaves on top of each other. */
export function stackOf(tasks: readonly LeafTask[], spec: OrderSpec, score: number, orders: Orders): Stack {
  return new Stack(
    tasks.map(({ view, place, indexPlace }) => orders.side(view.leaf, spec, place, indexPlace, score)),
  );
}

/** Tells that the order of a search was used, so many times; merges its runs behind the scenes when that is worth it. */
export function used(
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
    if (!heat.rises(key, times)) continue;
    mergeRuns(
      tasks.filter((each) => each.indexPlace === task.indexPlace),
      spec,
      key,
      services,
    );
  }
}

function mergeRuns(tasks: readonly LeafTask[], spec: OrderSpec, key: string, services: SearchServices): void {
  const { orders, heat } = services.caches;
  const old = mergedOf(tasks, spec, orders);
  const inOld = new Set(old?.tasks);
  const beside = tasks.filter(
    (task) =>
      !inOld.has(task) &&
      isComplete(task) &&
      task.view.docCount >= (task.view.leaf.isMini === true ? MIN_MINI_DOCS : MIN_DOCS) &&
      orders.peek(task.view.leaf, spec) !== undefined,
  );
  const docs = (list: readonly LeafTask[]): number => list.reduce((sum, task) => sum + task.view.docCount, 0);
  const worth =
    old === undefined
      ? beside.length >= 2
      : beside.length >= MOST_BESIDE || (beside.length > 0 && docs(beside) >= SHARE * docs(old.tasks));
  if (!worth) return;
  const members = tasks.filter((task) => inOld.has(task) || beside.includes(task));
  const stack = stackOf(members, spec, 0, orders);
  const stretches: Stretch[] = beside.map((task) => ({
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
    if (merged === undefined) heat.cool(key);
  });
}

/** True where a view shows all documents of its leaf, dead or alive: nothing is beyond its snapshot. */
function isComplete({ view }: LeafTask): boolean {
  return view.docCount === view.leaf.docCount;
}
