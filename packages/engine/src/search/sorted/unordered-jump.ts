// How is a page far from the start found in a sort that nobody has asked for before? By counting first keys, over all leaves
// together: the best few of each would be too many, and building orders takes fifty times as long. They are built afterwards.

import { Stack } from '../../order/build/leaf-stack.ts';
import { RankView } from '../../order/rank/rank-view.ts';
import { visibleBits } from '../../order/rank/visible.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import { docsAround, type Part } from '../../order/unordered/radix-select.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import type { LeafTask } from '../leaf-task.ts';
import { countVisible, visibleOf } from '../leaf-matches.ts';
import type { SearchServices } from '../services.ts';
import type { Gathered, Unbuilt, Where } from './sorted-page.ts';

/** Beyond so many documents from the start, the best few of a leaf are too many. */
export const MAX_SCAN_PAGE = 4_096;

/** Whether a page far from the start is found sooner by counting than by building the orders that are missing. */
export function isCounted(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  taken: ReadonlySet<LeafTask>,
  { from, size, cursor, backwards }: Where,
  { caches, limits }: SearchServices,
): boolean {
  if (cursor !== undefined || backwards || taken.size > 0 || tasks.length === 0) return false;
  if (size === 0 || size > MAX_SCAN_PAGE || from + size + 1 <= MAX_SCAN_PAGE) return false;
  const { indexPlace } = tasks[0]!;
  const spec = specs[indexPlace]!;
  if (spec.entries[0]?.kind !== 'numeric') return false;
  let unordered = 0;
  for (const { view, indexPlace: place } of tasks) {
    if (place !== indexPlace) return false;
    if (caches.orders.peek(view.leaf, spec) === undefined) unordered += view.leaf.docCount;
  }
  return unordered > limits.buildAtOnce;
}

/** Adds the documents around the page of all leaves, whose orders are built behind the scenes. False where these are too many. */
export function* gatherAround(
  out: Gathered,
  tasks: readonly LeafTask[],
  spec: OrderSpec,
  scores: readonly number[],
  { from, size }: Where,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<boolean> {
  const { orders } = services.caches;
  const parts: Part[] = [];
  const unbuilt: Unbuilt[] = [];
  let total = 0;
  for (const task of tasks) {
    const { leaf, docCount } = task.view;
    const { place, indexPlace } = task;
    const visible = yield* visibleOf(task, services, deadline);
    const bits = visibleBits(leaf, visible);
    const count = visible.matches === undefined ? task.view.liveCount : countVisible(bits, docCount);
    total += count;
    const side = orders.sideNow(leaf, spec, place, indexPlace, scores[indexPlace] ?? 0);
    parts.push({ side, bits, docCount, visible: count });
    if (orders.peek(leaf, spec) === undefined) unbuilt.push({ leaf, spec, visible, place, indexPlace });
  }
  if (from < total) {
    const around = yield* docsAround(parts, from, Math.min(from + size, total) - 1);
    if (around === undefined) return false;
    out.scannedBefore = around.before;
    for (const [i, docs] of around.docs.entries())
      out.runs.push({ stack: new Stack([parts[i]!.side]), docs, view: RankView.all(docs.length) });
  }
  out.total = total;
  out.isWhole = false;
  out.unbuilt.push(...unbuilt);
  return true;
}
