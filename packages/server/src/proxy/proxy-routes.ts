// What answers the search wire where the documents are in a cluster? The table of the embedded store, row by row, with
// other hands: the same paths, the same parameters, and a refusal for every row that nothing here takes up.

import type { Records } from '@octavo/records';
import type { FastifyBaseLogger } from 'fastify';
import { LeaseQuota } from '../access/limits/quotas.ts';
import { Followers } from '../events/followers.ts';
import type { DocumentsElsewhere } from '../events/stream.ts';
import type { Limits } from '../limits.ts';
import type { FenceWatch } from '../observe/fence.ts';
import type { Reply, Route } from '../wire/router/route.ts';
import { securityRoutes } from '../wire/security/security.ts';
import { DocumentNews, untoldTo } from './change-events/change-events.ts';
import { LeftOver } from './change-events/pending-intents.ts';
import type { Cluster } from './client/cluster.ts';
import { bulk } from './documents/cluster-bulk.ts';
import { changeByQuery } from './documents/cluster-by-query.ts';
import { readDocument, writeDocument } from './documents/cluster-documents.ts';
import { mget } from './documents/cluster-mget.ts';
import { heldDocuments } from './documents/fetched-documents.ts';
import { notOnCluster } from './empty-engine.ts';
import { PASSING, type Passing } from './proxy-table.ts';
import { ClusterCatalog } from './request/cluster-catalog.ts';
import {
  type ClusterServices,
  clusterFailure,
  type Forwarded,
  forward,
  forwarded,
} from './request/forward.ts';
import { refusePipelineSettings } from './request/restrictions.ts';
import { ClusterWalks } from './request/scroll-positions.ts';
import { msearch } from './search/cluster-msearch.ts';
import { count, search } from './search/cluster-search.ts';
import { allPoints, closeElastic, closePoints, openPoint } from './walks/cluster-pits.ts';
import { clearScrolls, nextPage } from './walks/cluster-scroll.ts';

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

/** What a server has over a cluster. */
export interface ClusterRoom {
  readonly routes: readonly Route[];
  /** For events of documents: an engine that has them as they are now, one by one, and who reads of them. */
  readonly elsewhere: DocumentsElsewhere | undefined;
  readonly news: DocumentNews;
  close(): Promise<void>;
}

/** What a room stands on. */
export interface RoomOptions {
  readonly cluster: Cluster;
  /** Where events of documents go; without them there are none. */
  readonly records: Records | undefined;
  readonly limits: Pick<Limits, 'leasesPerKey' | 'clusterEventsWaiting' | 'clusterIntentMs' | 'eventsAgeMs'>;
  readonly log: () => Pick<FastifyBaseLogger, 'error'>;
  /** Whether the records take events. */
  readonly fence: FenceWatch | undefined;
}

/** Opens the room: the routes of the embedded store with other hands. Nothing is asked of the cluster yet. */
export function openRoom(
  routes: readonly Route[],
  { cluster, records, limits, log, fence }: RoomOptions,
): ClusterRoom {
  const untold = untoldTo(log);
  const catalog = new ClusterCatalog(cluster);
  const leaseMs = limits.clusterIntentMs;
  const followers = records && new Followers(records, limits.eventsAgeMs);
  const noting = followers && { followers, leaseMs };
  const news = new DocumentNews(records, limits.clusterEventsWaiting, untold, fence, noting);
  const forMs = limits.eventsAgeMs;
  const leftOver =
    records && new LeftOver({ records, cluster, catalog, leaseMs, forMs, failed: untold.unresolved });
  const quota = new LeaseQuota(limits.leasesPerKey);
  const own = { cluster, catalog, quota, walks: new ClusterWalks(), news };
  return {
    routes: clusterRoutes(routes, own),
    elsewhere: followers && {
      // An index that was made a moment ago has documents, too.
      now: async () => heldDocuments(cluster, await catalog.engine(true), true),
      followers,
    },
    news,
    async close() {
      await leftOver?.close();
      await news.close();
    },
  };
}

function clusterRoutes(routes: readonly Route[], own: ClusterServices): Route[] {
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
  if (action === 'indices:admin/settings/update' && !caller.seesAll)
    refusePipelineSettings(caller, call.object());
  try {
    // Of an index that a parameter names, as `_analyze` has it, the same holds as of one in the path.
    const param = call.params.string('index');
    if (reaching === 'open' && param !== undefined && !caller.seesAll) {
      const index = await caller.onePath(param);
      return await forward(asked, { index, without: ['index'], repeatable });
    }
    if (passing.byQuery !== undefined) return await changeByQuery(asked, passing.byQuery);
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
    // Whatever is neither may be settings.
    const { aliases, mappings: _, ...rest } = call.object();
    refusePipelineSettings(asked.caller, rest);
    const names = Object.keys(typeof aliases === 'object' && aliases !== null ? aliases : {});
    for (const name of [index, ...names]) asked.caller.rules.requireIndex(name, action);
  }
  try {
    return await forward(asked, { repeatable: false });
  } finally {
    catalog.forget();
  }
}
