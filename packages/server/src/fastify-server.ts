// The Fastify instance of a server, before it has routes: limits of connections, the lanes in front of it, and
// the hooks that run before access is checked.

import type { IncomingMessage } from 'node:http';
import { illegalArgument } from '@octavo/engine';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { isApiPath, refuse } from './access/admission.ts';
import type { SenderResolver } from './access/callers/sender-resolver.ts';
import { type AnswerBytes, COUNTED_BYTES } from './access/limits/answer-bytes.ts';
import { outsideBasePath, pathNotFound } from './api/api.ts';
import { lazyValidators } from './api/http/lazy-validators.ts';
import { Problem } from './errors/problem.ts';
import { PROBLEM_TYPE, problemReply, sendProblem } from './errors/problem-reply.ts';
import type { Connections } from './http/connections.ts';
import { onceClosed } from './http/exchange.ts';
import { attachLanes, createNodeServer } from './http/http-server.ts';
import type { Lanes } from './http/lane/lanes.ts';
import { refuseConnection } from './http/refuse-connection.ts';
import { aliasedUrl, innerUrl, normalizePath, toOriginForm } from './http/request-target.ts';
import type { Limits } from './limits.ts';
import { loggerOptions } from './observe/request-log.ts';
import type { ServeOptions } from './serve-options.ts';
import type { MaybePromise } from './sync-first.ts';
import type { LaneHandler } from './wire/router/lane-handler.ts';

/** What the instance is made of. */
interface FastifyParts {
  readonly options: Pick<ServeOptions, 'tls' | 'basePath' | 'logLevel' | 'logStream'>;
  readonly limits: Limits;
  readonly connections: Connections;
  readonly answerBytes: AnswerBytes;
  readonly laneHandler: LaneHandler;
  readonly senders: SenderResolver;
  /** Gives a request its id. */
  readonly nameOf: (request: Pick<IncomingMessage, 'headers'>) => string;
  /** Answers requests of the search wire, which is everything but `/api`. */
  readonly handleWireRequest: (request: FastifyRequest, reply: FastifyReply) => MaybePromise<void>;
}

/** Makes the instance. Closing it ends its connections and lanes. */
export function createFastify(parts: FastifyParts): FastifyInstance {
  const { options, limits, connections, senders, handleWireRequest } = parts;
  const basePath = options.basePath ?? '';
  let lanes: Lanes | undefined;
  const faults: TargetFaults = { outside: new WeakSet(), misaddressed: new WeakMap() };
  const app: FastifyInstance = Fastify({
    serverFactory: (handler, given) => {
      const server = createNodeServer(handler, given);
      lanes = attachLanes(server, parts.laneHandler, limits, connections);
      return server;
    },
    rewriteUrl: (request) => rewriteTarget(request as IncomingMessage, basePath, faults),
    ...(options.tls === undefined
      ? {}
      : { https: { ...options.tls, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersTimeoutMs } }),
    logger: loggerOptions(options.logLevel, options.logStream),
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: its lines name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: parts.nameOf,
    // Values are taken as written. Only defaults are added.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: true },
      plugins: [lazyValidators],
    },
    // The wire reads bodies itself, with this limit and its own errors.
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
      // Node refuses a time limit for heads that is longer than that for whole requests.
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.connectionsCheckMs,
      maxHeaderSize: limits.headerBytes,
    },
    frameworkErrors: (error, request, reply) =>
      isApiPath(request.raw.url ?? '/')
        ? // The framework's own request has no decorators.
          void sendProblem(error, request, reply, senders.mountPath(request.raw))
        : void handleWireRequest(request, reply),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, connections),
  });
  connections.watch(app.server);
  app.addHook('preClose', async () => {
    connections.close(app.server);
    parts.laneHandler.close();
    lanes?.close();
  });
  addHooks(app, parts, faults);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.decorateRequest('principal', null as never);
  app.decorateRequest('routeName', '');
  app.decorateRequest('mount', {
    getter(this: FastifyRequest) {
      return senders.mountPath(this.raw);
    },
  });
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendProblem(pathNotFound(request.raw.url ?? '/'), request, reply),
  );
  return app;
}

/** Requests whose target cannot be served. They are refused by a hook, which has a reply. */
interface TargetFaults {
  /** Requests outside the base path. */
  readonly outside: WeakSet<IncomingMessage>;
  /** Requests for no single host, and what is wrong with it. */
  readonly misaddressed: WeakMap<IncomingMessage, string>;
}

/** The URL that the router gets. */
function rewriteTarget(
  request: IncomingMessage,
  basePath: string,
  { outside, misaddressed }: TargetFaults,
): string {
  const fault = toOriginForm(request);
  if (fault !== undefined) misaddressed.set(request, fault);
  const url = normalizePath(request.url ?? '/');
  const inner = basePath === '' ? url : innerUrl(url, basePath);
  if (inner === undefined) outside.add(request);
  return aliasedUrl(request.method, inner ?? url, request.headers?.accept);
}

/** The hooks of every request, before access is checked and before an answer is sent. */
function addHooks(app: FastifyInstance, parts: FastifyParts, { outside, misaddressed }: TargetFaults): void {
  const { connections, answerBytes } = parts;
  const basePath = parts.options.basePath ?? '';
  app.addHook('onRequest', (request, reply, done) => {
    const turn = connections.waitForTurn(request.raw.socket, reply.raw);
    if (turn === undefined) done();
    else void turn.then((isThere) => isThere && done());
  });
  app.addHook('onRequest', (request, reply, done) => {
    const fault = misaddressed.get(request.raw);
    if (fault === undefined) done();
    else refuse(illegalArgument(fault), request, reply.header('connection', 'close'));
  });
  if (basePath !== '')
    app.addHook('onRequest', (request, reply, done) => {
      if (!outside.has(request.raw)) done();
      else sendProblem(outsideBasePath(request.raw.url ?? '/', basePath), request, reply);
    });
  app.addHook('onSend', (request, reply, payload, done) => {
    connections.limitReadPauses(reply.raw);
    done(null, takeApiAnswer(request, reply, payload, answerBytes));
  });
}

/** Counts an answer of `/api` as in flight. Returns what is sent: the answer, or a problem if there are too many bytes. */
function takeApiAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  answerBytes: AnswerBytes,
): unknown {
  const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
  const bytes = isWhole ? Buffer.byteLength(payload) : 0;
  // A problem is sent whatever the limits.
  if (bytes < COUNTED_BYTES || reply.statusCode >= 400) return payload;
  const caller = request.principal.id;
  try {
    answerBytes.take(caller, bytes);
  } catch (thrown) {
    const problem = new Problem('answer-limit', thrown instanceof Error ? thrown.message : String(thrown));
    const refusal = problemReply(problem, request.id, request.log, request.mount);
    for (const name of ['etag', 'link', 'location', 'content-length']) reply.removeHeader(name);
    reply.code(refusal.status).headers(refusal.headers).type(PROBLEM_TYPE).header('retry-after', '1');
    return refusal.body;
  }
  onceClosed(reply.raw, () => answerBytes.release(caller, bytes));
  return payload;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The path before all paths of this server, as the client sees them: `/octavo`, or nothing. */
    readonly mount: string;
  }
}
