// What is one request and its answer, whoever carries them? The search wire reads and writes Node's own objects; it is
// told who asks, and tells which route it was.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';

/** One request on its way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
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
  /** Writes down a defect of ours. */
  report(thrown: unknown): void;
}

const NO_HEADERS: readonly string[] = [];

/** A request that came through the framework, which is told that it need not answer. */
export class FrameworkExchange implements Exchange {
  readonly #request: FastifyRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  readonly principal: Principal | null;
  readonly preset: readonly string[];

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.request = request.raw;
    this.response = reply.raw;
    this.url = request.raw.url ?? '/';
    this.principal = request.principal;
    this.preset = flat(reply.getHeaders());
    reply.hijack();
  }

  get mount(): string {
    return this.#request.mount;
  }

  get routeName(): string {
    return this.#request.routeName;
  }

  set routeName(name: string) {
    this.#request.routeName = name;
  }

  report(thrown: unknown): void {
    this.#request.log.error({ err: thrown, reqId: this.#request.id }, 'a request has failed');
  }
}

function flat(headers: ReturnType<FastifyReply['getHeaders']>): readonly string[] {
  const out: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name as keyof typeof headers];
    if (value !== undefined) out.push(name, String(value));
  }
  return out.length === 0 ? NO_HEADERS : out;
}
