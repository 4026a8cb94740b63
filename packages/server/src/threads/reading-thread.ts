// A reading thread: its own listener on the port of the server, over a replica of the engine. Its lanes
// answer reads; every other request is relayed whole.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { openReplica } from '@octavo/engine';
import type { FastifyServerOptions } from 'fastify';
import type { Admission } from '../access/admission.ts';
import { refuseNonLocal } from '../access/callers/loopback.ts';
import { ANONYMOUS } from '../access/callers/principal.ts';
import { SenderResolver } from '../access/callers/sender-resolver.ts';
import { parseTrustedProxies } from '../access/callers/trusted-proxies.ts';
import { AnswerBytes } from '../access/limits/answer-bytes.ts';
import { openSealer } from '../access/sealer.ts';
import { engineLimits } from '../engine-limits.ts';
import { Connections } from '../http/connections.ts';
import type { Incoming } from '../http/exchange.ts';
import { attachLanes, createNodeServer } from '../http/http-server.ts';
import { refuseConnection } from '../http/refuse-connection.ts';
import { createRequestIds } from '../observe/request-ids.ts';
import { NO_REMOTE } from '../wire/router/document-pages.ts';
import { LaneHandler } from '../wire/router/lane-handler.ts';
import { TaskLog } from '../wire/router/task-log.ts';
import { Wire } from '../wire/router/wire.ts';
import { SnapshotLeases } from '../wire/search/leases/snapshot-leases.ts';
import { CallerCache } from './caller-cache.ts';
import type { HostMessage, ReadingThreadAnswer, ReadingThreadData, ThreadMessage } from './messages.ts';
import { isReadingRequest, READING_ROUTES } from './reading-routes.ts';
import { Relay } from './relay.ts';

/** How often answers are reported. */
const REPORT_MS = 50;

const data = workerData as ReadingThreadData;
const { port, limits, options } = data;
const send = (message: ThreadMessage): void => port.postMessage(message);

const budget = data.memoryBytes;
const engine = openReplica(data.loan, {
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
  snapshots: new SnapshotLeases(engine),
  tasks: new TaskLog(),
  remote: NO_REMOTE,
  connections,
  principal: ANONYMOUS,
  answerBytes: new AnswerBytes(limits, data.answerBytes),
  keys: undefined,
});
const relay = new Relay(data.inlet);
const callers = new CallerCache(data.callers, send);
const senders = new SenderResolver({ ...data.senders, trust: parseTrustedProxies(data.trust) });
const nameOf = createRequestIds();

let answered: ReadingThreadAnswer[] = [];
let flushTimer: NodeJS.Timeout | undefined;

function flush(): void {
  clearTimeout(flushTimer);
  flushTimer = undefined;
  send({ kind: 'answered', requests: answered, open: connections.counts.open });
  answered = [];
}

function reportDefect(thrown: unknown): void {
  send({ kind: 'defect', error: thrown instanceof Error ? String(thrown.stack) : String(thrown) });
}

/**
 * Admits callers that the writing thread has authenticated and that need no other answer (rates, web
 * origins); undefined for all others.
 */
function admit(request: Incoming): Admission | undefined {
  const principal = callers.get(request.headers.authorization);
  if (principal === undefined || principal.rate !== undefined) return undefined;
  const isGuarded = principal === ANONYMOUS && !data.unsafePublic;
  return isGuarded && refuseNonLocal(request, []) !== undefined ? undefined : { principal };
}

const requests = new LaneHandler({
  wire,
  bodyBytes: limits.bodyBytes,
  basePath: data.senders.basePath ?? '',
  presetHeaders: [],
  admit,
  mountOf: (request) => senders.mountPath(request),
  onAnswer: (exchange, status, milliseconds) => {
    const { method, url, routeName, principal } = exchange;
    const line = { id: nameOf(exchange), url, caller: principal?.id, sender: senders.resolve(exchange) };
    answered.push({
      ...{ route: routeName || 'none', method, status, milliseconds },
      line: data.logs ? line : undefined,
    });
    flushTimer ??= setTimeout(flush, REPORT_MS);
  },
  report: reportDefect,
  relay: {
    isOwn: (method, url) => isReadingRequest(wire.routeOf(method, url), url),
    send: (request, body) => relay.send(request, body),
  },
});
/**
 * Relays everything else. Pipelined requests wait for each other here: the writing thread gets each on its
 * own connection.
 */
const relayRequest = (request: IncomingMessage, response: ServerResponse): void => {
  const pipe = (): void => relay.pipe(request, response);
  const turn = connections.waitForTurn(request.socket, response);
  if (turn === undefined) pipe();
  else void turn.then((isThere) => isThere && pipe());
};
const server = createNodeServer(relayRequest, {
  http: {
    headersTimeout: limits.headersTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    maxHeaderSize: limits.headerBytes,
  },
  keepAliveTimeout: limits.keepAliveTimeoutMs,
  requestTimeout: limits.requestTimeoutMs,
  connectionTimeout: 0,
} as FastifyServerOptions);
const lanes = attachLanes(server, requests, limits, connections);
server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket, connections));
connections.watch(server);
server.once('error', (error: NodeJS.ErrnoException) => {
  send({ kind: 'failed', error: { message: error.message, code: error.code } });
});
server.listen({ ...data.place, reusePort: true }, () => send({ kind: 'listens' }));

port.on('message', (message: HostMessage) => {
  if (message.kind === 'caller') callers.put(message);
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
