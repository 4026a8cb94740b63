// Which documents are the first few hundred in score order? Flat queries are pruned leaf by leaf, any other is scored
// whole; one heap takes both. How many match is counted from bitmaps, apart from scores.

import type { Side } from '../order/compare.ts';
import type { Plan } from '../query/matcher.ts';
import { type FlatPlan, flatPlan } from '../query/node/flat.ts';
import { borrowPruner, type Pruner, returnPruner } from '../score/prune.ts';
import { TopK } from '../score/topk.ts';
import { CHUNK_DOCS, CHUNK_WORDS } from '../segment/leaf.ts';
import type { Where } from './by-order.ts';
import type { ScoreOptions } from './by-score.ts';
import { matchesOf } from './matches.ts';
import type { Pace } from './pace.ts';
import type { Page } from './page.ts';
import type { LeafTask } from './plan.ts';
import { docOf, placeOf, positionOf } from './ranked.ts';
import { type Collect, scan } from './scan.ts';
import type { SearchServices } from './services.ts';

type Found = Page & { readonly cutShort: boolean };

/** Finds a page near the top. Totals are exact up to `options.countTo`, and beyond it at least that. */
export async function firstByScore(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  where: Where,
  options: ScoreOptions,
  services: SearchServices,
  pace: Pace,
): Promise<Found> {
  const { from, size } = where;
  // One more than the page, so that it is known whether something follows even where nothing is counted.
  const top = new TopK(from + size + 1);
  const collect = into(top);
  const whole = options.minScore !== undefined || options.limitPerIndex !== undefined;
  const { total, cutShort } = whole
    ? await scan(tasks, options, pace, collect)
    : { total: await prune(tasks, top, collect, options, services, pace), cutShort: false };
  const { docs: positions, scores } = top.drain();
  const docs = [];
  for (let i = from; i < Math.min(positions.length, from + size); i++) {
    docs.push({ side: sides[placeOf(positions[i]!)]!, doc: docOf(positions[i]!), score: scores[i]! });
  }
  return {
    docs,
    total: Math.max(total, positions.length),
    before: from > 0 && positions.length > 0,
    after: positions.length > from + size,
    maxScore: scores.length > 0 ? scores[0]! : Number.NaN,
    cutShort,
  };
}

/** Offers all that a scan sees to a heap. */
export function into(top: TopK): Collect {
  return (task, chunk, bits, scores) => {
    const base = positionOf(task.place, chunk * CHUNK_DOCS);
    let threshold = top.threshold;
    for (let w = 0; w < CHUNK_WORDS; w++) {
      let word = bits[w]!;
      while (word !== 0) {
        const low = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(low);
        word ^= low;
        const score = Math.fround(scores[doc]!);
        if (score <= threshold) continue;
        top.offer(score, base + doc);
        threshold = top.threshold;
      }
    }
  };
}

/** Goes over all leaves. Returns the total, or a part of it that lies above `countTo`. */
async function prune(
  tasks: readonly LeafTask[],
  top: TopK,
  collect: Collect,
  options: ScoreOptions,
  services: SearchServices,
  pace: Pace,
): Promise<number> {
  let plan: Plan | undefined;
  let flat: FlatPlan | undefined;
  let pruner: Pruner | undefined;
  let total = 0;
  for (const task of tasks) {
    if (pace.late) return total;
    if (task.plan !== plan) {
      plan = task.plan;
      flat = flatPlan(plan);
      if (pruner !== undefined) returnPruner(pruner);
      pruner = flat && borrowPruner(flat.query, top);
    }
    const accept = flat?.restriction && (await matchesOf(task.view.leaf, flat.restriction, services, pace));
    const counting = options.countTo > 0 && total <= options.countTo;
    const before = pruner?.total ?? 0;
    if (pruner?.open(task.view, accept, positionOf(task.place, 0), counting) !== true) {
      total += (await scan([task], options, pace, collect)).total;
      continue;
    }
    while (pruner.step()) {
      const wait = pace.step();
      if (wait !== undefined) await wait;
      if (pace.late) break;
    }
    total += pruner.total - before;
  }
  if (pruner !== undefined) returnPruner(pruner);
  return total;
}
