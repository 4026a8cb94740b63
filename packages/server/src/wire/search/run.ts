// Who finds the hits? The engine; and over no index, nobody.

import type { SearchRequest, SearchResult } from '@octavo/engine';
import type { Services } from '../route.ts';
import { onShards } from '../search-errors.ts';
import type { Target } from '../target.ts';
import type { SearchSpec } from './spec.ts';

/** Asks the engine; a search over no index finds nothing. */
export async function runSearch(
  services: Services,
  target: Target,
  request: SearchRequest,
  spec: SearchSpec,
): Promise<SearchResult> {
  if (target.indices.length === 0) return emptyResult(services.engine.snapshot(), spec);
  return await onShards(services, target, () => services.engine.search(request));
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
