// How is the cluster searched? As it would be asked itself, with the indices and the filter of the caller; what the
// cluster lacks (tokens, pages by number, far offsets) is laid over it in the rooms beside this one.

import type { Action } from '../../access/guard/rules.ts';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import type { Reply } from '../../wire/router/route.ts';
import { refuseSlice } from '../../wire/search/body/slice.ts';
import { type Forwarded, forward } from '../request/forward.ts';
import { narrowedQuery, refuseBeyond } from '../request/restrictions.ts';
import { overPoint } from '../walks/cluster-pits.ts';
import { openScroll } from '../walks/cluster-scroll.ts';
import { isList, listPage } from './cluster-lists.ts';

const SEARCH: Action = 'indices:data/read/search';

/** `_search`. */
export async function search(asked: Forwarded): Promise<Reply> {
  const { call, caller, route } = asked;
  caller.require('read', SEARCH, call.path['index']);
  const body = call.object();
  refuseBeyond(caller, body, call.params);
  if (route.endsWith('_search') && body['pit'] !== undefined) {
    const over = await overPoint(asked, body, body['pit']);
    if (isList(body, call.params)) return await over.wrap(await listPage(asked, over.body, over.reach));
    const query = narrowedQuery(body, call.params, over.reach.narrowing);
    return await over.wrap(
      await forward(asked, {
        body: query === undefined ? over.body : { ...over.body, query },
        without: QUERY_PARAMS,
        repeatable: true,
      }),
    );
  }
  const reach = await caller.reach(call.path['index'], call.params);
  if (call.params.has('scroll')) return await openScroll(asked, body, reach);
  // A cluster says so as well, as if it were a fault of its own (500).
  refuseSlice(body);
  if (route.endsWith('_search') && isList(body, call.params)) return await listPage(asked, body, reach);
  if (caller.seesAll) return await forward(asked, { repeatable: true });
  const query = narrowedQuery(body, call.params, reach.narrowing);
  return await forward(asked, {
    index: reach.path,
    body: query === undefined ? body : { ...body, query },
    without: QUERY_PARAMS,
    repeatable: true,
  });
}

/** `_count`. */
export const count: typeof search = search;
