// The application API under `/api`: an encapsulated Fastify scope. It does what all resources share: JSON
// bodies, parameters, problems, HEAD and OPTIONS, scopes, ETags, headers. No path under it reaches the search
// wire.

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allows } from '../access/callers/principal.ts';
import { Problem } from '../errors/problem.ts';
import { sendProblem } from '../errors/problem-reply.ts';
import type { Limits } from '../limits.ts';
import { accepts } from './http/accept.ts';
import { addEtag } from './http/etag.ts';
import { readJsonBody } from './http/json-body.ts';
import { PathTable } from './http/path-table.ts';
import { parseQueryString, type QuerySchema } from './http/query-string.ts';
import { startTimeLimit } from './http/time-limit.ts';
import { collectRoutes, describeOperation } from './openapi/document.ts';
import type { ApiServices, Resource, ResourceApp, ServerServices } from './resource.ts';
import { RESOURCES, serverResources } from './resources.ts';

/** The version of everything under `/api`; see docs/api-versioning.md. */
const API_VERSION = '1';

interface ApiOptions extends ServerServices {
  readonly limits: Limits;
  /** Undefined without records; then only the server's own resources exist. */
  readonly services: ApiServices | undefined;
  /** @default RESOURCES */
  readonly resources?: readonly Resource[] | undefined;
}

const JSON_TYPES = ['application/json', 'application/problem+json'] as const;

/** Registers the API under `/api` of the app. */
export function registerApi(app: FastifyInstance, options: ApiOptions): void {
  const paths = new PathTable();
  app.decorate('apiPaths', () => paths.all());
  app.register(async (scope) => setUpApi(scope, options, paths), { prefix: '/api' });
}

async function setUpApi(scope: FastifyInstance, options: ApiOptions, paths: PathTable): Promise<void> {
  const { limits, services } = options;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async (request: FastifyRequest) =>
    request.is404 ? undefined : await readJsonBody(request, limits),
  );
  // Answers are what handlers return. Schemas describe them, and tests compare the two.
  scope.setSerializerCompiler(() => (value) => JSON.stringify(value));
  scope.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  // Unknown paths are answered by `checkHead`'s hook, before a body is read.
  scope.setNotFoundHandler((request, reply) => answerUnknownPath(paths, request, reply));
  scope.addHook('onRoute', (route) => {
    paths.add(route.method, route.url);
    describeOperation(route);
  });
  scope.addHook('onRequest', async (request, reply) => {
    checkHead(request, reply, limits);
    return request.is404 ? answerUnknownPath(paths, request, reply) : undefined;
  });
  scope.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = emptyBody(request);
  });
  scope.addHook('preHandler', (request, reply, done) => {
    startTimeLimit(request, reply, limits.apiTimeMs);
    done();
  });
  scope.addHook('onSend', async (request, reply, payload) => finishReply(request, reply, payload));
  await collectRoutes(scope);
  const typed: ResourceApp = scope.withTypeProvider<TypeBoxTypeProvider>();
  for (const resource of serverResources(options)) await typed.register(async (child) => resource(child));
  if (services === undefined) return;
  for (const resource of options.resources ?? RESOURCES) {
    await typed.register(async (child) => resource(child.withTypeProvider<TypeBoxTypeProvider>(), services));
  }
}

/** Checks everything that can be refused by the head alone, before the body is read. */
function checkHead(request: FastifyRequest, reply: FastifyReply, limits: Limits): void {
  reply.header('octavo-api-version', API_VERSION);
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  const { headers } = request;
  const url = request.raw.url ?? '/';
  if (url.length > limits.uriBytes) {
    throw new Problem(
      'uri-too-long',
      `The path and query string are longer than ${limits.uriBytes} bytes; shorten them, or use a JSON body if the endpoint has one.`,
    );
  }
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) {
    // Without a body the content type means nothing, not even a wrong one.
    delete headers['content-type'];
  }
  if (request.is404) return;
  const { config, schema } = request.routeOptions;
  const produced = config.produces ?? JSON_TYPES;
  if (!accepts(headers.accept, produced)) {
    throw new Problem('not-acceptable', `The reply is ${produced[0]}, which the Accept header excludes.`);
  }
  const { scope } = config;
  if (scope !== undefined && !allows(request.principal, scope[0], scope[1])) {
    const needed = `${scope[0]}:${scope[1]}`;
    throw new Problem('forbidden', `The key lacks the scope ${needed}.`, { extra: { scope: needed } });
  }
  const queryAt = url.indexOf('?');
  const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
  request.query = parseQueryString(query, schema?.querystring as QuerySchema | undefined);
}

/** A missing body counts as an empty object if one is expected, so that missing members are named. */
function emptyBody(request: FastifyRequest): unknown {
  const schema = request.routeOptions.schema?.body as { type?: unknown } | undefined;
  return schema?.type === 'object' ? {} : undefined;
}

/** Adds ETags, caching headers and the mount path of `Location`. */
function finishReply(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (!request.is404 && request.routeOptions.config.etag === true) {
    reply.header('vary', varyHeader(reply));
    return addEtag(request, reply, payload);
  }
  const location = reply.getHeader('location');
  if (location !== undefined && request.mount !== '')
    reply.header('location', request.mount + String(location));
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  return payload;
}

function varyHeader(reply: FastifyReply): string {
  const before = reply.getHeader('vary');
  return before === undefined ? 'authorization, accept' : `${String(before)}, authorization, accept`;
}

/** The problem of an unknown path. */
export function pathNotFound(url: string): Problem {
  const path = url.split('?', 1)[0] ?? url;
  return new Problem('not-found', `There is nothing at ${path}. /api/openapi.json lists all paths.`);
}

/** The problem of a path outside the base path. */
export function outsideBasePath(url: string, basePath: string): Problem {
  const path = url.split('?', 1)[0]!.slice(0, 200);
  return new Problem('not-found', `There is nothing at ${path}: all paths are below ${basePath}/.`);
}

function answerUnknownPath(paths: PathTable, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const url = request.raw.url ?? '/';
  const path = url.split('?', 1)[0] ?? url;
  const allowed = paths.allowed(path);
  if (allowed.length === 0) {
    throw pathNotFound(path);
  }
  const headers = { allow: allowed.join(', ') };
  if (request.method === 'OPTIONS') return reply.code(204).headers(headers).send();
  throw new Problem(
    'method-not-allowed',
    `${path} does not support ${request.method}; it supports ${headers.allow}.`,
    { headers },
  );
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Patterns of all paths under `/api`, in Fastify's form. */
    apiPaths(): string[];
  }
}
