// What is a resource of the application API? A Fastify plugin in a folder of its own: routes with TypeBox schemas,
// which validate, type the handlers and make the OpenAPI document. `api.ts` does the rest: JSON, problems, trailing
// slashes, unknown and repeated parameters, ETags, headers, scopes, rate limits. `resources.ts` lists them.
//
//   export const newsfeed: Resource = async (app, services) => {
//     app.get('/newsfeed', { schema: { operationId: 'listFeed', tags: ['feed'], querystring: …, response: { 200: … } },
//                            config: { scope: ['feed', 'read'], cost: 1, etag: true } },
//             async (request, reply) => { setLinks(request, reply, { next: { max_id } }); return { items, … }; });
//   };
//
// Parameters of the query string become the integers, numbers, booleans and lists (by commas) that their schema says.
// No body where an object is wanted is `{}`; a body is never coerced. Refuse by throwing: Problem, RecordsError,
// CursorError. `request.body`, `query`, `params` are typed by the schemas. Describe every 2xx; problems are added.

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Engine } from '@octavo/engine';
import type { Sealer } from '@octavo/paging';
import type { Records } from '@octavo/records';
import type { Access } from '../access/access.ts';
import type { ScopeArea } from '../access/callers/principal.ts';
import type { ClusterDocuments } from '../events/read-events.ts';
import type { Limits } from '../limits.ts';
import type { FenceWatch } from '../observe/fence-watch.ts';
import type { ClusterFigures, Metrics } from '../observe/metrics.ts';

/** What resources are given. */
export interface ApiServices {
  readonly engine: Engine;
  readonly records: Records;
  /** Where the engine has no documents. */
  readonly clusterDocuments?: ClusterDocuments | undefined;
  readonly limits: Limits;
  /** Seals and opens `prev` and `next` tokens, which are bound to the principal. */
  readonly sealer: Sealer;
  /** Who calls, and the keys they call with. */
  readonly access: Access;
  /** Aborted when streams are to end: before the server closes where others bring its requests. */
  readonly streamsEnd?: AbortSignal | undefined;
  /** True refuses what moves money without an Idempotency-Key. @default false */
  readonly requireIdempotencyKeys?: boolean | undefined;
  /** True lets webhooks reach this machine and private networks. @default false */
  readonly webhookAllowPrivate?: boolean | undefined;
  /** Milliseconds before a webhook is called again; growing waits by default. */
  readonly webhookDelay?: ((failures: number) => number) | undefined;
}

/** The app it is given has the prefix `/api`, the TypeBox types and the API's error handler. */
export type ResourceApp = Parameters<FastifyPluginAsyncTypebox>[0];

/** One folder of routes. Paths without trailing slash; both are answered. */
export type Resource = (app: ResourceApp, services: ApiServices) => Promise<void>;

/** The client of the cluster, as far as health and metrics need it. */
export interface ClusterProbe {
  readonly figures: ClusterFigures;
  request(request: {
    readonly method: string;
    readonly path: string;
    readonly repeatable: boolean;
  }): Promise<{ readonly status: number }>;
}

/** What these resources are given. */
export interface ServerServices {
  readonly engine: Engine;
  /** Where the documents are, if not in the engine. */
  readonly cluster?: ClusterProbe | undefined;
  readonly records: Records | undefined;
  /** Whether they refuse writes. */
  readonly fence?: FenceWatch | undefined;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** Routes over the server itself. */
export type ServerResource = (app: ResourceApp) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the principal needs; without it the route is open to everybody (health, the OpenAPI document). */
    scope?: readonly [area: ScopeArea, verb: 'read' | 'write' | 'admin'];
    /** What a call costs of the rate limit. @default 1 */
    cost?: number;
    /** True leaves the query string out of logs. */
    secretQuery?: boolean;
    /** True computes a weak ETag of the answer and honours If-None-Match (GET and HEAD). */
    etag?: boolean;
    /** Reads bodies of a common form faster than as JSON; undefined for all others. What it gives is not validated. */
    scan?: (bytes: Uint8Array) => object | undefined;
    /** Media types of the answer, where it is not JSON: 406 for callers that take none of them. @default application/json */
    produces?: readonly string[];
  }
}
