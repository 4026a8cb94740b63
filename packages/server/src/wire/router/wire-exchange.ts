// A request of the search wire, from a lane or from node:http, with the caller that the access rules have found.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/callers/principal.ts';
import type { Connections } from '../../http/connections.ts';
import { type Exchange, NodeExchange } from '../../http/exchange.ts';

/** One request of a caller. */
export interface WireExchange extends Exchange {
  /** Null for a request that no access rule has seen. */
  readonly principal: Principal | null;
  /** The path before all paths of this server, as the client sees them; mostly empty. */
  readonly mount: string;
  /** Headers that the access rules have set: names and values in turn. */
  readonly presetHeaders: readonly string[];
  /** The pattern of the route, for metrics; empty until the route is found. */
  routeName: string;
  /** Logs a defect of ours. */
  report(thrown: unknown): void;
  /** Relays the request to the writing thread; false on the writing thread itself. */
  relay?(): boolean;
}

/** A request that came through Fastify, which leaves the answer to the wire (`hijack`). */
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
