// How does a plain request reach the search wire without the framework's hooks and its router, which it does not need?
// Requests of callers that are known at once, outside `/api`, are answered straight from a lane, or over Node's own objects
// where Node has read them; everything else (web pages, rates, keys that are refused, requests sent ahead, a server that
// closes) goes the framework's way, to the same wire.

import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Turn } from '@octavo/engine';
import type { FastifyServerOptions, RawServerDefault } from 'fastify';
import { isApiPath } from '../access/door.ts';
import type { Principal } from '../access/principal.ts';
import type { Sent } from '../access/senders.ts';
import { takeTransfer } from '../api/hot/http.ts';
import type { HotTransfers } from '../api/hot/transfers.ts';
import { Lanes } from '../lane/lanes.ts';
import { nodeHttp, nodeHttps } from '../lane/node-http.ts';
import type { Asker, PlainAnswer, PlainRequest, TakePlain } from '../lane/request.ts';
import type { PassedOn } from '../lane/threads/relay.ts';
import type { Limits } from '../limits.ts';
import { answerOutside, innerUrl, plainBelow } from './base-path.ts';
import { decodedBody, EMPTY } from './body-reader.ts';
import type { Connections } from './connections.ts';
import type { Wire } from './dispatch.ts';
import { type Exchange, HttpExchange, type LaneExchange, NO_HEADERS } from './exchange.ts';
import { toOriginForm } from './origin-form.ts';

/** What figures and logs tell of an exchange. */
type AnsweredExchange = Pick<Exchange, 'method' | 'url' | 'headers' | 'socket' | 'principal' | 'routeName'>;

