// A resource of the API is a Fastify plugin in its own folder: routes with TypeBox schemas, which validate,
// type the handlers and produce the OpenAPI document. `api.ts` does the rest: JSON, problems, trailing
// slashes, unknown and repeated parameters, ETags, headers, scopes, rate limits. `resources.ts` lists the
// resources.
//
//   export const newsfeed: Resource = async (app, services) => {
//     app.get('/newsfeed', { schema: { operationId: 'listFeed', tags: ['feed'], querystring: …, response: { 200: … } },
//                            config: { scope: ['feed', 'read'], cost: 1, etag: true } },
//             async (request, reply) => { setLinks(request, reply, { next: { max_id } }); return { items, … }; });
//   };
//
// Query parameters are converted to the integers, numbers, booleans and lists (by commas) of their schema. A
// missing body counts as `{}` if an object is expected; a body is never coerced. Handlers refuse by throwing
// Problem, RecordsError or CursorError. Describe every 2xx; problems are added.

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

/** What resources work with. */
export interface ApiServices {
  readonly engine: Engine;
  readonly records: Records;
  /** Set if the documents are in a cluster. */
  readonly clusterDocuments?: ClusterDocuments | undefined;
  readonly limits: Limits;
  /** Seals and opens `prev` and `next` tokens, which are bound to the principal. */
  readonly sealer: Sealer;
  /** Callers and their keys. */
  readonly access: Access;
  /**
   * Aborted when streams must end, before the server closes: another server or thread may carry its requests.
   */
  readonly streamsEnd?: AbortSignal | undefined;
  /** Refuses transfers without an Idempotency-Key. @default false */
  readonly requireIdempotencyKeys?: boolean | undefined;
  /** Lets webhooks call this machine and private networks. @default false */
  readonly webhookAllowPrivate?: boolean | undefined;
  /** Milliseconds before a webhook is called again; growing by default. */
  readonly webhookDelay?: ((failures: number) => number) | undefined;
}

/** The Fastify app with the prefix `/api`, TypeBox types and the API's error handler. */
export type ResourceApp = Parameters<FastifyPluginAsyncTypebox>[0];

/** One folder of routes. Paths without trailing slash; both forms are answered. */
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

/** What the resources of the server itself work with. */
export interface ServerServices {
  readonly engine: Engine;
  /** Set if the documents are in a cluster. */
  readonly cluster?: ClusterProbe | undefined;
  readonly records: Records | undefined;
  /** Whether the records refuse writes. */
  readonly fence?: FenceWatch | undefined;
  /** What the server is still loading, as a sentence; undefined once it has started. */
  readonly starting?: (() => string | undefined) | undefined;
  readonly limits: Limits;
  readonly metrics: Metrics;
}

/** Routes about the server itself; they need no records. */
export type ServerResource = (app: ResourceApp) => Promise<void>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a caller needs. Routes without one are open to everybody (health, the OpenAPI document). */
    scope?: readonly [area: ScopeArea, verb: 'read' | 'write' | 'admin'];
    /** What a call takes of the rate limit. @default 1 */
    cost?: number;
    /** Keeps the query string out of logs. */
    secretQuery?: boolean;
    /** Adds a weak ETag and honours If-None-Match (GET and HEAD). */
    etag?: boolean;
    /**
     * Media types of the answer if it is not JSON; 406 if the caller accepts none. @default application/json
     */
    produces?: readonly string[];
  }
}
