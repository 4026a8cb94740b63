// The composition root: one HTTP server over one engine and its records. Its parts, in the order in which
// they are made: access, services of the search wire, the proxy where documents are in a cluster, metrics,
// the wire, lanes, Fastify, the console, the API.

import { randomBytes } from 'node:crypto';
import { type Engine, setLimits } from '@octavo/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, openAccess } from './access/access.ts';
import { AdmissionControl, isApiPath, registerAdmission } from './access/admission.ts';
import { ANONYMOUS } from './access/callers/principal.ts';
import { SenderResolver } from './access/callers/sender-resolver.ts';
import { AnswerBytes } from './access/limits/answer-bytes.ts';
import { openSealer } from './access/sealer.ts';
import { AnswerNotes } from './answer-notes.ts';
import { registerApi } from './api/api.ts';
import { registerConsole } from './console/console-routes.ts';
import { engineLimits } from './engine-limits.ts';
import { createFastify } from './fastify-server.ts';
import { Connections } from './http/connections.ts';
import { connectionsWithinOpenFiles } from './http/open-files.ts';
import { type LimitName, type Limits, limitsWith } from './limits.ts';
import { watchFence } from './observe/fence-watch.ts';
import { createMetrics } from './observe/metrics.ts';
import { createRequestIds } from './observe/request-ids.ts';
import type { ClusterAddress } from './proxy/client/address.ts';
import type { PeerCluster } from './proxy/client/peer-cluster.ts';
import type { ClusterProxy, ProxyOptions } from './proxy/proxy-routes.ts';
import { readRecordsNote } from './records-notes.ts';
import type { ServeOptions } from './serve-options.ts';
import type { MaybePromise } from './sync-first.ts';
import type { ThreadHost } from './threads/thread-host.ts';
import { clusterUuid } from './wire/cluster/identity.ts';
import { deleteUnfinishedCopies } from './wire/indices/resize.ts';
import { LaneHandler } from './wire/router/lane-handler.ts';
import type { Services } from './wire/router/route.ts';
import { TaskLog } from './wire/router/task-log.ts';
import { Wire } from './wire/router/wire.ts';
import { FastifyExchange } from './wire/router/wire-exchange.ts';
import { ROUTES } from './wire/routes.ts';
import { SnapshotLeases } from './wire/search/leases/snapshot-leases.ts';

export { type ListenOptions, listen } from './listening.ts';
export type { ServeOptions } from './serve-options.ts';

/** The HTTP server over an engine, not yet listening. Closing it leaves the engine open. */
export async function createServer(engine: Engine, options: ServeOptions = {}): Promise<FastifyInstance> {
  const { records, cluster, notes } = options;
  const limits = effectiveLimits(options.limits);
  if (cluster === undefined) await prepareEngine(engine, options.limits);
  const connections = new Connections(limits);
  const access = await openAccess({
    ...{ records, jwt: options.jwt },
    hadKeys: readRecordsNote(notes?.settings ?? engine.settings)?.hadKeys === true,
    noteKeys: notes && (() => notes.noteKeys()),
  });
  const services = await makeServices(engine, options, { limits, connections, access });
  clusterUuid(services);
  const report = (thrown: unknown): void => app.log.error({ err: thrown }, 'a request has failed');
  const fence = records && watchFence(records, () => app.log);
  const proxy = cluster && (await loadProxy({ cluster, records, limits, fence, log: () => app.log }));
  const lastCall = new AbortController();
  let countThreadConnections = (): number => 0;
  const metrics = createMetrics({
    ...{ engine, cluster, records },
    eventsWaiting: () => proxy?.changeEvents.waiting ?? 0,
    eventsLost: () => proxy?.changeEvents.lost ?? 0,
    connections: () => connections.counts.open + countThreadConnections(),
  });
  const wire = new Wire(proxy?.routes ?? ROUTES, services);
  const senders = new SenderResolver(options);
  const keyless = options.keyless ?? access.keyless;
  const admissionControl = new AdmissionControl({
    origins: options.corsOrigins ?? [],
    isLocalOnly: () => options.unsafePublic !== true && keyless(),
    starting: options.starting,
    authenticate: options.authenticate ?? access.authenticate,
    senders,
    rate: options.rate,
    authFailures: { quota: limits.authFailures, windowSeconds: 60 },
  });
  const nameOf = createRequestIds();
  const laneHandler = new LaneHandler({
    wire,
    basePath: options.basePath ?? '',
    bodyBytes: limits.bodyBytes,
    // Requests of web pages go to Fastify. Caches must not give them the answers to others.
    presetHeaders: admissionControl.rules.origins.length > 0 ? ['vary', 'origin'] : [],
    admit: (request) => admissionControl.admit(request),
    mountOf: (request) => senders.mountPath(request),
    onAnswer: (exchange, status, milliseconds) => answers.ofLane(exchange, status, milliseconds),
    report,
  });
  const handleWireRequest = (request: FastifyRequest, reply: FastifyReply): MaybePromise<void> =>
    wire.answer(new FastifyExchange(request, reply, connections));
  const app = createFastify({
    ...{ options, limits, connections, laneHandler, senders, nameOf, answerBytes: services.answerBytes },
    handleWireRequest,
  });
  const answers = new AnswerNotes(app.log, metrics, senders, nameOf);
  app.decorate('keyless', keyless);
  app.decorate('threadHost', {
    ...{ limits, nodeId: services.nodeId, options: services.options, logs: answers.logs },
    answerBytes: services.answerBytes.shared,
    callers: { authenticate: admissionControl.rules.authenticate, watch: access.watch },
    // Rates are counted where all requests come together.
    hasRate: admissionControl.rules.rate !== undefined || admissionControl.rules.origins.length > 0,
    onAnswer: (answer) => answers.ofThread(answer),
    limitConnections: (most) => connections.limitTo(most),
    countConnections: (count) => {
      countThreadConnections = count;
    },
    endStreams: () => lastCall.abort(),
    report,
  } satisfies ThreadHost);
  registerAdmission(app, admissionControl);
  // The wire has its own routes and reads bodies itself, so it takes its requests before Fastify looks at either.
  app.addHook('onRequest', (request, reply, done) => {
    if (isApiPath(request.raw.url ?? '/')) done();
    else void handleWireRequest(request, reply);
  });
  app.addHook('onResponse', (request, reply, done) => {
    answers.ofFastify(request, reply);
    done();
  });
  app.addHook('onClose', async () => {
    await services.tasks.close();
    await proxy?.close();
    access.close();
    metrics.close();
    cluster?.close();
  });
  registerConsole(app);
  registerApi(app, {
    ...{ engine, cluster, records, fence, limits, metrics, starting: options.starting },
    resources: options.resources,
    services: records && {
      ...{ engine, records, limits, access },
      clusterDocuments: proxy?.documents,
      sealer: services.sealer,
      streamsEnd: lastCall.signal,
      requireIdempotencyKeys: options.requireIdempotencyKeys,
      webhookAllowPrivate: options.webhookAllowPrivate,
      webhookDelay: options.webhookDelay,
    },
  });
  await fence?.begin();
  return app;
}

