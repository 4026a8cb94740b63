// How does a plain request reach the search wire without the framework's hooks and its router, which it does not need?
// Requests of callers that are known at once, outside `/api`, are answered over Node's own objects; everything else
// (web pages, rates, keys that are refused, requests sent ahead, a server that closes) goes the framework's way, to the
// same wire.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { FastifyServerOptions, RawServerDefault } from 'fastify';
import { isApiPath } from '../access/door.ts';
import type { Principal } from '../access/principal.ts';
import { takeTransfer } from '../api/hot/http.ts';
import type { HotTransfers } from '../api/hot/transfers.ts';
import { Lanes } from '../lane/lanes.ts';
import type { Limits } from '../limits.ts';
import { answerOutside, innerUrl } from './base-path.ts';
import type { Connections } from './connections.ts';
import type { Wire } from './dispatch.ts';
import type { Exchange } from './exchange.ts';

/** What the front stands on. */
export interface FrontOptions {
  readonly wire: Wire;
  readonly connections: Connections;
  readonly limits: Limits;
  /** The short way of transfers, where there are records. */
  readonly transfers: HotTransfers | undefined;
  /** The caller, where nothing has to be said to it before it is served. */
  readonly callerOf: (request: IncomingMessage) => Principal | undefined;
  /** What stands before all paths, as a client sees them. */
  readonly mountOf: (request: IncomingMessage) => string;
  /** Everything is below this path; empty for none. */
  readonly basePath: string;
  /** A request has been answered. */
  readonly answered: (exchange: Exchange, milliseconds: number) => void;
  /** A defect of ours. */
  readonly report: (thrown: unknown) => void;
}

/** Stands before the framework's handler. */
export class Front {
  readonly #options: FrontOptions;
  #lanes: Lanes | undefined;
  #closing = false;

  constructor(options: FrontOptions) {
    this.#options = options;
  }

  /** From now on the framework answers everything: it asks clients to go. */
  close(): void {
    this.#closing = true;
    this.#lanes?.close();
  }

  /** Fastify's serverFactory: the server that it would make, with the front before its handler. */
  server(handler: RequestListener, options: FastifyServerOptions): RawServerDefault {
    const { transfers, connections, limits, basePath } = this.#options;
    const listener: RequestListener = (request, response) => {
      if (basePath !== '' && !this.#enter(request, response)) return;
      if (!this.#take(request, response)) handler(request, response);
    };
    const { http = {}, https } = options as { http?: object; https?: object | null };
    const server = https ? createTlsServer({ ...http, ...https }, listener) : createServer(http, listener);
    server.keepAliveTimeout = options.keepAliveTimeout!;
    server.requestTimeout = options.requestTimeout!;
    server.setTimeout(options.connectionTimeout!);
    // Over TLS there are no plain bytes to read; below a path, node:http reads them.
    if (transfers !== undefined && !https && basePath === '')
      this.#lanes = new Lanes(server, transfers, limits, connections);
    return server;
  }

  /** False where the request was for something that is not ours, and has been told so. */
  #enter(request: IncomingMessage, response: ServerResponse): boolean {
    const { basePath, connections } = this.#options;
    const inner = innerUrl(request.url ?? '/', basePath);
    if (inner !== undefined) {
      request.url = inner;
      return true;
    }
    const exchange = new BareExchange(request, response, request.url ?? '/', null, this.#options);
    const answer = (): void => answerOutside(exchange.request, response, basePath);
    const turn = connections.turn(request.socket, response);
    if (turn === undefined) answer();
    else void turn.then((isThere) => isThere && answer());
    return false;
  }

  #take(request: IncomingMessage, response: ServerResponse): boolean {
    const { wire, connections, callerOf } = this.#options;
    const url = request.url ?? '/';
    if (this.#closing || url.charCodeAt(0) !== SLASH) return false;
    if (isApiPath(url)) return this.#takeTransfer(request, response);
    if (request.headers.origin !== undefined) return false;
    if (!connections.isFirst(request.socket)) return false;
    const principal = callerOf(request);
    if (principal === undefined) return false;
    connections.turn(request.socket, response);
    const exchange = new BareExchange(request, response, url, principal, this.#options);
    // The body of a small request lies behind its head in the same packet: in the next tick it is all there.
    if (request.headers['content-length'] === undefined) void wire.answer(exchange);
    else process.nextTick(answerNow, wire, exchange);
    return true;
  }

  #takeTransfer(request: IncomingMessage, response: ServerResponse): boolean {
    const { connections, transfers } = this.#options;
    if (transfers === undefined || !connections.isFirst(request.socket)) return false;
    return takeTransfer(transfers, request, response, connections);
  }
}

const SLASH = 47;
const NO_HEADERS: readonly string[] = [];

function answerNow(wire: Wire, exchange: Exchange): void {
  void wire.answer(exchange);
}

class BareExchange implements Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly principal: Principal | null;
  readonly preset: readonly string[] = NO_HEADERS;
  routeName = '';
  readonly #options: FrontOptions;
  readonly #began: number = performance.now();

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    principal: Principal | null,
    options: FrontOptions,
  ) {
    this.request = request;
    this.response = response;
    this.url = url;
    this.principal = principal;
    this.#options = options;
    response.once('finish', () => options.answered(this, performance.now() - this.#began));
  }

  get mount(): string {
    return this.#options.mountOf(this.request);
  }

  report(thrown: unknown): void {
    this.#options.report(thrown);
  }
}
