// What is one request and its answer, whoever carries them? The search wire is told what was asked and by whom, and gives a
// status, headers and bytes. Here over Node's own objects; a lane carries them straight over its socket.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import type { Sent } from '../access/senders.ts';
import { readBody } from './body-reader.ts';
import type { Connections } from './connections.ts';

/** One request on its way. */
export interface Exchange extends Sent {
  readonly method: string;
  /** Path and query string as they came. */
  readonly url: string;
  /** Null for what never came through the door. */
  readonly principal: Principal | null;
  /** What stands before all paths, as the client sees them; mostly nothing. */
  readonly mount: string;
  /** Headers that the door has set: names and values in turn. */
  readonly preset: readonly string[];
  /** The pattern of the route, once it is known: for figures. */
  routeName: string;
  /**
   * The body, its encoding undone; at once where it is there. Throws what is wrong with it, 413 beyond `limit` bytes. With
   * `shared` a long one may lie in memory that threads share.
   */
  body(limit: number, shared?: boolean): Uint8Array | Promise<Uint8Array>;
  /** False while some of the body has not been read. */
  readonly isComplete: boolean;
  /** True once the client has gone away. */
  readonly isGone: boolean;
  /** Calls the listener when the client goes away. Returns how to stop. */
  onGone(listener: () => void): () => void;
  /** True once an answer has begun to leave. */
  readonly isAnswered: boolean;
  /** Answers. Headers are names and values in turn, without the length. Throws for values that HTTP cannot carry. */
  send(status: number, headers: string[], body: Buffer | string, connections: Connections): void;
  /** Writes down a defect of ours. */
  report(thrown: unknown): void;
  /** Has another thread answer, once the body has been read; false where there is none. */
  passOn?(): boolean;
}

/** One that a lane carries. */
export interface LaneExchange extends Exchange {
  /** Answers with what is printed already: headers, each a line with its end, and a text of so many bytes. */
  reply(status: number, lines: string, body: string, bodyBytes: number): void;
}

/** What all exchanges over Node's own objects have. */
export abstract class HttpExchange implements Exchange {
  readonly url: string;
  readonly principal: Principal | null;
  readonly preset: readonly string[];
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  abstract routeName: string;
  abstract readonly mount: string;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    principal: Principal | null,
    preset: readonly string[],
  ) {
    this.#request = request;
    this.#response = response;
    this.url = url;
    this.principal = principal;
    this.preset = preset;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }

  get headers(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  body(limit: number, shared?: boolean): Uint8Array | Promise<Uint8Array> {
    return readBody(this.#request, limit, shared);
  }

  get socket(): Sent['socket'] {
    return this.#request.socket;
  }

  get isComplete(): boolean {
    return this.#request.complete;
  }

  get isGone(): boolean {
    return this.#request.socket?.destroyed === true;
  }

  onGone(listener: () => void): () => void {
    const { socket } = this.#request;
    socket?.once('close', listener);
    return () => void socket?.removeListener('close', listener);
  }

  get isAnswered(): boolean {
    return this.#response.headersSent;
  }

  send(status: number, headers: string[], body: Buffer | string, connections: Connections): void {
    headers.push('content-length', String(Buffer.byteLength(body)));
    this.#response.writeHead(status, headers);
    this.#response.end(body);
    connections.expectReader(this.#response);
  }

  abstract report(thrown: unknown): void;
}

/** A request that came through the framework, which is told that it need not answer. */
export class FrameworkExchange extends HttpExchange {
  readonly #framework: FastifyRequest;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    super(request.raw, reply.raw, request.raw.url ?? '/', request.principal, flat(reply.getHeaders()));
    this.#framework = request;
    reply.hijack();
  }

  get mount(): string {
    return this.#framework.mount;
  }

  get routeName(): string {
    return this.#framework.routeName;
  }

  set routeName(name: string) {
    this.#framework.routeName = name;
  }

  report(thrown: unknown): void {
    this.#framework.log.error({ err: thrown, reqId: this.#framework.id }, 'a request has failed');
  }
}

/** No headers. */
export const NO_HEADERS: readonly string[] = [];

function flat(headers: ReturnType<FastifyReply['getHeaders']>): readonly string[] {
  const out: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name as keyof typeof headers];
    if (value !== undefined) out.push(name, String(value));
  }
  return out.length === 0 ? NO_HEADERS : out;
}
