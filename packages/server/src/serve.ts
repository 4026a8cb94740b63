// How is the server put together? One Fastify instance over one engine and its records: connection timeouts, the door,
// the application API under `/api`, the search wire everywhere else, logs and figures of both.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Engine, setLimits } from '@octavo/engine';
import type { Records } from '@octavo/records';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { openAccess } from './access/access.ts';
import { AdmissionControl, type Authenticate, isApiPath, registerAdmission } from './access/admission.ts';
import { ANONYMOUS } from './access/callers/principal.ts';
import { type SenderOptions, SenderResolver } from './access/callers/sender-resolver.ts';
import type { JwtOptions } from './access/jwt/jwt-verifier.ts';
import type { Rate } from './access/limits/rate-limiter.ts';
import { openSealer } from './access/sealer.ts';
import { outsideBasePath, pathNotFound, registerApi } from './api/api.ts';
import { lazyValidators } from './api/http/lazy-validators.ts';
import type { Resource } from './api/resource.ts';
import { engineLimits } from './engine-limits.ts';
import { sendProblem } from './errors/problem-reply.ts';
import { innerUrl } from './http/base-path.ts';
import { Connections } from './http/connections.ts';
import { lanesBefore, nodeServer } from './http/http-server.ts';
import type { Lanes } from './http/lane/lanes.ts';
import { toOriginForm } from './http/origin-form.ts';
import { refuseConnection } from './http/refuse-connection.ts';
import { type LimitName, type Limits, limitsWith } from './limits.ts';
import { watchFence } from './observe/fence-watch.ts';
import { createMetrics } from './observe/metrics.ts';
import { createRequestIds } from './observe/request-ids.ts';
import {
  type LogLevel,
  type LogStream,
  loggerOptions,
  logLineOf,
  logRequest,
  logsRequests,
} from './observe/request-log.ts';
import type { ClusterAddress } from './proxy/client/address.ts';
import type { Cluster } from './proxy/client/cluster.ts';
import type { ClusterProxy, ProxyOptions } from './proxy/proxy-routes.ts';
import { noteOf, type RecordsNotes } from './records-notes.ts';
import type { Soon } from './sync-first.ts';
import type { AnsweredHere } from './threads/messages.ts';
import { clusterUuid } from './wire/cluster/identity.ts';
import { Wire } from './wire/router/dispatch.ts';
import { LaneRequests } from './wire/router/lane-requests.ts';
import type { ServerOptions, Services } from './wire/router/route.ts';
import { FastifyExchange } from './wire/router/wire-exchange.ts';
import { ROUTES } from './wire/routes.ts';
import { WalkSnapshots } from './wire/search/walks/snapshots.ts';

export { type ListenOptions, listen } from './listening.ts';

/** What can be set; everything has a default. */
export interface ServeOptions extends SenderOptions {
  readonly compat?: ServerOptions['compat'];
  readonly clusterName?: string;
  readonly nodeName?: string;
  /** Web origins that may call, such as `http://localhost:5173`; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Answers on hosts other than loopback although there are no keys: everybody who reaches it may do everything. */
  readonly unsafePublic?: boolean;
  /** False refuses page tokens that callers built themselves. @default true */
  readonly openTokens?: boolean;
  /** Those that are named here hold for the engine too, from now on. */
  readonly limits?: Partial<Record<LimitName, number>>;
  /** Where the documents are, if not in the engine; the engine is `documentsElsewhere()` then. Closing the server closes it. */
  readonly cluster?: Cluster | undefined;
  /** Feeds, chats, accounts, keys, events. Without them `/api` only tells of the server itself. */
  readonly records?: Records | undefined;
  /** Notes in the catalog how far the records have come; who opens both keeps them so. */
  readonly notes?: RecordsNotes | undefined;
  /** What is under `/api` over the records. @default RESOURCES of api/resources.ts */
  readonly resources?: readonly Resource[];
  /** Who sends a request; by default known by the keys of the records, and anonymous while there are none. */
  readonly authenticate?: Authenticate;
  /** Whose JWTs are taken beside keys. */
  readonly jwt?: JwtOptions | undefined;
  /** True while there are no keys: then only this machine may ask. By default, the records know. */
  readonly keyless?: () => boolean;
  /** True refuses what moves money without an Idempotency-Key. @default false */
  readonly requireIdempotencyKeys?: boolean;
  /** True lets webhooks reach this machine and private networks. @default false */
  readonly webhookAllowPrivate?: boolean;
  /** Milliseconds before a webhook is called again; growing waits by default. */
  readonly webhookDelay?: (failures: number) => number;
  /** The rate of callers that have none of their own; no limit by default. */
  readonly rate?: Rate | undefined;
  /** Certificate and key as PEM: then it speaks HTTPS only. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** @default 'error' */
  readonly logLevel?: LogLevel;
  /** @default stderr */
  readonly logStream?: LogStream;
}

