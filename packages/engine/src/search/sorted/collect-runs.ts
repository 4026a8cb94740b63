// Collects the runs of a search whose order does not depend on computed scores: the merged orders of indices that
// have one, and the orders of all other leaves. A large leaf without an order is scanned for this page, and its order is built
// in the background. Far from the start all leaves without orders are searched together (unordered-jump.ts).

import { isPositionOrder } from '../../order/build/build-order.ts';
import { LeafStack } from '../../order/build/leaf-stack.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import { RankView } from '../../order/rank/rank-view.ts';
import { type Visible, visibleBits } from '../../order/rank/visible.ts';
import { FarBound } from '../../order/unordered/key-levels.ts';
import { pickFirst } from '../../order/unordered/pick-first.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import { countVisible, keepFirst, visibleMatches } from '../leaf-matches.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { PageRange } from '../request/cursor.ts';
import type { SearchServices } from '../services.ts';
import { findMergedOrder, stackLeaves } from './order-merging.ts';
import { MAX_SCAN_PAGE, RunsCollector, type UnbuiltOrder } from './runs-collector.ts';
import { collectAroundRank, shouldCountKeys } from './unordered-jump.ts';

/** Sort keys of fewer documents are made in one step. */
const SHORT = 1_024;

const NONE: ReadonlySet<LeafTask> = new Set();

/**
 * Collects runs from which a page can be cut. `specs` and `scores` are per index; `limitPerIndex` is the number
 * of matches of an index that count, from the first on.
 */
