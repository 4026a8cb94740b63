// What answers the search wire where the documents are in a cluster? The table of the embedded store, row by row, with
// other hands: the same paths, the same parameters, and a refusal for every row that nothing here takes up.

import { LeaseQuota } from '../../access/quotas.ts';
import type { Reply, Route } from '../route.ts';
import { securityRoutes } from '../security.ts';
import { bulk } from './bulk.ts';
import { ClusterCatalog } from './catalog.ts';
import type { Cluster } from './cluster.ts';
import { readDocument, writeDocument } from './documents.ts';
import { notOnCluster } from './elsewhere.ts';
import { type ClusterServices, clusterFailure, type Forwarded, forward, forwarded } from './forward.ts';
import { mget } from './mget.ts';
import { msearch } from './msearch.ts';
import { allPoints, closeElastic, closePoints, openPoint } from './pits.ts';
import { clearScrolls, nextPage } from './scroll.ts';
import { count, search } from './search.ts';
import { PASSING, type Passing } from './table.ts';
import { ClusterWalks } from './walks.ts';

/** `handle` is what the embedded store answers with. */
type Handler = (asked: Forwarded, handle: Route['handle']) => Promise<Reply>;

/** Endpoints that take more than passing on, by path; by method as well where methods differ. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  '/_search': search,
  '/{index}/_search': search,
  '/_count': count,
  '/{index}/_count': count,
  '/_msearch': msearch,
  '/{index}/_msearch': msearch,
  '/_mget': mget,
  '/{index}/_mget': mget,
  '/_bulk': bulk,
  '/{index}/_bulk': bulk,
  'POST /{index}/_doc': writeDocument,
  'PUT /{index}/_doc/{id}': writeDocument,
  'POST /{index}/_doc/{id}': writeDocument,
  'DELETE /{index}/_doc/{id}': writeDocument,
  '/{index}/_create/{id}': writeDocument,
  '/{index}/_update/{id}': writeDocument,
  'GET /{index}/_doc/{id}': readDocument,
  'HEAD /{index}/_doc/{id}': readDocument,
  '/{index}/_source/{id}': readDocument,
  'PUT /{index}': createIndex,
  'DELETE /_search/scroll': clearScrolls,
  'DELETE /_search/scroll/{scroll_id}': clearScrolls,
  '/_search/scroll': nextPage,
  '/_search/scroll/{scroll_id}': nextPage,
  '/{index}/_search/point_in_time': openPoint,
  '/{index}/_pit': openPoint,
  '/_search/point_in_time': closePoints,
  '/_search/point_in_time/_all': allPoints,
  '/_pit': closeElastic,
};

/** The routes of a server over a cluster. `leases`: open scrolls and points in time of one caller. */
export function clusterRoutes(routes: readonly Route[], cluster: Cluster, leases: number): Route[] {
  const own: ClusterServices = {
    cluster,
    catalog: new ClusterCatalog(cluster),
    quota: new LeaseQuota(leases),
    walks: new ClusterWalks(),
  };
  return routes.flatMap((row) =>
    row.methods.map((method): Route => {
      // Keys are records, wherever documents are.
      if (securityRoutes.includes(row)) return { ...row, methods: [method] };
      const handle = handlerOf(`${method} ${row.path}`, row.path);
      return {
        ...row,
        methods: [method],
        handle: async (call, services) => {
          try {
            return await handle(forwarded(call, services, own, row.path), row.handle);
          } catch (thrown) {
            return clusterFailure(thrown, call);
          }
        },
      };
    }),
  );
}

function handlerOf(line: string, path: string): Handler {
  const special = HANDLERS[line] ?? HANDLERS[path];
  if (special !== undefined) return special;
  const passing = PASSING.get(line);
  return passing === undefined ? refuse : (asked) => pass(asked, passing);
}

async function refuse({ call, route }: Forwarded): Promise<Reply> {
  throw notOnCluster(`[${call.method} ${route}]`);
}

/** An endpoint that goes on as it is. */
async function pass(asked: Forwarded, passing: Passing): Promise<Reply> {
  const { verb, action, reaching, repeatable } = passing;
  const { call, caller, catalog } = asked;
  const { index: name } = call.path;
  caller.require(verb, action, name);
  if (!passing.filtered) caller.refuseFiltered(action, name);
  if (reaching === 'cluster') caller.requireAll(action);
  try {
    // Of an index that a parameter names, as `_analyze` has it, the same holds as of one in the path.
    const param = call.params.string('index');
    if (reaching === 'open' && param !== undefined && !caller.seesAll) {
      const index = await caller.onePath(param);
      return await forward(asked, { index, without: ['index'], repeatable });
    }
    if (reaching === 'open' || reaching === 'cluster' || caller.seesAll)
      return await forward(asked, { repeatable });
    if (reaching === 'named')
      return await forward(asked, { index: await caller.writablePath(name ?? '', action), repeatable });
    const { path } = await caller.reach(name, call.params, reaching);
    // Aliases of named indices are at another path than those of all.
    const route = asked.route === '/_aliases' ? '/_alias' : asked.route;
    return await forward({ ...asked, route }, { index: path, repeatable });
  } finally {
    if (passing.changes) catalog.forget();
  }
}

/** `PUT /{index}`: its aliases are names as well. */
async function createIndex(asked: Forwarded): Promise<Reply> {
  const { call, catalog } = asked;
  const { index = '' } = call.path;
  const action = 'indices:admin/create';
  asked.caller.require('admin', action, index);
  if (!asked.caller.seesAll) {
    const aliases = call.object()['aliases'];
    const names = Object.keys(typeof aliases === 'object' && aliases !== null ? aliases : {});
    for (const name of [index, ...names]) asked.caller.rules.requireIndex(name, action);
  }
  try {
    return await forward(asked, { repeatable: false });
  } finally {
    catalog.forget();
  }
}