/** The HTTP server over an engine, not yet listening. Closing it leaves the engine open. */
export async function createServer(engine: Engine, options: ServeOptions = {}): Promise<FastifyInstance> {
  const limits = limitsWith(options.limits);
  const kept = engineLimits(options.limits ?? {});
  if (options.cluster === undefined && Object.keys(kept).length > 0) setLimits(engine, kept);
  const connections = new Connections(limits);
  const { records, cluster, notes } = options;
  const access = await openAccess({
    ...{ records, jwt: options.jwt },
    hadKeys: noteOf(notes?.settings ?? engine.settings)?.hadKeys === true,
    noteKeys: notes && (() => notes.noteKeys()),
  });
  const services: Services = {
    engine,
    limits,
    principal: ANONYMOUS,
    keys: access.keys,
    nodeId: randomBytes(16).toString('base64url'),
    sealer: await openSealer(engine, records, cluster === undefined ? 'engine' : 'records'),
    walks: new WalkSnapshots(engine),
    connections,
    options: {
      compat: options.compat ?? 'opensearch',
      clusterName: options.clusterName ?? 'octavo',
      nodeName: options.nodeName ?? 'octavo-1',
      openTokens: options.openTokens ?? true,
    },
  };
  clusterUuid(services);
  const fence = records && watchFence(records, () => app.log);
  const room =
    cluster === undefined
      ? undefined
      : await roomOver({
          ...{ cluster, records, limits, fence },
          log: () => app.log,
        });
  const lastCall = new AbortController();
  let openElsewhere = (): number => 0;
  const metrics = createMetrics({
    ...{ engine, cluster, records },
    eventsWaiting: () => room?.changeEvents.waiting ?? 0,
    eventsLost: () => room?.changeEvents.lost ?? 0,
    connections: () => connections.counts.open + openElsewhere(),
  });
  const wire = new Wire(room?.routes ?? ROUTES, services);
  const senders = new SenderResolver(options);
  const keyless = options.keyless ?? access.keyless;
  const door = new AdmissionControl({
    origins: options.corsOrigins ?? [],
    isLocalOnly: () => options.unsafePublic !== true && keyless(),
    authenticate: options.authenticate ?? access.authenticate,
    senders,
    rate: options.rate,
    authFailures: { quota: limits.authFailures, windowSeconds: 60 },
  });
  const nameOf = createRequestIds();
  const basePath = options.basePath ?? '';
  const laneRequests = new LaneRequests({
    wire,
    basePath,
    bodyBytes: limits.bodyBytes,
    // Web pages may only be answered by Fastify, which knows their headers.
    admit: (request) => (door.rules.origins.length > 0 ? undefined : door.admit(request)),
    mountOf: (request) => senders.mountPath(request),
    answered: (exchange, status, milliseconds) => {
      const { method, url, routeName, principal } = exchange;
      if (logs)
        logRequest(app.log, {
          ...{ id: nameOf(exchange), method, url, status, milliseconds },
          caller: principal?.id,
          sender: senders.resolve(exchange),
        });
      metrics.count({ surface: 'wire', route: routeName || 'none', method, status, milliseconds });
    },
    report: (thrown) => app.log.error({ err: thrown }, 'a request has failed'),
  });
  let lanes: Lanes | undefined;
  /** Requests outside the base path. */
  const outside = new WeakSet<IncomingMessage>();
  const answer = (request: FastifyRequest, reply: FastifyReply): Soon<void> =>
    wire.answer(new FastifyExchange(request, reply, connections));
  const app: FastifyInstance = Fastify({
    serverFactory: (handler, given) => {
      const server = nodeServer(handler, given);
      lanes = lanesBefore(server, laneRequests, limits, connections);
      return server;
    },
    rewriteUrl: (request) => {
      toOriginForm(request);
      const url = request.url ?? '/';
      const inner = basePath === '' ? url : innerUrl(url, basePath);
      if (inner === undefined) outside.add(request as IncomingMessage);
      return inner ?? url;
    },
    ...(options.tls === undefined
      ? {}
      : { https: { ...options.tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersTimeoutMs } }),
    logger: loggerOptions(options.logLevel, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: its lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: nameOf,
    // Values are what they say: nothing is coerced, dropped or made up but defaults.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true },
      plugins: [lazyValidators],
    },
    // Bodies are read by the wire itself, with its own limit and its own words.
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: {
      querystringParser: () => ({}),
      maxParamLength: limits.uriBytes,
      ignoreTrailingSlash: true,
    },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: limits.headerBytes,
    },
    frameworkErrors: (error, request, reply) =>
      isApiPath(request.raw.url ?? '/')
        ? // The framework's own request: it lacks what requests have here.
          void sendProblem(error, request, reply, senders.mountPath(request.raw))
        : void answer(request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, connections),
  });
  // The level stays as it is; a logger takes long to tell it.
  const logs = logsRequests(app.log);
  connections.watch(app.server);
  app.addHook('preClose', async () => connections.close(app.server));
  app.addHook('onRequest', (request, reply, done) => {
    const turn = connections.turn(request.raw.socket, reply.raw);
    if (turn === undefined) done();
    else void turn.then((isThere) => isThere && done());
  });
  if (basePath !== '')
    app.addHook('onRequest', (request, reply, done) => {
      if (!outside.has(request.raw)) done();
      else sendProblem(outsideBasePath(request.raw.url ?? '/', basePath), request, reply);
    });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    connections.expectReader(reply.raw);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ raw }, _payload, done) => {
    // The body of a small request lies behind its head in the same packet: in the next tick it can be read in one call.
    if (raw.complete || Number(raw.headers['content-length'] ?? LARGE_BYTES) >= LARGE_BYTES) done(null);
    else process.nextTick(done, null);
  });
  app.decorateRequest('principal', null as never);
  app.decorateRequest('routeName', '');
  app.decorateRequest('mount', {
    getter(this: FastifyRequest) {
      return senders.mountPath(this.raw);
    },
  });
  app.decorate('keyless', keyless);
  app.decorate('backstage', {
    limits,
    nodeId: services.nodeId,
    options: services.options,
    logs,
    callers: { authenticate: door.rules.authenticate, watch: access.watch },
    // Rates are counted where all requests come together.
    hasRate: door.rules.rate !== undefined || door.rules.origins.length > 0,
    answered: ({ line, ...request }) => {
      if (line !== undefined) logRequest(app.log, { ...line, ...request });
      metrics.count({ surface: 'wire', ...request });
    },
    alsoOpen: (connections) => {
      openElsewhere = connections;
    },
    endStreams: () => lastCall.abort(),
    report: (thrown) => app.log.error({ err: thrown }, 'a request has failed'),
  } satisfies Backstage);
  registerAdmission(app, door);
  app.addHook('onResponse', (request, reply, done) => {
    if (logs) {
      logRequest(request.log, logLineOf(request, reply, senders.resolve(request.raw)));
    }
    const api = isApiPath(request.raw.url ?? '/');
    metrics.count({
      surface: api ? 'api' : 'wire',
      route: (api ? request.routeOptions.url : request.routeName) || 'none',
      method: request.method,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
    });
    done();
  });
  app.addHook('preClose', async () => {
    laneRequests.close();
    lanes?.close();
  });
  app.addHook('onClose', async () => {
    await room?.close();
    access.close();
    metrics.close();
    cluster?.close();
  });
  registerApi(app, {
    engine,
    cluster,
    records,
    fence,
    limits,
    metrics,
    resources: options.resources,
    services:
      records === undefined
        ? undefined
        : {
            engine,
            records,
            clusterDocuments: room?.documents,
            limits,
            sealer: services.sealer,
            access,
            streamsEnd: lastCall.signal,
            requireIdempotencyKeys: options.requireIdempotencyKeys,
            webhookAllowPrivate: options.webhookAllowPrivate,
            webhookDelay: options.webhookDelay,
          },
  });
  app.setErrorHandler((_error, request, reply) => void answer(request, reply));
  app.setNotFoundHandler((request, reply) =>
    isApiPath(request.raw.url ?? '/')
      ? sendProblem(pathNotFound(request.raw.url ?? '/'), request, reply)
      : void answer(request, reply),
  );
  await fence?.begin();
  return app;
}

