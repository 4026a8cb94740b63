// May a web page of another origin call, and read the answer? Only origins that were named; the browser is told by the
// headers of CORS (Fetch standard), and asks first (preflight) before it sends anything but the simplest requests.

import type { FastifyReply, FastifyRequest } from 'fastify';

/** What scripts may read of an answer beside the safe headers. */
const EXPOSED =
  'etag, idempotent-replayed, link, location, octavo-api-version, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-opaque-id, x-request-id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, QUERY, OPTIONS';
const MAX_AGE_SECONDS = 600;

/** True where the origin was named, or all are. */
export function isAllowedOrigin(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || origins.includes('*');
}

/** Sets the headers for a named origin. True when the request was a preflight, which is answered by it. */
export function answerCors(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): boolean {
  if (origins.length === 0) return false;
  reply.header('vary', 'origin');
  const { origin } = request.headers;
  if (origin === undefined || !isAllowedOrigin(origin, origins)) return false;
  reply.header('access-control-allow-origin', origin);
  const requested = request.headers['access-control-request-method'];
  if (request.method !== 'OPTIONS' || requested === undefined) {
    reply.header('access-control-expose-headers', EXPOSED);
    return false;
  }
  reply.headers({
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': String(MAX_AGE_SECONDS),
  });
  reply.code(204).send();
  return true;
}
