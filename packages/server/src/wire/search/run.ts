// Who finds the hits? The engine; and over no index, nobody.

import type { SearchRequest, SearchResult } from '@octavo/engine';
import type { Reply, ReplyObject, Services } from '../route.ts';
import type { SearchCall } from '../search.ts';
import { onShards } from '../search-errors.ts';
import type { Target } from '../target.ts';
import { findInnerHits } from './inner-hits.ts';
import { pageReply } from './page.ts';
import { hitsBody } from './reply.ts';
import type { SearchSpec } from './spec.ts';
import { atToken, endsOf, onSnapshot, tokenMembers, usesTokens } from './tokens.ts';

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

/** Searches, and gives the reply with its tokens where they are asked for, behind `first`. */
export async function searchReply(
  call: SearchCall,
  services: Services,
  target: Target,
  spec: SearchSpec,
  request: SearchRequest,
  started: number,
  first?: ReplyObject,
): Promise<Reply> {
  const withTokens = usesTokens(spec);
  const hasGroups = spec.innerHits.length > 0;
  // Groups are searched later than what they are groups of.
  const dated = hasGroups ? { ...request, now: Date.now() } : request;
  const asked = withTokens ? atToken(dated, spec, target, services) : dated;
  return await onSnapshot(asked, spec, services, async (asked, keep) => {
    const result = await runSearch(services, target, asked, spec);
    const last = withTokens ? tokenMembers(endsOf(result), spec, target, services, keep) : undefined;
    // What fails while values are fetched failed on the shards.
    return await onShards(services, target, request, async () => {
      if (!hasGroups) return pageReply(call, services, target, spec, result, started, { first, last });
      // Printed at once: while groups are searched, what the hits lie in may go.
      const inner = result.hits.map((): ReplyObject => ({}));
      const hits = hitsBody(services, target, spec, result, inner);
      await findInnerHits(services, target, spec, dated, result, inner);
      return pageReply(call, services, target, spec, result, started, { first, last, hits });
    });
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