/** Larger requests come in several packets. */
const LARGE_BYTES = 65_536;

/** The cluster at an address, under the limits of a server; nothing is asked of it yet. */
export async function openCluster(
  address: ClusterAddress,
  limits: Partial<Record<LimitName, number>> = {},
): Promise<Cluster> {
  const { Cluster } = await import('./proxy/client/cluster.ts');
  return new Cluster(address, limitsWith(limits));
}

/** Loaded only where there is a cluster. */
async function roomOver(options: ProxyOptions): Promise<ClusterProxy> {
  const { openProxy } = await import('./proxy/proxy-routes.ts');
  return openProxy(ROUTES, options);
}

/** What reading threads need of the server that they are a part of. */
export interface Backstage {
  readonly limits: Limits;
  readonly nodeId: string;
  readonly options: ServerOptions;
  /** True where each answer is written down. */
  readonly logs: boolean;
  readonly callers: { readonly authenticate: Authenticate; readonly watch: (watcher: () => void) => void };
  /** True where every request has to pass the door. */
  readonly hasRate: boolean;
  /** A request was answered there. */
  readonly answered: (request: AnsweredHere) => void;
  /** How many connections are open there. */
  readonly alsoOpen: (connections: () => number) => void;
  /** Ends answers that have no end of their own, those that begin later at once. */
  readonly endStreams: () => void;
  readonly report: (thrown: unknown) => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** True while there is nothing to know callers by. */
    keyless(): boolean;
    readonly backstage: Backstage;
  }
  interface FastifyRequest {
    /** What stands before all paths, as the client sees them: `/octavo`, or nothing. */
    readonly mount: string;
  }
}
