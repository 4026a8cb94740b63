// Which documents are the first few hundred in score order? Flat queries are pruned leaf by leaf, any other is scored
// whole; one heap takes both. How many match is counted from bitmaps, apart from scores.

import { popcount32 } from '../kernels/bits.ts';
import type { Side } from '../order/compare.ts';
import type { Plan } from '../query/matcher.ts';
import { type FlatPlan, flatPlan } from '../query/node/flat.ts';
import { countTerm } from '../score/count.ts';
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
import { type Collect, maskVisible, scan } from './scan.ts';
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
  let phrases = false;
  let total = 0;
  for (const task of tasks) {
    if (pace.late) return total;
    if (task.plan !== plan) {
      plan = task.plan;
      flat = flatPlan(plan);
      phrases = flat?.query.shape === 'phrase';
      if (pruner !== undefined) returnPruner(pruner);
      pruner = flat && borrowPruner(flat.query, top, phrases && options.countTo > 0);
    }
    const accept = flat?.restriction && (await matchesOf(task.view.leaf, flat.restriction, services, pace));
    if (pruner?.open(task.view, accept, positionOf(task.place, 0)) !== true) {
      total += (await scan([task], options, pace, collect)).total;
      continue;
    }
    const before = pruner.phrases;
    while (pruner.step()) {
      const wait = pace.step();
      if (wait !== undefined) await wait;
      if (pace.late) break;
    }
    if (phrases) total += pruner.phrases - before;
    else if (options.countTo > 0 && total <= options.countTo) total += await countMatches(task, flat!, pace);
  }
  if (pruner !== undefined) returnPruner(pruner);
  return total;
}

/** How many visible documents of a leaf match. */
async function countMatches(task: LeafTask, flat: FlatPlan, pace: Pace): Promise<number> {
  const { view, plan } = task;
  if (flat.restriction === undefined && flat.query.terms.length === 1) {
    const count = countTerm(view, flat.query.terms[0]!);
    if (count >= 0) return count;
  }
  const bits = new Uint32Array(CHUNK_WORDS);
  const matcher = plan.matcher(view.leaf);
  let total = 0;
  for (let chunk = 0; chunk * CHUNK_DOCS < view.docCount && !pace.late; chunk++) {
    if (!matcher.match(chunk, bits)) continue;
    maskVisible(view, chunk, bits);
    for (let w = 0; w < CHUNK_WORDS; w++) total += popcount32(bits[w]!);
    const wait = pace.step();
    if (wait !== undefined) await wait;
  }
  return total;
}
