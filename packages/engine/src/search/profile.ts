// The profile of a search: how long planning and finding the page took, and what each part of the query costs. The parts
// are measured one by one after the search, each alone over all documents: within a search they share work.

import { nanosSince } from '../aggregations/collect/profile.ts';
import type { AggregationProfile, ProfiledQuery, SearchProfile } from '../api.ts';
import { andInto, popcount32 } from '../kernels/bits.ts';
import { type Plan, testsDocuments } from '../query/matcher.ts';
import { borrowScores, newBits, returnScores } from '../query/node/node.ts';
import { compileInSteps, matchInSteps, type Steps, scoreInSteps } from '../query/steps.ts';
import { CHUNK_DOCS, type LeafView } from '../segment/leaf.ts';
import { liveDocs } from '../segment/live-docs.ts';
import type { PlannedSearch } from './plan/planned-search.ts';

/** How long the steps of a search took, in nanoseconds. */
interface SearchTimes {
  readonly plan: number;
  readonly page: number;
}

/** Parts of a query within parts that are measured. */
const MAX_DEPTH = 20;
/** Parts of one query that are measured. */
const MAX_PARTS = 200;

/** The profile of a search that has ended. */
export function* profileSearch(
  { views, planned, needScores }: PlannedSearch,
  times: SearchTimes,
  aggregations: readonly AggregationProfile[],
): Steps<SearchProfile> {
  const indices: SearchProfile['indices'][number][] = [];
  for (const [place, { name, leaves }] of views.entries()) {
    const left = { parts: MAX_PARTS };
    const query = yield* measure(planned.plans[place]!, leaves, needScores, 0, left);
    indices.push({ index: name, query });
  }
  return { indices, planNanos: times.plan, pageNanos: times.page, aggregations };
}

function* measure(
  plan: Plan,
  leaves: readonly LeafView[],
  scores: boolean,
  depth: number,
  left: { parts: number },
): Steps<ProfiledQuery> {
  left.parts--;
  const figures = { compileNanos: 0, matchNanos: 0, matches: 0, scoreNanos: 0, scored: 0 };
  const bits = newBits();
  const live = newBits();
  for (const view of leaves) {
    const { leaf } = view;
    let start = performance.now();
    const matcher = yield* compileInSteps(plan, leaf);
    figures.compileNanos += nanosSince(start);
    for (let chunk = 0; chunk * CHUNK_DOCS < leaf.docCount; chunk++) {
      start = performance.now();
      liveDocs(view, chunk, live);
      const any = yield* matchInSteps(matcher, chunk, bits, live);
      figures.matchNanos += nanosSince(start);
      if (!any) continue;
      andInto(bits, live);
      let matches = 0;
      for (const word of bits) matches += popcount32(word);
      figures.matches += matches;
      if (scores && plan.scoring) {
        const own = borrowScores();
        start = performance.now();
        yield* scoreInSteps(matcher, chunk, bits, own);
        figures.scoreNanos += nanosSince(start);
        figures.scored += matches;
        own.fill(0);
        returnScores(own);
      }
      yield;
    }
  }
  const children: ProfiledQuery[] = [];
  if (depth < MAX_DEPTH) {
    for (const part of plan.parts ?? [])
      if (left.parts > 0 && !testsDocuments(part))
        children.push(yield* measure(part, leaves, scores, depth + 1, left));
  }
  return { type: typeOf(plan), description: plan.key, ...figures, children };
}

/** The peer's name of a query, where it has one like ours. */
function typeOf(plan: Plan): string {
  const name = plan.constructor.name.replace(/Node$/, '');
  return `${NAMES[name] ?? name}Query`;
}

const NAMES: Readonly<Record<string, string>> = {
  All: 'MatchAllDocs',
  Bool: 'Boolean',
  Constant: 'ConstantScore',
  DisMax: 'DisjunctionMax',
  None: 'MatchNoDocs',
  Nested: 'ToParentBlockJoin',
  NumericRange: 'PointRange',
  TermSet: 'TermInSet',
};
