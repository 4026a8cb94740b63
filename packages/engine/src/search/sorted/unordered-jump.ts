// Finds a page far from the start in a sort that has no orders yet. Building them takes fifty times as long
// as counting first keys over all leaves (order/unordered/radix-select.ts), which leaves only the documents
// around the page to be compared. The orders are built after the search.

import { LeafStack } from '../../order/build/leaf-stack.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import { RankView } from '../../order/rank/rank-view.ts';
import { visibleBits } from '../../order/rank/visible.ts';
import { docsAroundRank, type UnorderedLeaf } from '../../order/unordered/radix-select.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import { countVisible, visibleMatches } from '../leaf-matches.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { PageRange } from '../request/cursor.ts';
import type { SearchServices } from '../services.ts';
import { MAX_SCAN_PAGE, type RunsCollector, type UnbuiltOrder } from './runs-collector.ts';

/** Whether counting first keys finds a page sooner than building the missing orders. */
export function shouldCountKeys(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  taken: ReadonlySet<LeafTask>,
  { from, size, cursor, backwards }: PageRange,
  { caches, limits }: SearchServices,
): boolean {
  if (cursor !== undefined || backwards || taken.size > 0 || tasks.length === 0) return false;
  if (size > MAX_SCAN_PAGE || from + size + 1 <= MAX_SCAN_PAGE) return false;
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

/** Adds the documents around the page from all leaves. False where too many documents share a first key. */
export function* collectAroundRank(
  out: RunsCollector,
  tasks: readonly LeafTask[],
  spec: OrderSpec,
  scores: readonly number[],
  { from, size }: PageRange,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<boolean> {
  const { orders } = services.caches;
  const leaves: UnorderedLeaf[] = [];
  const unbuilt: UnbuiltOrder[] = [];
  let total = 0;
  for (const task of tasks) {
    const { leaf, docCount } = task.view;
    const { place, indexPlace } = task;
    const visible = yield* visibleMatches(task, services, deadline);
    const bits = visibleBits(leaf, visible);
    const count = visible.matches === undefined ? task.view.liveCount : countVisible(bits, docCount);
    total += count;
    const side = orders.scanSide(leaf, spec, place, indexPlace, scores[indexPlace] ?? 0);
    leaves.push({ side, bits, docCount, visible: count });
    if (orders.peek(leaf, spec) === undefined) unbuilt.push({ leaf, spec, visible, place, indexPlace });
  }
  if (from < total) {
    const around = yield* docsAroundRank(leaves, from, Math.min(from + size, total) - 1);
    if (around === undefined) return false;
    out.scannedBefore = around.before;
    for (const [i, docs] of around.docs.entries())
      out.runs.push({ stack: new LeafStack([leaves[i]!.side]), docs, view: RankView.all(docs.length) });
  }
  out.total = total;
  out.isWhole = false;
  out.unbuilt.push(...unbuilt);
  return true;
}
