// Finds the first few hundred documents in score order with one bounded heap. Flat queries are pruned, by a
// kernel over all leaves or leaf by leaf without one; any other query is scored whole. Matches are counted
// from bitmaps, apart from scores.

import type { Side } from '../../order/compare.ts';
import type { Plan } from '../../query/matcher.ts';
import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import { type FlatPlan, flatPlan } from '../../query/node/flat-plan.ts';
import { CompiledQuery, isCompilable, NOT_IN_ARENA } from '../../score/kernel/compiled-query.ts';
import { areKernelsOn } from '../../score/kernel/kernel-records.ts';
import { locateTerms } from '../../score/locate-terms.ts';
import { borrowPruner, returnPruner } from '../../score/prune/pruner.ts';
import { TopK } from '../../score/top-k.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import type { Deadline, SearchSteps } from '../deadline.ts';
import { matchLeaf } from '../leaf-matches.ts';
import { docAt, type LeafTask, placeAt, positionOf } from '../leaf-task.ts';
import type { DocumentPage } from '../page/document-page.ts';
import type { PageRange } from '../request/cursor.ts';
import type { SearchServices } from '../services.ts';
import { type Collect, type ScoreOptions, scanMatches } from './scored-scan.ts';

/** Finds a page near the top. Totals are exact up to `options.countTo`, and beyond it at least that. */
export function* topPage(
  tasks: readonly LeafTask[],
  sides: readonly Side[],
  range: PageRange,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<DocumentPage> {
  const { from, size } = range;
  // One more than the page tells whether a hit follows, even where nothing is counted.
  const top = new TopK(from + size + 1);
  const collect = collectInto(top);
  const isWhole = options.minScore !== undefined || options.limitPerIndex !== undefined;
  const { total, cutShort } = isWhole
    ? yield* scanMatches(tasks, options, deadline, collect)
    : { total: yield* pruneAll(tasks, top, collect, options, services, deadline), cutShort: false };
  const { docs: positions, scores } = top.drain();
  const docs = [];
  for (let i = from; i < Math.min(positions.length, from + size); i++) {
    docs.push({ side: sides[placeAt(positions[i]!)]!, doc: docAt(positions[i]!), score: scores[i]! });
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

/** Offers every match of a scan to a heap. */
export function collectInto(top: TopK): Collect {
  return (task, chunk, bits, scores) => {
    const base = positionOf(task.place, chunk * CHUNK_DOCS);
    let threshold = top.threshold;
    const n = listDocs(bits);
    for (let i = 0; i < n; i++) {
      const doc = chunkDocs[i]!;
      const score = Math.fround(scores[doc]!);
      if (score <= threshold) continue;
      top.offer(score, base + doc);
      threshold = top.threshold;
    }
  };
}

/** Postings that a kernel goes over between two looks at the clock: about a millisecond. */
const KERNEL_POSTINGS = 1_000_000;

/** Flat forms of memoized plans (plan/plan-memo.ts); null where a plan is not flat. */
const flats = new WeakMap<Plan, FlatPlan | null>();

/** Goes over all leaves. Returns the total, or where that is larger a part of it above `countTo`. */
function* pruneAll(
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
    const known = flats.get(plan);
    const flat = known === undefined ? flatPlan(plan) : (known ?? undefined);
    if (known === undefined) flats.set(plan, flat ?? null);
    let left = own;
    if (flat !== undefined && areKernelsOn() && isCompilable(flat.query)) {
      const found = yield* pruneByKernel(
        own,
        flat,
        known !== undefined,
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
      total += yield* pruneLeaves(left, flat, top, total, collect, options, services, deadline);
    from = to;
  }
  return total;
}

/** Searches those leaves of one plan that a kernel can search. Returns which are left. */
function* pruneByKernel(
  tasks: readonly LeafTask[],
  flat: FlatPlan,
  isRepeated: boolean,
  top: TopK,
  counted: number,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<{ total: number; left: readonly LeafTask[] }> {
  const compiled = CompiledQuery.open(flat.query, top.capacity, tasks, isRepeated);
  const left: LeafTask[] = [];
  try {
    const { rows } = compiled;
    for (let i = 0; i < rows.length; i++) {
      const task = tasks[i]!;
      const row = rows[i]!;
      if (row === NOT_IN_ARENA) left.push(task);
      if (row < 0 || flat.restriction === undefined) continue;
      const accept = yield* matchLeaf(task.view, flat.restriction, services, deadline);
      if (accept !== undefined && !compiled.restrict(row, accept)) left.push(task);
    }
    const countTo = options.countTo > 0 ? options.countTo - counted : -1;
    for (let more = !deadline.late; more; ) {
      more = compiled.run(countTo, KERNEL_POSTINGS, top.threshold);
      // Also after the last run: each of many indices has a plan, and the deadline is looked at between them.
      yield;
      if (deadline.late) break;
    }
    // What was found counts, even where the time was up.
    for (let i = 0; i < compiled.size; i++) {
      top.offer(compiled.score(i), positionOf(compiled.place(i), compiled.doc(i)));
    }
    return { total: compiled.total, left };
  } finally {
    compiled.release();
  }
}

/** Searches the leaves of one plan one by one: pruned where the plan is flat, else scored whole. */
function* pruneLeaves(
  tasks: readonly LeafTask[],
  flat: FlatPlan | undefined,
  top: TopK,
  counted: number,
  collect: Collect,
  options: ScoreOptions,
  services: SearchServices,
  deadline: Deadline,
): SearchSteps<number> {
  const pruner = flat && borrowPruner(flat.query, top);
  let total = 0;
  for (const task of tasks) {
    if (deadline.late) break;
    const accept = flat?.restriction && (yield* matchLeaf(task.view, flat.restriction, services, deadline));
    const counting = options.countTo > 0 && counted + total <= options.countTo;
    const before = pruner?.total ?? 0;
    const terms = flat === undefined ? 'unbounded' : locateTerms(flat.query, task.view.leaf);
    if (pruner?.enterLeaf(task.view, terms, accept, positionOf(task.place, 0), counting) !== true) {
      total += (yield* scanMatches([task], options, deadline, collect)).total;
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
