// Collects the aggregations of a search: the matches of each leaf pass through the collector tree in batches of
// one chunk, with a look at the clock after each.

import { AggregationTree } from '../aggregations/aggregation-tree.ts';
import {
  type AggregationBatch,
  type AggregationLeaf,
  BATCH_DOCS,
  type LeafMatches,
  newBatch,
} from '../aggregations/collect/aggregator.ts';
import type { SubAggregators } from '../aggregations/collect/sub-aggregators.ts';
import type { AggregationProfile, AggregationResults, SearchRequest } from '../api.ts';
import { fillOnes, wordsFor } from '../kernels/bits.ts';
import { visibleBits } from '../order/rank/visible.ts';
import { CHUNK_DOCS, CHUNK_WORDS, type LeafView } from '../segment/leaf.ts';
import type { SearchSteps } from './deadline.ts';
import { chunkWords, matchLeaf } from './leaf-matches.ts';
import { type LeafTask, leafTasks } from './leaf-task.ts';
import { HitCollection } from './page/hit-collection.ts';
import { innerHits } from './page/inner-hits.ts';
import { planAll } from './plan/plan-memo.ts';
import type { PlannedSearch } from './plan/planned-search.ts';
import { scanMatches } from './scored/scored-scan.ts';

/** The results of the aggregations; undefined where the search has none. `profile` receives what they did. */
export function* aggregate(
  search: PlannedSearch,
  profile?: AggregationProfile[],
): SearchSteps<AggregationResults | undefined> {
  const { request, views, services } = search;
  const { aggregations, postFilter: _, ...whole } = request;
  if (aggregations === undefined) return undefined;
  const tree = yield* AggregationTree.create(
    aggregations,
    {
      views,
      request,
      now: request.now ?? services.now(),
      compat: services.compat,
      limits: services.limits.query,
      hitsOf: (objects) => new HitCollection(objects, services),
      hits: new HitCollection(
        views,
        services,
        (docs) => innerHits(docs, search.planned.inner, request, services),
        search.planned.named,
        request,
      ),
    },
    profile,
  );
  yield* tree.matching.prepare();
  yield* tree.global.prepare();
  if (!tree.matching.isEmpty) {
    const scores = search.needScores || tree.matching.needsScores;
    const isPlanned = request.postFilter === undefined && scores === search.needScores;
    const tasks = isPlanned ? search.tasks : yield* tasksOf(search, whole, scores);
    yield* scores ? collectScored(tree.matching, tasks, search) : collectAll(tree.matching, tasks, search);
  }
  if (!tree.global.isEmpty) {
    const { query: __, minScore: ___, ...all } = whole;
    const scores = tree.global.needsScores;
    const tasks = yield* tasksOf(search, all, scores);
    const own = { ...search, request: all };
    yield* scores ? collectScored(tree.global, tasks, own) : collectAll(tree.global, tasks, own);
  }
  return yield* tree.results();
}

function* tasksOf(search: PlannedSearch, request: SearchRequest, scores: boolean): SearchSteps<LeafTask[]> {
  const { views, services, deadline } = search;
  const { plans } = yield* planAll(views, request, services, scores, deadline);
  return leafTasks(views, plans);
}

/** The leaf of a task, as aggregators see it. */
function leafOf({ view, index, indexPlace, place }: LeafTask): AggregationLeaf {
  return { leaf: view.leaf, view, index, indexPlace, place, scores: undefined };
}

/** Collects the matches without scores. */
function* collectAll(
  subs: SubAggregators,
  tasks: readonly LeafTask[],
  search: PlannedSearch,
): SearchSteps<void> {
  const { services, deadline, request } = search;
  const scan = new BatchScan(request.terminateAfter || undefined);
  for (const task of tasks) {
    if (deadline.late) return;
    if (task.plan.matchesNone) continue;
    const { docCount } = task.view;
    const matches = yield* matchLeaf(task.view, task.plan, services, deadline);
    const entered = leafOf(task);
    yield* subs.enter(entered);
    const visible = new VisibleMatches(task.view, matches);
    const left = request.terminateAfter ? subs : yield* subs.collectLeaf(entered, visible);
    if (left.isEmpty) continue;
    const { bits } = visible;
    for (let chunk = 0; chunk * CHUNK_DOCS < docCount; chunk++) {
      const words = bits.subarray(chunk * CHUNK_WORDS, (chunk + 1) * CHUNK_WORDS);
      yield* scan.collect(left, task, chunk, words);
      if (deadline.late) return;
    }
  }
}