export function* collectRuns(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  scores: readonly number[],
  range: PageRange,
  limitPerIndex: number | undefined,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<RunsCollector> {
  const out = new RunsCollector();
  if (limitPerIndex !== undefined) out.isWhole = false;
  const left = new Map<number, number>();
  noteSorts(tasks, specs, services);
  const taken =
    limitPerIndex === undefined ? yield* collectMerged(out, tasks, specs, scores, services, deadline) : NONE;
  const isFound =
    limitPerIndex === undefined &&
    shouldCountKeys(tasks, specs, taken, range, services) &&
    (yield* collectAroundRank(out, tasks, specs[tasks[0]!.indexPlace]!, scores, range, services, deadline));
  for (const task of isFound ? [] : tasks) {
    if (taken.has(task)) continue;
    if (deadline.late) break;
    const spec = specs[task.indexPlace]!;
    let visible = yield* visibleMatches(task, services, deadline);
    if (limitPerIndex !== undefined) visible = limited(task, visible, limitPerIndex, left, out);
    yield* collectLeaf(out, task, visible, spec, scores[task.indexPlace] ?? 0, range, services);
    yield;
  }
  if (deadline.late) out.isWhole = false;
  // Last: background jobs take slices of the event loop, and this search would wait for them.
  for (const each of out.unbuilt) buildLater(each, services);
  return out;
}

/** Builds an order in the background, with the ranks of the matches of this search. */
function buildLater(
  { leaf, spec, visible, place, indexPlace }: UnbuiltOrder,
  services: SearchServices,
): void {
  const { orders } = services.caches;
  services.background(`${leaf.uid}|${spec.key}`, function* () {
    yield* orders.prepareKeys(leaf, spec);
    const order = yield* orders.build(orders.side(leaf, spec, place, indexPlace));
    if (visible.cacheable) yield* orders.ranks(leaf, spec, order, visible);
  });
}

/** Records which orders are in use: they are prepared for new documents after a commit. */
function noteSorts(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  { caches }: SearchServices,
): void {
  let indexPlace = -1;
  for (const task of tasks) {
    if (task.indexPlace === indexPlace) continue;
    indexPlace = task.indexPlace;
    caches.sorts.noteUse(task.index.uuid, specs[indexPlace]!);
  }
}

/** Adds the merged orders of indices. Returns the leaves that are in them. */
function* collectMerged(
  out: RunsCollector,
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  scores: readonly number[],
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<ReadonlySet<LeafTask>> {
  const { orders } = services.caches;
  const taken = new Set<LeafTask>();
  for (const [indexPlace, own] of Map.groupBy(tasks, (task) => task.indexPlace)) {
    const spec = specs[indexPlace]!;
    const found = findMergedOrder(own, spec, orders);
    if (found === undefined) continue;
    const parts: Visible[] = [];
    for (const task of found.tasks) parts.push(yield* visibleMatches(task, services, deadline));
    const stack = stackLeaves(found.tasks, spec, scores[indexPlace] ?? 0, orders);
    const view = yield* orders.mergedRanks(found.merged, stack, parts);
    out.total += view.total;
    const { order } = found.merged;
    out.runs.push({ stack, docs: order.docs, order, view });
    for (const task of found.tasks) taken.add(task);
  }
  return taken;
}

/** Adds one leaf: by its order, or by a scan if building the order takes longer. */
function* collectLeaf(
  out: RunsCollector,
  task: LeafTask,
  visible: Visible,
  spec: OrderSpec,
  score: number,
  range: PageRange,
  services: SearchServices,
): SearchSteps<void> {
  const { orders } = services.caches;
  const { leaf } = task.view;
  let order = orders.peek(leaf, spec);
  if (order === undefined && shouldScan(out, leaf, spec, range, services)) {
    yield* scanLeaf(out, task, visible, spec, score, range, services);
    return;
  }
  if (leaf.docCount > SHORT) yield* orders.prepareKeys(leaf, spec);
  const side = orders.side(leaf, spec, task.place, task.indexPlace, score);
  order ??= yield* orders.build(side);
  const view = yield* orders.ranks(leaf, spec, order, visible);
  out.total += view.total;
  const stack = new LeafStack([side]);
  out.runs.push({ stack, docs: order.docs, order, view, leads: yield* order.leadsOf(stack) });
}

/**
 * Whether a scan of a leaf finds the page sooner than building its order. Counts the documents of orders
 * built instead.
 */
function shouldScan(
  out: RunsCollector,
  { docCount }: Leaf,
  spec: OrderSpec,
  { from, size }: PageRange,
  { limits }: SearchServices,
): boolean {
  if (from + size + 1 > MAX_SCAN_PAGE || isPositionOrder(spec.entries)) return false;
  if (out.built + docCount > limits.buildAtOnce) return true;
  out.built += docCount;
  return false;
}

/** Adds the documents of a leaf that the page may show, and records that its order is missing. */
function* scanLeaf(
  out: RunsCollector,
  task: LeafTask,
  visible: Visible,
  spec: OrderSpec,
  score: number,
  range: PageRange,
  services: SearchServices,
): SearchSteps<void> {
  const { orders } = services.caches;
  const { leaf, docCount } = task.view;
  const { place, indexPlace } = task;
  yield* orders.prepareScanKeys(leaf, spec);
  const side = orders.scanSide(leaf, spec, place, indexPlace, score);
  const bits = visibleBits(leaf, visible);
  const { from, size, cursor, backwards } = range;
  out.far[indexPlace] ??= new FarBound();
  const pick = { bits, docCount, count: from + size + 1, cursor, backwards, far: out.far[indexPlace] };
  const found = yield* pickFirst(side, pick);
  out.unbuilt.push({ leaf, spec, visible, place, indexPlace });
  const count = visible.matches === undefined ? task.view.liveCount : countVisible(bits, docCount);
  out.isWhole = false;
  out.total += count;
  out.scannedBefore += backwards ? count - found.excluded - found.docs.length : found.excluded;
  out.runs.push({ stack: new LeafStack([side]), docs: found.docs, view: RankView.all(found.docs.length) });
}

/** Keeps only the first matches of an index. `left` is the rest of the limit, per index. */
function limited(
  task: LeafTask,
  visible: Visible,
  limitPerIndex: number,
  left: Map<number, number>,
  out: RunsCollector,
): Visible {
  const { leaf, live } = task.view;
  const bits = visibleBits(leaf, visible) ?? new Uint32Array((leaf.docCount + 31) >>> 5).fill(0xffff_ffff);
  if (leaf.docCount & 31 && visible.matches === undefined && live === undefined) {
    bits[leaf.docCount >>> 5]! &= (1 << (leaf.docCount & 31)) - 1;
  }
  const budget = left.get(task.indexPlace) ?? limitPerIndex;
  const count = countVisible(bits, leaf.docCount);
  if (count > budget) out.cutShort = true;
  keepFirst(bits, budget);
  left.set(task.indexPlace, Math.max(0, budget - count));
  return { ...visible, matches: bits, cacheable: false };
}
