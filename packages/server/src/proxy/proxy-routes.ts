// The search wire of a server whose documents are in a cluster. Every route of the embedded store is kept
// with a handler of its own, passed through (proxy-table.ts), or refused; an unknown route never reaches the
// cluster.

import type { Records } from '@octavo/records';
import type { FastifyBaseLogger } from 'fastify';
import { LeaseQuota } from '../access/limits/lease-quota.ts';
import { Followers } from '../events/followers.ts';
import type { ClusterDocuments } from '../events/read-events.ts';
import type { Limits } from '../limits.ts';
import type { FenceWatch } from '../observe/fence-watch.ts';
import type { Reply, Route } from '../wire/router/route.ts';
import { securityRoutes } from '../wire/security/security.ts';
import { ChangeEvents, logDeliveryFailures } from './change-events/change-events.ts';
import { PendingIntents } from './change-events/pending-intents.ts';
import type { PeerCluster } from './client/peer-cluster.ts';
import { bulk } from './documents/cluster-bulk.ts';
import { changeByQuery } from './documents/cluster-by-query.ts';
import { readDocument, writeDocument } from './documents/cluster-documents.ts';
import { mget } from './documents/cluster-mget.ts';
import { createFetchedDocuments } from './documents/fetched-documents.ts';
import { notOnCluster } from './empty-engine.ts';
import { PASS_THROUGH, type PassThrough } from './proxy-table.ts';
import { ClusterCatalog } from './request/cluster-catalog.ts';
import {
  createProxyRequest,
  failureReply,
  forward,
  type ProxyRequest,
  type ProxyServices,
} from './request/forward.ts';
import { requireNoPipelineSettings } from './request/restrictions.ts';
import { ScrollPositions } from './request/scroll-positions.ts';
import { msearch } from './search/cluster-msearch.ts';
import { count, searchOverCluster } from './search/cluster-search.ts';
import {
  closeElasticPit,
  closePointsInTime,
  listPointsInTime,
  openPointInTime,
} from './walks/cluster-pits.ts';
import { clearScrolls, nextScrollPage } from './walks/cluster-scroll.ts';

/** `handle` is the handler of the embedded store. */
type Handler = (request: ProxyRequest, handle: Route['handle']) => Promise<Reply>;

/** Handlers of endpoints that are not just passed through, by path, or by method and path. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  '/_search': searchOverCluster,
  '/{index}/_search': searchOverCluster,
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
  '/_search/scroll': nextScrollPage,
  '/_search/scroll/{scroll_id}': nextScrollPage,
  '/{index}/_search/point_in_time': openPointInTime,
  '/{index}/_pit': openPointInTime,
  '/_search/point_in_time': closePointsInTime,
  '/_search/point_in_time/_all': listPointsInTime,
  '/_pit': closeElasticPit,
};

/** The proxy of one server. */
export interface ClusterProxy {
  readonly routes: readonly Route[];
  /** Documents for events: an engine that reads them one by one, and who follows them. */
  readonly documents: ClusterDocuments | undefined;
  readonly changeEvents: ChangeEvents;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly cluster: PeerCluster;
  /** Stores change events; without it there are none. */
  readonly records: Records | undefined;
  readonly limits: Pick<Limits, 'leasesPerKey' | 'clusterEventsWaiting' | 'clusterIntentMs' | 'eventsAgeMs'>;
  readonly log: () => Pick<FastifyBaseLogger, 'error'>;
  /** Whether the records accept events. */
  readonly fence: FenceWatch | undefined;
}

