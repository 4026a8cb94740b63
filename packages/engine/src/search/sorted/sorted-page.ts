// How is a page found when scores do not decide? By rank or by cursor in the orders of the leaves. A large leaf that
// has no order yet answers by a scan this once, and its order is built behind the scenes; far from the start, all leaves do.

import { isPositionOrder } from '../../order/build/build-order.ts';
import { Far } from '../../order/unordered/key-levels.ts';
import { Stack } from '../../order/build/leaf-stack.ts';
import type { Cursor } from '../../order/compare.ts';
import { RankView } from '../../order/rank/rank-view.ts';
import { cutAtCursor, cutAtRank } from '../../order/rank/select.ts';
import { type Visible, visibleBits } from '../../order/rank/visible.ts';
import { type Picked, walkBackwards, walkForwards } from '../../order/rank/walk-runs.ts';
import { type Run, rankOf, totalOf } from '../../order/rank/run.ts';
import type { OrderSpec } from '../../order/order-spec.ts';
import { pickDocs } from '../../order/unordered/pick-first.ts';
import type { Leaf } from '../../segment/leaf.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import type { Page } from '../page/document-page.ts';
import type { LeafTask } from '../leaf-task.ts';
import { countVisible, keepFirst, visibleOf } from '../leaf-matches.ts';
import type { SearchServices } from '../services.ts';
import { mergedOf, stackOf } from './order-merging.ts';
import { gatherAround, isCounted, MAX_SCAN_PAGE } from './unordered-jump.ts';

/** Keys of fewer documents are made at once. */
const SHORT = 1_024;

/** Where a page lies. */
export interface Where {
  readonly from: number;
  readonly size: number;
  readonly cursor: Cursor | undefined;
  readonly backwards: boolean;
}

/** Runs of all leaves, the visible documents in them, and those that lie across the cursor but in no run. */
export interface Gathered {
  readonly runs: Run[];
  total: number;
  /** Visible documents of scanned leaves before the page's cut; without a cursor, those before all that the runs have. */
  scannedBefore: number;
  /** Indices in which counting stopped early. */
  cutShort: boolean;
  /** True where the runs are good for any page: nothing was scanned, cut or left out. */
  isWhole: boolean;
  /** Documents of leaves whose orders were built at once. */
  built: number;
  /** Leaves that were scanned, */
  readonly unbuilt: Unbuilt[];
  /** and of each index, what they have found that lies so near that others need not look farther. */
  readonly far: Far[];
}

/** A leaf that was scanned because it has no order. */
export interface Unbuilt extends Pick<LeafTask, 'place' | 'indexPlace'> {
  readonly leaf: Leaf;
  readonly spec: OrderSpec;
  readonly visible: Visible;
}

/** Builds an order behind the scenes, and the ranks of what was asked for in it. */
function buildLater({ leaf, spec, visible, place, indexPlace }: Unbuilt, services: SearchServices): void {
  const { orders } = services.caches;
  services.background(`${leaf.uid}|${spec.key}`, function* () {
    yield* orders.ready(leaf, spec);
    const order = yield* orders.build(orders.side(leaf, spec, place, indexPlace));
    if (visible.cacheable) yield* orders.ranks(leaf, spec, order, visible);
  });
}

function nothingGathered(): Gathered {
  return {
    runs: [],
    total: 0,
    scannedBefore: 0,
    cutShort: false,
    isWhole: true,
    built: 0,
    unbuilt: [],
    far: [],
  };
}

/** Brings the leaves of a search in order: the merged order of an index where there is one, else leaf by leaf. */
export function* gather(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  scores: readonly number[],
  where: Where,
  limitPerIndex: number | undefined,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<Gathered> {
  const out = nothingGathered();
  if (limitPerIndex !== undefined) out.isWhole = false;
  const left = new Map<number, number>();
  noteSorts(tasks, specs, services);
  const taken =
    limitPerIndex === undefined ? yield* gatherMerged(out, tasks, specs, scores, services, deadline) : NONE;
  const isFound =
    limitPerIndex === undefined &&
    isCounted(tasks, specs, taken, where, services) &&
    (yield* gatherAround(out, tasks, specs[tasks[0]!.indexPlace]!, scores, where, services, deadline));
  for (const task of isFound ? [] : tasks) {
    if (taken.has(task)) continue;
    if (deadline.late) break;
    const spec = specs[task.indexPlace]!;
    let visible = yield* visibleOf(task, services, deadline);
    if (limitPerIndex !== undefined) visible = limited(task, visible, limitPerIndex, left, out);
    yield* gatherLeaf(out, task, visible, spec, scores[task.indexPlace] ?? 0, where, services);
    yield;
  }
  if (deadline.late) out.isWhole = false;
  // Not before: the search would wait for every other slice of it.
  for (const each of out.unbuilt) buildLater(each, services);
  return out;
}

/** Documents that come next will be asked for in these orders. */
function noteSorts(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  { caches }: SearchServices,
): void {
  let indexPlace = -1;
  for (const task of tasks) {
    if (task.indexPlace === indexPlace) continue;
    indexPlace = task.indexPlace;
    caches.sorts.used(task.index.uuid, specs[indexPlace]!);
  }
}

const NONE: ReadonlySet<LeafTask> = new Set();

/** Adds the merged orders of indices; gives back the leaves that are in them. */
function* gatherMerged(
  out: Gathered,
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
    const found = mergedOf(own, spec, orders);
    if (found === undefined) continue;
    const parts: Visible[] = [];
    for (const task of found.tasks) parts.push(yield* visibleOf(task, services, deadline));
    const stack = stackOf(found.tasks, spec, scores[indexPlace] ?? 0, orders);
    const view = yield* orders.mergedRanks(found.merged, stack, parts);
    out.total += view.total;
    const { order } = found.merged;
    out.runs.push({ stack, docs: order.docs, order, view });
    for (const task of found.tasks) taken.add(task);
  }
  return taken;
}

