// How is a page found when scores do not decide? By rank or by cursor in the orders of the leaves. A large leaf that
// has no order yet answers by a scan this once, and its order is built behind the scenes.

import { isPositionOrder } from '../order/build.ts';
import type { Cursor } from '../order/compare.ts';
import { visibleBits } from '../order/orders.ts';
import { pickDocs } from '../order/pick.ts';
import { RankView } from '../order/rank.ts';
import {
  cutAtCursor,
  cutAtRank,
  type Run,
  rankOf,
  totalOf,
  walkBackwards,
  walkForwards,
} from '../order/select.ts';
import type { OrderSpec } from '../order/spec.ts';
import { countVisible, keepFirst, visibleOf } from './matches.ts';
import type { Pace } from './pace.ts';
import type { Page } from './page.ts';
import type { LeafTask } from './plan.ts';
import type { SearchServices } from './services.ts';

/** Beyond so many documents from the start, a scan costs more than building the order. */
const MAX_SCAN_PAGE = 4_096;

/** Where a page lies. */
export interface Where {
  readonly from: number;
  readonly size: number;
  readonly cursor: Cursor | undefined;
  readonly backwards: boolean;
}

/** Runs of all leaves, the visible documents in them, and those that lie across the cursor but in no run. */
interface Gathered {
  readonly runs: Run[];
  total: number;
  /** Visible documents of scanned leaves before the page's cut. */
  scannedBefore: number;
  /** Indices in which counting stopped early. */
  cutShort: boolean;
}

async function gather(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  scores: readonly number[],
  where: Where,
  limitPerIndex: number | undefined,
  services: SearchServices,
  pace: Pace,
): Promise<Gathered> {
  const { orders } = services.caches;
  const out: Gathered = { runs: [], total: 0, scannedBefore: 0, cutShort: false };
  const left = new Map<number, number>();
  for (const task of tasks) {
    const { leaf } = task.view;
    const spec = specs[task.indexPlace]!;
    if (pace.late) break;
    let visible = await visibleOf(task, services, pace);
    if (limitPerIndex !== undefined) {
      const bits =
        visibleBits(leaf, visible) ?? new Uint32Array((leaf.docCount + 31) >>> 5).fill(0xffff_ffff);
      if (leaf.docCount & 31 && visible.matches === undefined && task.view.live === undefined) {
        bits[leaf.docCount >>> 5]! &= (1 << (leaf.docCount & 31)) - 1;
      }
      const budget = left.get(task.indexPlace) ?? limitPerIndex;
      const count = countVisible(bits, leaf.docCount);
      if (count > budget) out.cutShort = true;
      keepFirst(bits, budget);
      left.set(task.indexPlace, Math.max(0, budget - count));
      visible = { ...visible, matches: bits, cacheable: false };
    }
    const score = scores[task.indexPlace] ?? 0;
    const side = orders.side(leaf, spec, task.place, task.indexPlace, score);
    let order = orders.peek(leaf, spec);
    const depth = where.from + where.size + 1;
    const mayScan =
      leaf.docCount > services.limits.buildAtOnce && depth <= MAX_SCAN_PAGE && !isPositionOrder(spec.entries);
    if (order === undefined && mayScan) {
      const bits = visibleBits(leaf, visible);
      const { docCount } = task.view;
      const { cursor, backwards } = where;
      const found = await pace.run(pickDocs(side, { bits, docCount, count: depth, cursor, backwards }));
      services.background(`${leaf.uid}|${spec.key}`, () => orders.build({ ...side, leaf }));
      const count = countVisible(bits, docCount);
      out.total += count;
      out.scannedBefore += where.backwards ? count - found.excluded - found.docs.length : found.excluded;
      out.runs.push({ side, docs: found.docs, view: RankView.all(found.docs.length) });
      continue;
    }
    order ??= await pace.run(orders.build(side));
    const view = orders.ranks(leaf, spec, order, visible);
    out.total += view.total;
    out.runs.push({ side, docs: order.docs, view });
    const wait = pace.step();
    if (wait !== undefined) await wait;
  }
  return out;
}

/** Finds a page by orders. `scores` are what all matches of each index score; `limitPerIndex` bounds the matches that are looked at in each index. */
export async function pageByOrder(
  tasks: readonly LeafTask[],
  specs: readonly OrderSpec[],
  scores: readonly number[],
  where: Where,
  limitPerIndex: number | undefined,
  services: SearchServices,
  pace: Pace,
): Promise<Page & { readonly cutShort: boolean }> {
  const { runs, total, scannedBefore, cutShort } = await gather(
    tasks,
    specs,
    scores,
    where,
    limitPerIndex,
    services,
    pace,
  );
  const { from, size, cursor, backwards } = where;
  const page = (
    picked: readonly { run: Run; doc: number }[],
    first: number,
  ): Page & { cutShort: boolean } => ({
    docs: picked.map((p) => ({ side: p.run.side, doc: p.doc, score: p.run.side.score })),
    total,
    before: first > 0 && total > 0,
    after: first + picked.length < total,
    maxScore: Math.max(
      Number.NEGATIVE_INFINITY,
      ...runs.filter((r) => r.view.total > 0).map((r) => r.side.score),
    ),
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
  const { cut, skip } = cutAtRank(runs, from);
  return page(walkForwards(runs, cut, skip, size), from);
}
