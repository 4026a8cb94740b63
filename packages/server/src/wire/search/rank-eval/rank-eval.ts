// The `_rank_eval` endpoints: how well searches find the documents that people have rated for them.

import { attachPlace, EngineError, type Hit, illegalArgument, parserPlaceOf } from '@octavo/engine';
import { asEngineError, errorBody } from '../../../errors/error-body.ts';
import { double } from '../../../json/number-text.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';
import { RESOLVE_PARAMS } from '../../resolve/resolve.ts';
import { searchTarget } from '../../resolve/target.ts';
import { requireBody } from '../../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../../router/route.ts';
import { buildListRequest, checkSpec } from '../body/search-request.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { hitPrinter } from '../page/search-tree.ts';
import { findMalformation, wrapShardErrors } from '../search-errors.ts';
import { type RatedSearch, ratingKey, readRankEval } from './rank-eval-body.ts';
import type { RankMetric } from './rank-metrics.ts';

/** The rows of this family. */
export const rankEvalRoutes: readonly Route[] = ['/_rank_eval', '/{index}/_rank_eval'].map(
  (path): Route => ({
    methods: ['GET', 'POST'],
    path,
    params: [...RESOLVE_PARAMS, 'search_type'],
    handle: rankEval,
  }),
);

async function rankEval(call: Call, services: Services): Promise<Reply> {
  requireBody(call, 'request body or source parameter is required');
  const { searches, metric } = readRankEval(call.object(), services);
  const { msearchItems } = services.limits;
  if (searches.length > msearchItems) throw illegalArgument(`more than [${msearchItems}] rated searches`);
  for (const { written } of searches) if (written !== undefined) refuseMalformed(written);
  const details = new Map<string, { readonly score: number; readonly body: ReplyObject }>();
  const failures: ReplyObject = {};
  for (const search of searches) {
    try {
      details.set(search.id, await evaluate(search, metric, call, services));
    } catch (thrown) {
      const { error } = errorBody(asEngineError(thrown));
      failures[search.id] = { error };
    }
    if (call.hasHungUp) throw new EngineError('exception', 'the caller has disconnected');
  }
  let sum = 0;
  for (const { score } of details.values()) sum += score;
  return {
    body: {
      metric_score: double(sum / details.size),
      details: Object.fromEntries([...details].map(([id, { body }]) => [id, body])),
      failures,
    },
  };
}

/** A malformed search refuses the whole request, in the words of the peer's parser. */
function refuseMalformed(search: SearchSpec): void {
  let error = findMalformation(search);
  if (error === undefined) return;
  if (!(error instanceof EngineError)) throw error;
  const place = parserPlaceOf(error);
  for (const [parser, field] of [
    ['request', 'request'],
    ['rank_eval', 'requests'],
  ]) {
    const reason = `[${parser}] failed to parse field [${field}]`;
    const outer = new EngineError('x_content_parse_exception', reason, { causedBy: error as EngineError });
    error = place === undefined ? outer : attachPlace(outer, place);
  }
  throw error;
}

/** Runs one search and compares its hits with the ratings. */
async function evaluate(
  { search, ratings }: RatedSearch,
  metric: RankMetric,
  call: Call,
  services: Services,
): Promise<{ readonly score: number; readonly body: ReplyObject }> {
  const spec = { ...search(), size: metric.window };
  checkSpec(spec, services);
  const target = searchTarget(services.engine, call);
  const request = { ...buildListRequest(spec, target, services), from: spec.from ?? 0, caller: call };
  const print = hitPrinter(services, target, spec);
  const found: { readonly key: string; readonly hit: ReplyObject }[] = [];
  await wrapShardErrors(
    services,
    target,
    request,
    (request) =>
      services.engine.searchPage(request, (page) => {
        // Fields of a hit are read while its page is valid.
        for (const hit of page.result().hits) found.push({ key: keyOf(hit), hit: print(hit) });
      }),
    true,
  );
  const rated = found.map(({ key }) => ratings.get(key));
  const { score, details } = metric.evaluate(rated, [...ratings.values()]);
  const body: ReplyObject = {
    metric_score: double(score),
    unrated_docs: found
      .filter((_, i) => rated[i] === undefined)
      .map(({ hit }) => ({ _index: hit['_index']!, _id: hit['_id']! })),
    hits: found.map(({ hit }, i) => ({ hit, rating: rated[i] ?? null })),
    metric_details: { [metric.name]: details },
  };
  return { score, body };
}

function keyOf({ index, id }: Hit): string {
  return ratingKey(index, id);
}
