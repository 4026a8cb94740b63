// A request as the search wire takes it: the exchange of its carrier, and the caller that the door has let in.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/callers/principal.ts';
import type { Connections } from '../../http/connections.ts';
import { type Exchange, NodeExchange } from '../../http/exchange.ts';

/** One request of a caller. */
export interface WireExchange extends Exchange {
  /** Null for a request that never passed the door. */
  readonly principal: Principal | null;
  /** The path before all paths, as the client sees them; mostly nothing. */
  readonly mount: string;
  /** Headers that the door has set: names and values in turn. */
  readonly presetHeaders: readonly string[];
  /** The pattern of the route, once it is known: for figures. */
  routeName: string;
  /** Logs a defect of ours. */
  report(thrown: unknown): void;
  /** Has the writing thread answer; false where this is the writing thread. */
  relay?(): boolean;
}

/** A request that came through Fastify, which is told that it need not answer. */
export class FastifyExchange extends NodeExchange implements WireExchange {
  readonly presetHeaders: readonly string[];
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest, reply: FastifyReply, connections: Connections) {
    super(request.raw, reply.raw, connections);
    this.presetHeaders = pairs(reply.getHeaders());
    this.#request = request;
    reply.hijack();
  }

  get principal(): Principal | null {
    return this.#request.principal;
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

const NO_HEADERS: readonly string[] = [];

function pairs(headers: ReturnType<FastifyReply['getHeaders']>): readonly string[] {
  let out: string[] | undefined;
  for (const name in headers) {
    const value = headers[name as keyof typeof headers];
    if (value !== undefined) (out ??= []).push(name, String(value));
  }
  return out ?? NO_HEADERS;
}
