// Cuts a page out of runs, by rank or by cursor. A run is one or more leaves in one order (order/rank/run.ts,
// collect-runs.ts). By cursor O(runs · log n + size), by rank O(runs · log² n + size).

import { type OrderRun, rankOfCut, visibleTotal } from '../../order/rank/run.ts';
import { cutAtCursor, cutAtRank } from '../../order/rank/select.ts';
import { type PageDoc, walkBackwards, walkForwards } from '../../order/rank/walk-runs.ts';
import type { CollectedRuns } from '../caches/runs-memo.ts';
import type { DocumentPage } from '../page/document-page.ts';
import type { PageRange } from '../request/cursor.ts';

/** The page at a range of the collected runs. */
export function sortedPage(collected: CollectedRuns, range: PageRange): DocumentPage {
  const { runs, total, scannedBefore, cutShort } = collected;
  const { from, size, cursor, backwards } = range;
  const page = (docs: readonly PageDoc[], first: number): DocumentPage => ({
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
    const end = scannedBefore + rankOfCut(runs, cut) - from;
    return page(picked, Math.max(0, end - picked.length));
  }
  if (cursor !== undefined) {
    const cut = cutAtCursor(runs, cursor, true);
    return page(walkForwards(runs, cut, from, size), scannedBefore + rankOfCut(runs, cut) + from);
  }
  if (from >= Math.max(total, visibleTotal(runs))) return page([], Math.min(from, total));
  const { cut, skip } = cutAtRank(runs, from - scannedBefore);
  return page(walkForwards(runs, cut, skip, size), from);
}

function bestScore(runs: readonly OrderRun[]): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const { stack, view } of runs) if (view.total > 0) best = Math.max(best, stack.sides[0]!.score);
  return best;
}