/** Adds one leaf: by its order, or by a scan while that is being built. */
function* gatherLeaf(
  out: Gathered,
  task: LeafTask,
  visible: Visible,
  spec: OrderSpec,
  score: number,
  where: Where,
  services: SearchServices,
): SearchSteps<void> {
  const { orders } = services.caches;
  const { leaf } = task.view;
  let order = orders.peek(leaf, spec);
  if (order === undefined && isScanned(out, leaf, spec, where, services)) {
    yield* scanLeaf(out, task, visible, spec, score, where, services);
    return;
  }
  if (leaf.docCount > SHORT) yield* orders.ready(leaf, spec);
  const side = orders.side(leaf, spec, task.place, task.indexPlace, score);
  order ??= yield* orders.build(side);
  const view = yield* orders.ranks(leaf, spec, order, visible);
  out.total += view.total;
  const stack = new Stack([side]);
  out.runs.push({ stack, docs: order.docs, order, view, leads: yield* order.leadsOf(stack) });
}

/** Whether a page is found sooner by a scan of a leaf than by building its order. Counts what is built instead. */
function isScanned(
  out: Gathered,
  { docCount }: Leaf,
  spec: OrderSpec,
  { from, size }: Where,
  { limits }: SearchServices,
): boolean {
  if (from + size + 1 > MAX_SCAN_PAGE || isPositionOrder(spec.entries)) return false;
  if (out.built + docCount > limits.buildAtOnce) return true;
  out.built += docCount;
  return false;
}

/** Adds the first few documents of a leaf, and has its order built behind the scenes. */
function* scanLeaf(
  out: Gathered,
  task: LeafTask,
  visible: Visible,
  spec: OrderSpec,
  score: number,
  where: Where,
  services: SearchServices,
): SearchSteps<void> {
  const { orders } = services.caches;
  const { leaf, docCount } = task.view;
  const { place, indexPlace } = task;
  yield* orders.readyNow(leaf, spec);
  const side = orders.sideNow(leaf, spec, place, indexPlace, score);
  const bits = visibleBits(leaf, visible);
  const { from, size, cursor, backwards } = where;
  out.far[indexPlace] ??= new Far();
  const pick = { bits, docCount, count: from + size + 1, cursor, backwards, far: out.far[indexPlace] };
  const found = yield* pickDocs(side, pick);
  out.unbuilt.push({ leaf, spec, visible, place, indexPlace });
  const count = visible.matches === undefined ? task.view.liveCount : countVisible(bits, docCount);
  out.isWhole = false;
  out.total += count;
  out.scannedBefore += backwards ? count - found.excluded - found.docs.length : found.excluded;
  out.runs.push({ stack: new Stack([side]), docs: found.docs, view: RankView.all(found.docs.length) });
}

/** Only the first matches of an index, as far as they go. */
function limited(
  task: LeafTask,
  visible: Visible,
  limitPerIndex: number,
  left: Map<number, number>,
  out: Gathered,
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

/** The page of runs that are good for it. */
export function pageOf(gathered: Gathered, where: Where): Page & { readonly cutShort: boolean } {
  const { runs, total, scannedBefore, cutShort } = gathered;
  const { from, size, cursor, backwards } = where;
  const page = (docs: readonly Picked[], first: number): Page & { cutShort: boolean } => ({
    docs,
    total,
    before: first > 0 && total > 0,
    after: first + docs.length < total,
    maxScore: bestScore(runs),
    cutShort,
  });
  if (backwards) {
    const cut = cursor === undefined ? runs.map((r) => r.docs.length) : cutAtCursor(runs, cursor, false);
    const picked = walkBackwards(runs, cut, from, size);
    const end = scannedBefore + rankOf(runs, cut) - from;
    return page(picked, Math.max(0, end - picked.length));
  }
  if (cursor !== undefined) {
    const cut = cutAtCursor(runs, cursor, true);
    return page(walkForwards(runs, cut, from, size), scannedBefore + rankOf(runs, cut) + from);
  }
  if (size === 0 || from >= Math.max(total, totalOf(runs))) return page([], Math.min(from, total));
  const { cut, skip } = cutAtRank(runs, from - scannedBefore);
  return page(walkForwards(runs, cut, skip, size), from);
}

function bestScore(runs: readonly Run[]): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const { stack, view } of runs) if (view.total > 0) best = Math.max(best, stack.sides[0]!.score);
  return best;
}
