// Scores the best hits again (`rescore`). Each index does so for itself, as the shards of the peer do: its best
// hits are found by their first scores; each rescorer combines the scores of the first of them with those of its
// query, and weighs the others; then the indices are merged.

import type { Rescore } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import { andInto, setBit } from '../../kernels/bits.ts';
import { chunkDocs, listDocs } from '../../query/node/chunk-docs.ts';
import { borrowScores, newBits, returnScores } from '../../query/node/node.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planInSteps } from '../../query/plan-query.ts';
import { compileInSteps, matchInSteps, scoreInSteps } from '../../query/steps.ts';
import { CHUNK_DOCS } from '../../segment/leaf.ts';
import { type SearchSteps, untilLate } from '../deadline.ts';
import type { DocumentPage, PageDoc } from '../page/document-page.ts';
import type { PlannedSearch } from '../plan/planned-search.ts';
import type { PageRange } from '../request/cursor.ts';

/** Throws for what cannot be used together with rescorers, and for windows above the setting of an index. */
export function checkRescore(
  { fields, views, request }: PlannedSearch,
  range: PageRange,
  rescorers: readonly Rescore[],
): void {
  if (request.collapse !== undefined) {
    throw new EngineError('search_exception', 'cannot use `collapse` in conjunction with `rescore`');
  }
  if (
    fields.length > 1 ||
    (fields.length === 1 && !(fields[0]!.field === '_score' && fields[0]!.descending))
  ) {
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].');
  }
  if (range.cursor !== undefined || range.backwards) {
    throw illegalArgument('Cannot use [search_after] in conjunction with [rescore].');
  }
  for (const { settings } of views) {
    const limit = Number(settings['index.max_rescore_window'] ?? 10_000);
    for (const { windowSize } of rescorers) {
      if (windowSize <= limit) continue;
      throw illegalArgument(
        `Rescore window [${windowSize}] is too large. It must be less than [${limit}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
      );
    }
  }
}

/** Finds a part of the list by the first scores. */
type FindFirst = (search: PlannedSearch, range: PageRange) => SearchSteps<DocumentPage>;

/** A page of the list in the order of the last scores. */
export function* rescoredPage(
  search: PlannedSearch,
  { from, size }: PageRange,
  rescorers: readonly Rescore[],
  findFirst: FindFirst,
): SearchSteps<DocumentPage> {
  const depth = Math.max(from + size, ...rescorers.map(({ windowSize }) => windowSize));
  const { shape: _, ...request } = search.request;
  const found: PageDoc[] = [];
  let total = 0;
  let cutShort = false;
  for (const [indexPlace, view] of search.views.entries()) {
    const tasks = search.tasks
      .filter((t) => t.indexPlace === indexPlace)
      .map((t, place) => ({ ...t, place }));
    if (tasks.length === 0) continue;
    const own = { ...search, request, tasks, fields: [] };
    const first = yield* findFirst(own, { from: 0, size: depth, cursor: undefined, backwards: false });
    let docs = first.docs;
    for (const rescorer of rescorers) docs = yield* rescore(search, view, docs, rescorer);
    found.push(...docs);
    total += first.total;
    cutShort ||= first.cutShort;
  }
  // The sort is stable: equal scores stay in the order of indices and documents.
  found.sort((a, b) => b.score - a.score);
  return {
    docs: found.slice(from, from + size),
    total,
    before: from > 0 && found.length > 0,
    after: total > from + size,
    maxScore: found[0]?.score ?? Number.NaN,
    cutShort,
  };
}

/** Hits of one index in the order of their new scores. */
function* rescore(
  { request, services, deadline }: PlannedSearch,
  view: IndexView,
  docs: readonly PageDoc[],
  rescorer: Rescore,
): SearchSteps<readonly PageDoc[]> {
  const { query, windowSize, queryWeight } = rescorer;
  const { compat, limits } = services;
  const now = request.now ?? services.now();
  const parsed = parseQuery(query, limits.query);
  const steps = planInSteps(parsed, view, { now, scores: true, compat, limits: limits.query });
  const plan = yield* untilLate(steps, deadline);
  if (plan === undefined) return docs;
  const scored = docs.map((doc) => ({ ...doc, score: Math.fround(doc.score * queryWeight) }));
  const window = scored.slice(0, windowSize);
  for (const [{ leaf }, own] of Map.groupBy(window, ({ side }) => side)) {
    const matcher = yield* untilLate(compileInSteps(plan, leaf), deadline);
    if (matcher === undefined) return docs;
    for (const [chunk, members] of Map.groupBy(own, ({ doc }) => Math.floor(doc / CHUNK_DOCS))) {
      const bits = newBits();
      const asked = newBits();
      for (const { doc } of members) setBit(asked, doc % CHUNK_DOCS);
      const any = yield* untilLate(matchInSteps(matcher, chunk, bits, asked), deadline);
      if (any === undefined) return docs;
      if (!any) continue;
      andInto(bits, asked);
      const scores = borrowScores();
      yield* scoreInSteps(matcher, chunk, bits, scores);
      for (const member of members) {
        const low = member.doc % CHUNK_DOCS;
        if (((bits[low >>> 5]! >>> (low & 31)) & 1) === 0) continue;
        member.score = combine(rescorer, member.score, Math.fround(scores[low]!));
      }
      const n = listDocs(bits);
      for (let i = 0; i < n; i++) scores[chunkDocs[i]!] = 0;
      returnScores(scores);
      yield;
    }
  }
  return scored.sort((a, b) => b.score - a.score || a.side.place - b.side.place || a.doc - b.doc);
}

/** In float32, as the peer combines them. `first` is weighed already. */
function combine({ scoreMode, rescoreQueryWeight }: Rescore, first: number, score: number): number {
  const second = Math.fround(score * rescoreQueryWeight);
  switch (scoreMode) {
    case 'total':
      return Math.fround(first + second);
    case 'multiply':
      return Math.fround(first * second);
    case 'avg':
      return Math.fround(Math.fround(first + second) / 2);
    case 'max':
      return Math.max(first, second);
    case 'min':
      return Math.min(first, second);
  }
}
