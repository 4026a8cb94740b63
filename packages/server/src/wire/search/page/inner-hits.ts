// Finds the `inner_hits` of collapsed hits: the best documents of each group, by one more search per group
// over the same snapshot, with the same meaning of `now`.

import {
  answerTooLarge,
  type Hit,
  type JsonObject,
  plainText,
  type SearchRequest,
  type SearchResult,
  startSliced,
} from '@octavo/engine';
import type { ReplyObject } from '../../../json/reply-value.ts';
import type { Target } from '../../resolve/target.ts';
import type { Services } from '../../router/route.ts';
import { resolveLookups } from '../body/document-lookups.ts';
import { INNER_SIZE } from '../body/search-body.ts';
import type { SearchSpec } from '../body/search-spec.ts';
import { wrapShardErrors } from '../search-errors.ts';
import { hitsTree } from './search-tree.ts';

/** Sets the `inner_hits` of each hit, by name. REQUIRES: called before the reader of their page ends. */
export async function findInnerHits(
  services: Services,
  target: Target,
  spec: SearchSpec,
  request: SearchRequest,
  { snapshot, hits }: SearchResult,
  targets: readonly ReplyObject[],
): Promise<void> {
  const field = plainText(spec.collapse?.['field']);
  // All queries first: the values of hits are freed while the first group is searched.
  let bytes = 0;
  for (const { source } of hits) bytes += source.length;
  // Scores of groups are those of the query itself: neither boosts of indices nor a least score count.
  const query =
    spec.query && resolveLookups(spec.query, { engine: services.engine, indices: target.indices });
  const groups = hits.map((hit) => groupQuery(query, field, hit));
  for (const [i, group] of groups.entries()) {
    for (const inner of spec.innerHits) {
      const groupRequest: SearchRequest = {
        ...innerRequest(request, query, inner.spec),
        query: group,
        snapshot,
      };
      const search = (request: SearchRequest): Promise<SearchResult> => services.engine.search(request);
      // As in the peer, the indices that can sort a group show their hits of it.
      const result = await wrapShardErrors(services, target, groupRequest, search, true);
      for (const { source } of result.hits) bytes += source.length;
      if (bytes > services.limits.answerBytes) throw answerTooLarge(bytes, services.limits.answerBytes);
      const shown = { ...inner.spec, totalAsInt: spec.totalAsInt };
      targets[i]![inner.name ?? field] = {
        hits: await startSliced(hitsTree(services, target, shown, result)),
      };
    }
  }
}

function innerRequest(outer: SearchRequest, query: JsonObject | undefined, spec: SearchSpec): SearchRequest {
  const { indices, filters, postFilter, ignoreUnmapped, now, timeoutMs, caller } = outer;
  return {
    indices,
    ...(filters === undefined ? {} : { filters }),
    ...(postFilter === undefined ? {} : { postFilter }),
    ...(ignoreUnmapped === undefined ? {} : { ignoreUnmapped }),
    ...(now === undefined ? {} : { now }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(caller === undefined ? {} : { caller }),
    ...(spec.sort === undefined ? {} : { sort: spec.sort }),
    ...(spec.collapse === undefined ? {} : { collapse: spec.collapse }),
    // The query of the group also names its value, which is not what was searched for.
    ...(spec.highlight === undefined
      ? {}
      : { highlight: spec.highlight.map((each) => ({ ...each, query: each.query ?? query })) }),
    from: spec.from ?? 0,
    size: spec.size ?? INNER_SIZE,
    trackScores: spec.trackScores,
  };
}

function groupQuery(query: JsonObject | undefined, field: string, hit: Hit): JsonObject {
  const [value] = hit.docValues(field);
  // Without a query the documents of a group have no score, as with the peer.
  const must = query === undefined ? [] : [query];
  if (value === undefined || value === null) {
    return { bool: { must, must_not: [{ exists: { field } }] } };
  }
  return { bool: { must, filter: [{ term: { [field]: value } }] } };
}
