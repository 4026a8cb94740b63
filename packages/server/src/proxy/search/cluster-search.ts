// `_search` and `_count` over a cluster: forwarded with the caller's indices and filter. Tokens, pages by
// number and far offsets, which the cluster lacks, are added by cluster-lists.ts, scrolls and points in time
// by proxy/walks.

import type { Action } from '../../access/guard/caller-rules.ts';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import type { Reply } from '../../wire/router/route.ts';
import { refuseSlice } from '../../wire/search/body/slice.ts';
import { forward, type ProxyRequest } from '../request/forward.ts';
import { narrowQuery, requireRestrictable } from '../request/restrictions.ts';
import { searchOverPit } from '../walks/cluster-pits.ts';
import { openClusterScroll } from '../walks/cluster-scroll.ts';
import { listPage, needsListPage } from './cluster-lists.ts';

const SEARCH: Action = 'indices:data/read/search';

/** `_search`. */
export async function searchOverCluster(request: ProxyRequest): Promise<Reply> {
  const { call, caller, route } = request;
  caller.require('read', SEARCH, call.path['index']);
  const body = call.object();
  requireRestrictable(caller, body, call.params);
  if (route.endsWith('_search') && body['pit'] !== undefined) {
    const over = await searchOverPit(request, body, body['pit']);
    if (needsListPage(body, call.params))
      return await over.withCallerId(await listPage(request, over.body, over.indices));
    const query = narrowQuery(body, call.params, over.indices.narrowing);
    return await over.withCallerId(
      await forward(request, {
        body: query === undefined ? over.body : { ...over.body, query },
        without: QUERY_PARAMS,
        repeatable: true,
      }),
    );
  }
  const indices = await caller.resolveIndices(call.path['index'], call.params);
  if (call.params.has('scroll')) return await openClusterScroll(request, body, indices);
  // The cluster also refuses this, but with status 500.
  refuseSlice(body);
  if (route.endsWith('_search') && needsListPage(body, call.params))
    return await listPage(request, body, indices);
  if (caller.seesAll) return await forward(request, { repeatable: true });
  const query = narrowQuery(body, call.params, indices.narrowing);
  return await forward(request, {
    index: indices.path,
    body: query === undefined ? body : { ...body, query },
    without: QUERY_PARAMS,
    repeatable: true,
  });
}

/** `_count`. */
export const count: typeof searchOverCluster = searchOverCluster;