/** What the front stands on. */
export interface FrontOptions {
  readonly wire: Wire;
  readonly connections: Connections;
  readonly limits: Limits;
  /** The short way of transfers, where there are records. */
  readonly transfers: HotTransfers | undefined;
  /** The caller, where nothing has to be said to it before it is served. */
  readonly callerOf: (request: Sent) => Principal | undefined;
  /** What stands before all paths, as a client sees them. */
  readonly mountOf: (request: Sent) => string;
  /** Everything is below this path; empty for none. */
  readonly basePath: string;
  /** A request has been answered. */
  readonly answered: (exchange: AnsweredExchange, status: number, milliseconds: number) => void;
  /** A defect of ours. */
  readonly report: (thrown: unknown) => void;
  /** Where another thread answers what this one does not. */
  readonly elsewhere?: {
    /** False for requests that are its own to answer. */
    readonly isOurs: (method: string, url: string) => boolean;
    readonly ask: (request: PassedOn, body: Uint8Array) => Promise<PlainAnswer>;
  };
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
    const { connections, limits, basePath } = this.#options;
    const listener: RequestListener = (request, response) => {
      toOriginForm(request);
      if (basePath !== '' && !this.#enter(request, response)) return;
      if (!this.#take(request, response)) handler(request, response);
    };
    const { http = {}, https } = options as { http?: object; https?: object | null };
    const server = https
      ? nodeHttps.createServer({ ...http, ...https }, listener)
      : nodeHttp.createServer(http, listener);
    server.keepAliveTimeout = options.keepAliveTimeout!;
    server.requestTimeout = options.requestTimeout!;
    server.setTimeout(options.connectionTimeout!);
    // Over TLS there are no plain bytes to read.
    const plain = basePath === '' ? this.#plain : plainBelow(this.#plain, basePath);
    if (!https) this.#lanes = new Lanes(server, plain, limits, connections);
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
    new BareExchange(request, response, request.url ?? '/', null, this.#options).tellOf(response);
    const answer = (): void => answerOutside(request, response, basePath);
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
    if (request.headers.origin !== undefined || !this.#isOurs(request.method ?? 'GET', url)) return false;
    if (!connections.isFirst(request.socket)) return false;
    const principal = callerOf(request);
    if (principal === undefined) return false;
    connections.turn(request.socket, response);
    const exchange = new BareExchange(request, response, url, principal, this.#options);
    exchange.tellOf(response);
    const length = request.headers['content-length'];
    // The body of a small request lies behind its head in the same packet: in the next tick it is all there.
    if (length === undefined) void wire.answer(exchange);
    else if (Number(length) < LARGE_BYTES) process.nextTick(answerNow, wire, exchange);
    else void answerApart(wire, exchange);
    return true;
  }

  #isOurs(method: string, url: string): boolean {
    const { elsewhere } = this.#options;
    return elsewhere === undefined || elsewhere.isOurs(method, url);
  }

  #takeTransfer(request: IncomingMessage, response: ServerResponse): boolean {
    const { connections, transfers } = this.#options;
    if (transfers === undefined || !connections.isFirst(request.socket)) return false;
    return takeTransfer(transfers, request, response, connections);
  }

  /** The same for a request of a lane: whose body is waited for, and who is answered. */
  readonly #plain: TakePlain = {
    awaits: ({ method, target, headers, socket, bodyBytes }) =>
      !this.#closing &&
      !isApiPath(target) &&
      this.#isOurs(method, target) &&
      headers.origin === undefined &&
      bodyBytes <= this.#options.limits.bodyBytes &&
      this.#options.callerOf({ headers, socket }) !== undefined,
    take: (request, asker) => this.#takePlain(request, asker),
  };

  #takePlain(request: PlainRequest, asker: Asker): boolean {
    const { wire, transfers, limits, callerOf } = this.#options;
    const { method, target, headers, body } = request;
    if (this.#closing) return false;
    if (isApiPath(target)) {
      if (transfers === undefined || method !== 'POST' || body.length > 0) return false;
      return transfers.take(request, asker);
    }
    if (headers.origin !== undefined || body.length > limits.bodyBytes) return false;
    if (!this.#isOurs(method, target)) return false;
    const principal = callerOf(request);
    if (principal === undefined) return false;
    const routeName = wire.answerAtOnce(request, principal, asker);
    if (routeName !== undefined) {
      const { socket } = request;
      const exchange = { method, url: target, headers, socket, principal, routeName };
      this.#options.answered(exchange, 200, performance.now() - request.at);
      return true;
    }
    const plain = new PlainExchange(request, asker, principal, this.#options);
    if (!wire.writeAtOnce(request, principal, plain)) void wire.answer(plain);
    return true;
  }
}

const SLASH = 47;

/** The thread that should have answered is gone. */
const GONE: PlainAnswer = {
  status: 503,
  headers: ['content-type', 'application/json; charset=UTF-8'],
  body: Buffer.from('{"error":"the server is closing","status":503}'),
};

/** A larger request has time: its head alone takes as long as a page does. */
const LARGE_BYTES = 65_536;

async function answerApart(wire: Wire, exchange: Exchange): Promise<void> {
  await new Turn().apart();
  if (!exchange.isGone) await wire.answer(exchange);
}

function answerNow(wire: Wire, exchange: Exchange): void {
  void wire.answer(exchange);
}

class BareExchange extends HttpExchange {
  routeName = '';
  readonly #options: FrontOptions;
  readonly #began: number = performance.now();
  #body: Uint8Array | Promise<Uint8Array> = EMPTY;
  #isPassedOn = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    principal: Principal | null,
    options: FrontOptions,
  ) {
    super(request, response, url, principal, NO_HEADERS);
    this.#options = options;
  }

  /** Tells of the answer when it has left. */
  tellOf(response: ServerResponse): void {
    response.once('finish', () => {
      if (!this.#isPassedOn)
        this.#options.answered(this, response.statusCode, performance.now() - this.#began);
    });
  }

  /** What may have to be passed on is nobody's but this thread's. */
  override body(limit: number, shared: boolean = false): Uint8Array | Promise<Uint8Array> {
    this.#body = super.body(limit, shared && this.#options.elsewhere === undefined);
    return this.#body;
  }

  passOn(): boolean {
    const { elsewhere, connections, basePath } = this.#options;
    if (elsewhere === undefined) return false;
    this.#isPassedOn = true;
    // It has been read: its encoding is undone.
    const { 'content-encoding': _, ...headers } = this.headers;
    const { method, socket } = this;
    const request = { method, url: basePath + this.url, headers, address: socket.remoteAddress };
    void Promise.resolve(this.#body)
      .then((body) => elsewhere.ask(request, body))
      .catch(() => GONE)
      .then((answer) => this.send(answer.status, [...answer.headers], Buffer.from(answer.body), connections));
    return true;
  }

  get mount(): string {
    return this.#options.mountOf(this);
  }

  report(thrown: unknown): void {
    this.#options.report(thrown);
  }
}

/** A request of a lane. */
class PlainExchange implements LaneExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Sent['socket'];
  readonly principal: Principal;
  readonly preset: readonly string[] = NO_HEADERS;
  routeName = '';
  readonly isComplete = true;
  isAnswered = false;
  readonly #body: Uint8Array;
  readonly #asker: Asker;
  readonly #options: FrontOptions;
  readonly #began: number;

  constructor(request: PlainRequest, asker: Asker, principal: Principal, options: FrontOptions) {
    this.method = request.method;
    this.url = request.target;
    this.headers = request.headers;
    this.socket = request.socket;
    this.principal = principal;
    this.#body = request.body;
    this.#asker = asker;
    this.#began = request.at;
    this.#options = options;
  }

  body(limit: number): Uint8Array | Promise<Uint8Array> {
    return decodedBody(this.#body, this.headers['content-encoding'], limit);
  }

  passOn(): boolean {
    const { elsewhere, basePath } = this.#options;
    if (elsewhere === undefined) return false;
    const { method, headers, socket } = this;
    const request = { method, url: basePath + this.url, headers, address: socket.remoteAddress };
    this.isAnswered = true;
    void elsewhere
      .ask(request, this.#body)
      .catch(() => GONE)
      .then((answer) => this.#asker.isGone || this.#asker.answer(answer));
    return true;
  }

  get isGone(): boolean {
    return this.#asker.isGone;
  }

  onGone(listener: () => void): () => void {
    return this.#asker.onGone(listener);
  }

  send(status: number, headers: string[], body: Buffer | string): void {
    this.#answered(status, this.#asker.answer({ status, headers, body }));
  }

  reply(status: number, lines: string, body: string, bodyBytes: number): void {
    this.#answered(status, this.#asker.answerPrinted(status, lines, body, bodyBytes));
  }

  #answered(status: number, at: number): void {
    this.isAnswered = true;
    this.#options.answered(this, status, at - this.#began);
  }

  get mount(): string {
    return this.#options.mountOf(this);
  }

  report(thrown: unknown): void {
    this.#options.report(thrown);
  }
}
