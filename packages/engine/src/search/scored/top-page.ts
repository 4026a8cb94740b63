// Which documents are the first few hundred in score order? Flat queries are pruned leaf by leaf, any other is scored
// whole; one heap takes both. How many match is counted from bitmaps, apart from scores.

import type { Side } from '../../order/compare.ts';
import type { Plan } from '../../query/matcher.ts';
import { type FlatPlan, flatPlan } from '../../query/node/flat-plan.ts';
import { Compiled, FOREIGN, isCompilable } from '../../score/kernel/compiled-query.ts';
import { kernelsAreOn } from '../../score/kernel/kernel-records.ts';
import { locate } from '../../score/locate-terms.ts';
import { borrowPruner, returnPruner } from '../../score/prune/pruner.ts';
import { TopK } from '../../score/top-k.ts';
import { CHUNK_DOCS, CHUNK_WORDS } from '../../segment/leaf.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import type { Page } from '../page/document-page.ts';
import type { LeafTask } from '../leaf-task.ts';
import type { SearchServices } from '../services.ts';
import type { Where } from '../sorted/sorted-page.ts';
import { matchesOf } from '../leaf-matches.ts';
import { docOf, placeOf, positionOf } from './ranked-list.ts';
import type { ScoreOptions } from './scored-page.ts';
import { type Collect, scan } from './scored-scan.ts';

type Found = Page & { readonly cutShort: boolean };

/** Finds a page near the top. Totals are exact up to `options.countTo`, and beyond it at least that. */
export function* firstByScore(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  where: Where,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<Found> {
  const { from, size } = where;
  // One more than the page, so that it is known whether something follows even where nothing is counted.
  const top = new TopK(from + size + 1);
  const collect = into(top);
  const whole = options.minScore !== undefined || options.limitPerIndex !== undefined;
  const { total, cutShort } = whole
    ? yield* scan(tasks, options, deadline, collect)
    : { total: yield* prune(tasks, top, collect, options, services, deadline), cutShort: false };
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

/** Postings that the kernels go over between two looks at the clock: about a millisecond. */
const WORK = 1_000_000;

/** What is known of plans that are kept (planned.ts); null where one is not flat. */
const flats = new WeakMap<Plan, FlatPlan | null>();

/** Goes over all leaves. Returns the total, or a part of it that lies above `countTo`. */
function* prune(
  tasks: readonly LeafTask[],
  top: TopK,
  collect: Collect,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<number> {
  let total = 0;
  for (let from = 0; from < tasks.length; ) {
    const { plan } = tasks[from]!;
    let to = from + 1;
    while (to < tasks.length && tasks[to]!.plan === plan) to++;
    const own = from === 0 && to === tasks.length ? tasks : tasks.slice(from, to);
    const kept = flats.get(plan);
    const flat = kept === undefined ? flatPlan(plan) : (kept ?? undefined);
    if (kept === undefined) flats.set(plan, flat ?? null);
    let left = own;
    if (flat !== undefined && kernelsAreOn() && isCompilable(flat.query)) {
      const found = yield* pruneCompiled(
        own,
        flat,
        kept !== undefined,
        top,
        total,
        options,
        services,
        deadline,
      );
      total += found.total;
      left = found.left;
    }
    if (left.length > 0)
      total += yield* pruneApart(left, flat, top, total, collect, options, services, deadline);
    from = to;
  }
  return total;
}

/** Searches the leaves of one plan that kernels can search, and tells which are left. */
function* pruneCompiled(
  tasks: readonly LeafTask[],
  flat: FlatPlan,
  again: boolean,
  top: TopK,
  known: number,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<{ total: number; left: readonly LeafTask[] }> {
  const compiled = Compiled.open(flat.query, top.capacity, tasks, again);
  const left: LeafTask[] = [];
  try {
    const { rows } = compiled;
    for (let i = 0; i < rows.length; i++) {
      const task = tasks[i]!;
      const row = rows[i]!;
      if (row === FOREIGN) left.push(task);
      if (row < 0 || flat.restriction === undefined) continue;
      const accept = yield* matchesOf(task.view.leaf, flat.restriction, services, deadline);
      if (accept !== undefined && !compiled.restrict(row, accept)) left.push(task);
    }
    const countTo = options.countTo > 0 ? options.countTo - known : -1;
    for (let more = !deadline.late; more; ) {
      more = compiled.run(countTo, WORK, top.threshold);
      // Also behind the last run: of many indices each has a plan, and the deadline is looked at between them.
      yield;
      if (deadline.late) break;
    }
    // What was found when the time was up counts.
    for (let i = 0; i < compiled.size; i++) {
      top.offer(compiled.score(i), positionOf(compiled.place(i), compiled.doc(i)));
    }
    return { total: compiled.total, left };
  } finally {
    compiled.release();
  }
}

/** Searches the leaves of one plan one by one: pruned where it is flat, scored whole where not. */
function* pruneApart(
  tasks: readonly LeafTask[],
  flat: FlatPlan | undefined,
  top: TopK,
  known: number,
  collect: Collect,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<number> {
  const pruner = flat && borrowPruner(flat.query, top);
  let total = 0;
  for (const task of tasks) {
    if (deadline.late) break;
    const accept =
      flat?.restriction && (yield* matchesOf(task.view.leaf, flat.restriction, services, deadline));
    const counting = options.countTo > 0 && known + total <= options.countTo;
    const before = pruner?.total ?? 0;
    const terms = flat === undefined ? 'unbounded' : locate(flat.query, task.view.leaf);
    if (pruner?.open(task.view, terms, accept, positionOf(task.place, 0), counting) !== true) {
      total += (yield* scan([task], options, deadline, collect)).total;
      continue;
    }
    while (pruner.step()) {
      yield;
      if (deadline.late) break;
    }
    total += pruner.total - before;
  }
  if (pruner !== undefined) returnPruner(pruner);
  return total;
}