/** The matches of a leaf without the documents that are dead or beyond the snapshot. */
class VisibleMatches implements LeafMatches {
  readonly isAll: boolean;
  readonly #view: LeafView;
  readonly #matches: Uint32Array | undefined;
  #bits: Uint32Array | undefined;

  /** `matches` undefined: all documents. */
  constructor(view: LeafView, matches: Uint32Array | undefined) {
    this.#view = view;
    this.#matches = matches;
    this.isAll = matches === undefined && view.docCount === view.leaf.docCount;
  }

  get bits(): Uint32Array {
    return (this.#bits ??= this.#visible());
  }

  #visible(): Uint32Array {
    const view = this.#view;
    const { leaf } = view;
    const bits = visibleBits(leaf, { view, filterKey: '', matches: this.#matches, cacheable: false });
    if (bits !== undefined) return bits;
    const all = new Uint32Array(wordsFor(leaf.docCount));
    fillOnes(all, leaf.docCount);
    return all;
  }
}

/** Collects the matches with their scores. */
function* collectScored(
  subs: SubAggregators,
  tasks: readonly LeafTask[],
  { request, deadline }: PlannedSearch,
): SearchSteps<void> {
  const { minScore, terminateAfter } = request;
  const limitPerIndex = terminateAfter || undefined;
  const scan = new BatchScan(undefined);
  let leaf: AggregationLeaf | undefined;
  yield* scanMatches(tasks, { minScore, limitPerIndex }, deadline, function* (task, chunk, bits, scores) {
    if (leaf?.place !== task.place) {
      leaf = leafOf(task);
      yield* subs.enter(leaf);
    }
    leaf.scores = scores;
    yield* scan.collect(subs, task, chunk, bits);
  });
}

/** Time that one batch should take at most, in milliseconds. */
const BATCH_MS = 2;
const FEWEST_DOCS = 64;

/** The size of the next batch: collectors need from nanoseconds to milliseconds for a document. */
export class BatchSize {
  docs = 512;

  /** So many documents have taken so long. */
  note(count: number, ms: number): void {
    if (ms > BATCH_MS) this.docs = Math.max(FEWEST_DOCS, 2 ** Math.floor(Math.log2((count * BATCH_MS) / ms)));
    else if (ms < BATCH_MS / 4 && count > this.docs / 2) this.docs = Math.min(BATCH_DOCS, 2 * this.docs);
  }
}

/** Cuts the matches of a chunk into batches. */
class BatchScan {
  readonly #limitPerIndex: number;
  readonly #seen = new Map<number, number>();
  readonly #batch: AggregationBatch = newBatch();
  readonly #size = new BatchSize();

  constructor(limitPerIndex: number | undefined) {
    this.#limitPerIndex = limitPerIndex ?? Number.POSITIVE_INFINITY;
  }

  /** Yields after each batch. */
  *collect(subs: SubAggregators, task: LeafTask, chunk: number, bits: Uint32Array): SearchSteps<void> {
    const words = chunkWords(task.view.leaf.docCount, chunk);
    const batch = this.#batch;
    const { docs } = batch;
    const before = this.#seen.get(task.indexPlace) ?? 0;
    let left = this.#limitPerIndex - before;
    let n = 0;
    for (let w = 0; w < words && left > 0; w++) {
      const last = chunk * CHUNK_DOCS + (w << 5) + 31;
      for (let word = bits[w]!; word !== 0; ) {
        const low = word & -word;
        word ^= low;
        docs[n++] = last - Math.clz32(low);
      }
      if (n + 32 <= this.#size.docs && w + 1 < words) continue;
      batch.count = Math.min(n, left);
      left -= n;
      n = 0;
      const start = performance.now();
      subs.collectBatch(batch);
      this.#size.note(batch.count, performance.now() - start);
      yield;
    }
    if (Number.isFinite(this.#limitPerIndex))
      this.#seen.set(task.indexPlace, Math.min(this.#limitPerIndex, this.#limitPerIndex - left));
  }
}
