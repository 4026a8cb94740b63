// Makes the HTTP server behind Fastify, and puts lanes in front of it.
//
//   socket ── lane ── plain requests ──────────────── RequestHandler ─┐
//              └─ everything else, for good ── node:http ── Fastify ──┴── the same access rules, the same wire

import type { RequestListener } from 'node:http';
import type { FastifyServerOptions, RawServerDefault } from 'fastify';
import type { Limits } from '../limits.ts';
import type { Connections } from './connections.ts';
import { Lanes } from './lane/lanes.ts';
import type { RequestHandler } from './lane/request.ts';
import { nodeHttp, nodeHttps } from './node-http.ts';

/** Makes the server that Fastify would make, with the timeouts of its options. */
export function createNodeServer(listener: RequestListener, options: FastifyServerOptions): RawServerDefault {
  const { http = {}, https } = options as { http?: object; https?: object | null };
  const server = https
    ? nodeHttps.createServer({ ...http, ...https }, listener)
    : nodeHttp.createServer(http, listener);
  server.keepAliveTimeout = options.keepAliveTimeout!;
  server.requestTimeout = options.requestTimeout!;
  server.setTimeout(options.connectionTimeout!);
  return server;
}

/** Puts lanes in front of a server; undefined over TLS, where there are no plain bytes to read. */
export function attachLanes(
  server: RawServerDefault,
  handler: RequestHandler,
  limits: Limits,
  connections: Connections,
): Lanes | undefined {
  return 'setSecureContext' in server ? undefined : new Lanes(server, handler, limits, connections);
}
