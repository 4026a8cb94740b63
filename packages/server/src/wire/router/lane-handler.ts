// Handles the requests of lanes: checks access, then calls the search wire. Fastify gets requests for `/api`,
// requests of web pages (`Origin`), and requests with a body beyond the limit.

import type { IncomingHttpHeaders } from 'node:http';
import { type Admission, isApiPath, refusalReply } from '../../access/admission.ts';
import type { Principal } from '../../access/callers/principal.ts';
import { decodeBody } from '../../http/body-reader.ts';
import type { Incoming, PartialAnswer } from '../../http/exchange.ts';
import type { Head, PlainRequest, RequestHandler, ResponseSink } from '../../http/lane/request.ts';
import { aliasedUrl, innerUrl, normalizePath } from '../../http/request-target.ts';
import { chain, type MaybePromise } from '../../sync-first.ts';
import type { Wire } from './wire.ts';
import type { WireExchange } from './wire-exchange.ts';

/** A request that a reading thread relays to the writing thread. */
export interface RelayedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string | undefined;
}

/** The answer of the writing thread. */
export interface RelayedAnswer {
  readonly status: number;
  /** Names and values in turn, without date, length and connection. */
  readonly headers: readonly string[];
  /** Parts of an answer whose length is not known. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
}

/** What the handler of lanes uses. */
interface LaneOptions {
  readonly wire: Wire;
  readonly bodyBytes: number;
  /** The prefix of all paths; empty if there is none. */
  readonly basePath: string;
  /** Applies the access rules; undefined if only Fastify can apply them. */
  readonly admit: (request: Incoming & { readonly url: string }) => MaybePromise<Admission> | undefined;
  readonly mountOf: (request: Incoming) => string;
  /** Called for every answer. */
  readonly onAnswer: (exchange: WireExchange, status: number, milliseconds: number) => void;
  /** Logs a defect of ours. */
  readonly report: (thrown: unknown) => void;
  /** On a reading thread: which requests it answers itself, and the relay to the writing thread. */
  readonly relay?: {
    readonly isOwn: (method: string, url: string) => boolean;
    readonly send: (request: RelayedRequest, body: Uint8Array) => Promise<RelayedAnswer>;
  };
}

/** The handler of the lanes of a server. */
export class LaneHandler implements RequestHandler {
  readonly #options: LaneOptions;
  #isClosing = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** From now on Fastify answers every request, and asks clients to close their connections. */
  close(): void {
    this.#isClosing = true;
  }

  acceptsBody(head: Head, bodyBytes: number): boolean {
    return this.#urlOf(head, bodyBytes) !== undefined;
  }

  handle(request: PlainRequest, sink: ResponseSink): boolean {
    const url = this.#urlOf(request, request.body.length);
    if (url === undefined) return false;
    const { headers, socket } = request;
    const admission = this.#options.admit({ headers, socket, url });
    if (admission === undefined) return false;
    const exchange = new LaneExchange(request, url, sink, this.#options);
    void chain(admission, (admission) => this.#enter(exchange, admission));
    return true;
  }

  /** Path and query string of a request that a lane answers; undefined for all others. */
  #urlOf({ method, target, headers }: Head, bodyBytes: number): string | undefined {
    const { basePath, bodyBytes: most, relay } = this.#options;
    if (this.#isClosing || headers.origin !== undefined || bodyBytes > most) return undefined;
    const path = normalizePath(target);
    const url = basePath === '' ? path : innerUrl(path, basePath);
    if (url === undefined || isApiPath(aliasedUrl(method, url, headers.accept))) return undefined;
    return relay === undefined || relay.isOwn(method, url) ? url : undefined;
  }

  #enter(exchange: LaneExchange, { principal, refusal, headers }: Admission): MaybePromise<void> {
    exchange.principal = principal;
    if (headers !== undefined) exchange.presetHeaders = Object.entries(headers).flat();
    if (refusal === undefined) return this.#options.wire.answer(exchange);
    const reply = refusalReply(refusal);
    const own = Object.entries(reply.headers).flat();
    exchange.send(reply.status, [...exchange.presetHeaders, ...own], JSON.stringify(reply.body));
    return undefined;
  }
}

const NO_HEADERS: readonly string[] = [];

/** A request of a lane. */
class LaneExchange implements WireExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Incoming['socket'];
  principal: Principal | null = null;
  presetHeaders: readonly string[] = NO_HEADERS;
  routeName = '';
  readonly isComplete = true;
  isAnswered = false;
  readonly #body: Uint8Array;
  readonly #sink: ResponseSink;
  readonly #options: LaneOptions;
  readonly #began: number;

  constructor(request: PlainRequest, url: string, sink: ResponseSink, options: LaneOptions) {
    this.method = request.method;
    this.url = url;
    this.headers = request.headers;
    this.socket = request.socket;
    this.#body = request.body;
    this.#sink = sink;
    this.#began = request.startedAt;
    this.#options = options;
  }

  body(limit: number): Uint8Array | Promise<Uint8Array> {
    return decodeBody(this.#body, this.headers['content-encoding'], limit);
  }

  get isGone(): boolean {
    return this.#sink.isGone;
  }

  get hasHungUp(): boolean {
    return this.#sink.hasHungUp;
  }

  onGone(listener: () => void): () => void {
    return this.#sink.onGone(listener);
  }

  send(status: number, headers: string[], body: Buffer | string, onSent?: () => void): void {
    const at = this.#sink.answer(status, headers, body, onSent);
    this.isAnswered = true;
    this.#options.onAnswer(this, status, at - this.#began);
  }

  begin(status: number, headers: string[]): PartialAnswer {
    const answer = this.#sink.begin(status, headers);
    this.isAnswered = true;
    const note = (): void => this.#options.onAnswer(this, status, performance.now() - this.#began);
    return {
      write: (bytes) => answer.write(bytes),
      end: () => {
        answer.end();
        note();
      },
      abort: () => {
        answer.abort();
        note();
      },
    };
  }

  get mount(): string {
    return this.#options.mountOf(this);
  }

  report(thrown: unknown): void {
    this.#options.report(thrown);
  }

  relay(): boolean {
    const { relay, basePath } = this.#options;
    if (relay === undefined) return false;
    const { method, headers, socket } = this;
    const request = { method, url: basePath + this.url, headers, address: socket.remoteAddress };
    this.isAnswered = true;
    void relay
      .send(request, this.#body)
      .catch(() => UNREACHABLE)
      .then((answer) => (this.#sink.isGone ? undefined : this.#passOn(answer)));
    return true;
  }

  /** Passes an answer on: at once if it has come whole, else part by part. */
  async #passOn({ status, headers, body }: RelayedAnswer): Promise<void> {
    if (body instanceof Uint8Array) {
      this.#sink.answer(status, headers, body);
      return;
    }
    const answer = this.#sink.begin(status, headers);
    try {
      for await (const part of body) {
        await answer.write(part);
        if (this.#sink.isGone) return;
      }
      answer.end();
    } catch {
      answer.abort();
    }
  }
}

/** The answer if the writing thread cannot be reached: it has ended, or no descriptor is free for a connection to it. */
export const UNREACHABLE: RelayedAnswer & { readonly body: Uint8Array } = {
  status: 503,
  headers: ['content-type', 'application/json; charset=UTF-8', 'retry-after', '1'],
  body: Buffer.from('{"error":"the server is closing or has too many connections; try again","status":503}'),
};
