// A reading thread: a listener of its own on the port of the server, before an engine that sees what the writing thread has lent. Its
// lanes answer reads; every other request is relayed whole.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { openReader } from '@octavo/engine';
import type { FastifyServerOptions } from 'fastify';
import type { Admission } from '../access/admission.ts';
import { refuseNonLocal } from '../access/callers/loopback.ts';
import { ANONYMOUS } from '../access/callers/principal.ts';
import { SenderResolver } from '../access/callers/sender-resolver.ts';
import { parseTrustedProxies } from '../access/callers/trusted-proxies.ts';
import { openSealer } from '../access/sealer.ts';
import { engineLimits } from '../engine-limits.ts';
import { Connections } from '../http/connections.ts';
import type { Incoming } from '../http/exchange.ts';
import { lanesBefore, nodeServer } from '../http/http-server.ts';
import { refuseConnection } from '../http/refuse-connection.ts';
import { createRequestIds } from '../observe/request-ids.ts';
import { Wire } from '../wire/router/dispatch.ts';
import { LaneRequests } from '../wire/router/lane-requests.ts';
import { WalkSnapshots } from '../wire/search/walks/snapshots.ts';
import { KnownCallers } from './callers.ts';
import type { AnsweredHere, FromThread, ThreadData, ToThread } from './messages.ts';
import { isRead, READING_ROUTES } from './reads.ts';
import { Relay } from './relay.ts';

/** Figures are told so often. */
const TELL_MS = 50;

const data = workerData as ThreadData;
const { port, limits, options } = data;
const tell = (message: FromThread): void => port.postMessage(message);

const budget = data.memoryBytes;
const engine = openReader(data.loan, {
  compat: options.compat,
  limits: engineLimits(limits),
  onBroken: reportDefect,
  ...(budget !== undefined && { memoryBytes: budget * 0.75, logCacheBytes: budget * 0.25 }),
});
const connections = new Connections(limits);
const wire = new Wire(READING_ROUTES, {
  engine,
  options,
  limits,
  nodeId: data.nodeId,
  sealer: await openSealer(engine),
  walks: new WalkSnapshots(engine),
  connections,
  principal: ANONYMOUS,
  keys: undefined,
});
const relay = new Relay(data.inlet);
const callers = new KnownCallers(data.callers, tell);
const senders = new SenderResolver({ ...data.senders, trust: parseTrustedProxies(data.trust) });
const nameOf = createRequestIds();

let answered: AnsweredHere[] = [];
let telling: NodeJS.Timeout | undefined;

function flush(): void {
  clearTimeout(telling);
  telling = undefined;
  tell({ kind: 'answered', requests: answered, open: connections.counts.open });
  answered = [];
}

function reportDefect(thrown: unknown): void {
  tell({ kind: 'defect', error: thrown instanceof Error ? String(thrown.stack) : String(thrown) });
}

/** The door for callers whom the writing thread has introduced, and whom nothing has to be said to; undefined for all others. */
function admit(request: Incoming): Admission | undefined {
  const principal = callers.of(request.headers.authorization);
  if (principal === undefined || principal.rate !== undefined) return undefined;
  const isGuarded = principal === ANONYMOUS && !data.unsafePublic;
  return isGuarded && refuseNonLocal(request, []) !== undefined ? undefined : { principal };
}

const requests = new LaneRequests({
  wire,
  bodyBytes: limits.bodyBytes,
  basePath: data.senders.basePath ?? '',
  admit,
  mountOf: (request) => senders.mountPath(request),
  answered: (exchange, status, milliseconds) => {
    const { method, url, routeName, principal } = exchange;
    const line = { id: nameOf(exchange), url, caller: principal?.id, sender: senders.resolve(exchange) };
    answered.push({
      ...{ route: routeName || 'none', method, status, milliseconds },
      line: data.logs ? line : undefined,
    });
    telling ??= setTimeout(flush, TELL_MS);
  },
  report: reportDefect,
  relay: {
    isOurs: (method, url) => isRead(wire.routeOf(method, url), url),
    ask: (request, body) => relay.ask(request, body),
  },
});
/** Everything else. Requests that a client sends ahead take turns here: the writing thread gets each on a connection of its own. */
const passOn = (request: IncomingMessage, response: ServerResponse): void => {
  const pipe = (): void => relay.pipe(request, response);
  const turn = connections.turn(request.socket, response);
  if (turn === undefined) pipe();
  else void turn.then((isThere) => isThere && pipe());
};
const server = nodeServer(passOn, {
  http: {
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    maxHeaderSize: limits.headerBytes,
  },
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  connectionTimeout: 0,
} as FastifyServerOptions);
const lanes = lanesBefore(server, requests, limits, connections);
server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket, connections));
connections.watch(server);
server.once('error', (error: NodeJS.ErrnoException) => {
  tell({ kind: 'failed', error: { message: error.message, code: error.code } });
});
server.listen({ ...data.place, reusePort: true }, () => tell({ kind: 'listens' }));

port.on('message', (message: ToThread) => {
  if (message.kind === 'caller') callers.take(message);
  else {
    requests.close();
    lanes?.close();
    connections.close(server);
    server.close(() => {
      flush();
      relay.close();
      void engine.close().then(() => port.close());
    });
    server.closeIdleConnections();
  }
});