/** The limits, with no more connections than the process may open. */
function effectiveLimits(limits: ServeOptions['limits']): Limits {
  const wanted = limitsWith(limits);
  return { ...wanted, connections: Math.min(wanted.connections, connectionsWithinOpenFiles()) };
}

/** Sets the limits of an embedded engine, and deletes the indices that an interrupted copy has left. */
async function prepareEngine(engine: Engine, limits: ServeOptions['limits'] = {}): Promise<void> {
  const ofEngine = engineLimits(limits);
  if (Object.keys(ofEngine).length > 0) setLimits(engine, ofEngine);
  await deleteUnfinishedCopies(engine);
}

/** What the endpoints of the search wire are given. */
async function makeServices(
  engine: Engine,
  options: ServeOptions,
  {
    limits,
    connections,
    access,
  }: { readonly limits: Limits; readonly connections: Connections; readonly access: Access },
): Promise<Services> {
  const hasEngine = options.cluster === undefined;
  return {
    ...{ engine, limits, connections },
    principal: ANONYMOUS,
    answerBytes: new AnswerBytes(limits),
    keys: access.keys,
    nodeId: randomBytes(16).toString('base64url'),
    sealer: await openSealer(engine, options.records, hasEngine ? 'engine' : 'records'),
    snapshots: new SnapshotLeases(engine),
    tasks: new TaskLog(),
    remote: {
      allowed: options.reindexFrom ?? [],
      open: async (source, signal) => {
        const { openRemotePages } = await import('./proxy/client/remote-pages.ts');
        return openRemotePages(source, limits, signal);
      },
    },
    options: {
      compat: options.compat ?? 'opensearch',
      clusterName: options.clusterName ?? 'octavo',
      nodeName: options.nodeName ?? 'octavo-1',
      openTokens: options.openTokens ?? true,
    },
  };
}

/** The cluster at an address, under the limits of a server. No request is sent to it yet. */
export async function openCluster(
  address: ClusterAddress,
  limits: Partial<Record<LimitName, number>> = {},
): Promise<PeerCluster> {
  const { PeerCluster } = await import('./proxy/client/peer-cluster.ts');
  return new PeerCluster(address, limitsWith(limits));
}

/** The proxy is loaded only if the documents are in a cluster. */
async function loadProxy(options: ProxyOptions): Promise<ClusterProxy> {
  const { openProxy } = await import('./proxy/proxy-routes.ts');
  return openProxy(ROUTES, options);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** True while there is nothing to know callers by. */
    keyless(): boolean;
  }
}
