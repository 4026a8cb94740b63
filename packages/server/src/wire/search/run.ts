// Who finds the hits? The engine; and over no index, nobody.

import type { SearchRequest, SearchResult } from '@octavo/engine';
import type { ReplyObject, Services } from '../route.ts';
import { onShards } from '../search-errors.ts';
import type { Target } from '../target.ts';
import { innerHits } from './inner-hits.ts';
import { searchBody } from './reply.ts';
import type { SearchSpec } from './spec.ts';
import { atToken, tokenMembers, usesTokens } from './tokens.ts';

/** Asks the engine; a search over no index finds nothing. */
export async function runSearch(
  services: Services,
  target: Target,
  request: SearchRequest,
  spec: SearchSpec,
): Promise<SearchResult> {
  if (target.indices.length === 0) return emptyResult(services.engine.snapshot(), spec);
  return await onShards(services, target, request, () => services.engine.search(request));
}

/** Searches, and gives the reply with its tokens where they are asked for. */
export async function searchReply(
  services: Services,
  target: Target,
  spec: SearchSpec,
  request: SearchRequest,
  started: number,
): Promise<ReplyObject> {
  if (!usesTokens(spec)) {
    const result = await runSearch(services, target, request, spec);
    return await shownBody(services, target, spec, request, result, started);
  }
  const result = await runSearch(services, target, await atToken(request, spec, target, services), spec);
  const tokens = await tokenMembers(result, spec, target, services);
  const body = await shownBody(services, target, spec, request, result, started);
  return { ...body, ...tokens };
}

/** Prints the hits; what fails while values are fetched failed on the shards. */
async function shownBody(
  services: Services,
  target: Target,
  spec: SearchSpec,
  request: SearchRequest,
  result: SearchResult,
  started: number,
): Promise<ReplyObject> {
  return await onShards(services, target, request, async () => {
    const inner =
      spec.innerHits.length === 0
        ? undefined
        : await innerHits(services, target, spec, request, result.snapshot, result.hits);
    return searchBody(services, target, spec, result, started, inner);
  });
}

function emptyResult(snapshot: number, spec: SearchSpec): SearchResult {
  return {
    timedOut: false,
    terminatedEarly: undefined,
    total: spec.trackTotalHits === false ? undefined : { value: 0, relation: 'eq' },
    maxScore: undefined,
    hits: [],
    more: false,
    moreBefore: false,
    snapshot,
  };
}