/** Creates the proxy for the routes of the embedded store. Sends nothing to the cluster yet. */
export function openProxy(
  routes: readonly Route[],
  { cluster, records, limits, log, fence }: ProxyOptions,
): ClusterProxy {
  const failures = logDeliveryFailures(log);
  const catalog = new ClusterCatalog(cluster);
  const leaseMs = limits.clusterIntentMs;
  const followers = records && new Followers(records, limits.eventsAgeMs);
  const intents = followers && { followers, leaseMs };
  const changeEvents = new ChangeEvents(records, limits.clusterEventsWaiting, failures, fence, intents);
  const giveUpMs = limits.eventsAgeMs;
  const pending =
    records &&
    new PendingIntents({ records, cluster, catalog, leaseMs, giveUpMs, report: failures.unresolved });
  const quota = new LeaseQuota(limits.leasesPerKey);
  const shared = { cluster, catalog, quota, scrolls: new ScrollPositions(), changeEvents };
  return {
    routes: proxyRoutes(routes, shared),
    documents: followers && {
      // Includes indices created a moment ago.
      engine: async () => createFetchedDocuments(cluster, await catalog.engine(true), true),
      followers,
    },
    changeEvents,
    async close() {
      await pending?.close();
      await changeEvents.close();
    },
  };
}

function proxyRoutes(routes: readonly Route[], shared: ProxyServices): Route[] {
  return routes.flatMap((row) =>
    row.methods.map((method): Route => {
      // Keys are records, wherever the documents are.
      if (securityRoutes.includes(row)) return { ...row, methods: [method] };
      const handle = handlerOf(`${method} ${row.path}`, row.path);
      return {
        ...row,
        methods: [method],
        handle: async (call, services) => {
          try {
            return await handle(createProxyRequest(call, services, shared, row.path), row.handle);
          } catch (thrown) {
            return failureReply(thrown, call);
          }
        },
      };
    }),
  );
}

function handlerOf(line: string, path: string): Handler {
  const special = HANDLERS[line] ?? HANDLERS[path];
  if (special !== undefined) return special;
  const passing = PASS_THROUGH.get(line);
  return passing === undefined ? refuse : (request) => passThrough(request, passing);
}

async function refuse({ call, route }: ProxyRequest): Promise<Reply> {
  throw notOnCluster(`[${call.method} ${route}]`);
}

/** An endpoint that is forwarded as it is. */
async function passThrough(request: ProxyRequest, passing: PassThrough): Promise<Reply> {
  const { verb, action, target, repeatable } = passing;
  const { call, caller, catalog } = request;
  const { index: name } = call.path;
  caller.require(verb, action, name);
  if (!passing.allowsDocumentFilter) caller.refuseFiltered(action, name);
  if (target === 'cluster') caller.requireAll(action);
  if (action === 'indices:admin/settings/update' && !caller.seesAll)
    requireNoPipelineSettings(caller, call.object());
  try {
    // An index in a parameter, as `_analyze` takes it, obeys the same rules as one in the path.
    const param = call.params.string('index');
    if (target === 'open' && param !== undefined && !caller.seesAll) {
      const index = await caller.indexPath(param);
      return await forward(request, { index, without: ['index'], repeatable });
    }
    if (passing.byQuery !== undefined) return await changeByQuery(request, passing.byQuery);
    if (target === 'open' || target === 'cluster' || caller.seesAll)
      return await forward(request, { repeatable });
    if (target === 'named')
      return await forward(request, { index: await caller.writeIndexPath(name ?? '', action), repeatable });
    const { path } = await caller.resolveIndices(name, call.params, target);
    // The aliases of named indices have another path than all aliases.
    const route = request.route === '/_aliases' ? '/_alias' : request.route;
    return await forward({ ...request, route }, { index: path, repeatable });
  } finally {
    if (passing.changesCatalog) catalog.invalidate();
  }
}

/** `PUT /{index}`. Its aliases are names that the key must allow as well. */
async function createIndex(request: ProxyRequest): Promise<Reply> {
  const { call, catalog } = request;
  const { index = '' } = call.path;
  const action = 'indices:admin/create';
  request.caller.require('admin', action, index);
  if (!request.caller.seesAll) {
    // Settings may also stand at the top of the body.
    const { aliases, mappings: _, ...rest } = call.object();
    requireNoPipelineSettings(request.caller, rest);
    const names = Object.keys(typeof aliases === 'object' && aliases !== null ? aliases : {});
    for (const name of [index, ...names]) request.caller.rules.requireIndex(name, action);
  }
  try {
    return await forward(request, { repeatable: false });
  } finally {
    catalog.invalidate();
  }
}
