// CORS (Fetch standard): web pages of the named origins may call and read the answers. The browser sends a
// preflight request before anything but the simplest requests.

import type { FastifyReply, FastifyRequest } from 'fastify';

/** Headers that scripts may read besides the safelisted ones. */
const EXPOSED =
  'etag, idempotent-replayed, link, location, octavo-api-version, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-opaque-id, x-request-id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, QUERY, OPTIONS';
const MAX_AGE_SECONDS = 600;

/**
 * An origin as browsers send it: scheme, host, and a port that is not the default of the scheme. `*` allows all, `null` is that
 * of local files. Throws an Error for anything else, which would never match.
 */
export function parseOrigin(text: string): string {
  if (text === '*' || text === 'null') return text;
  if (text.includes('*')) throw new Error(`${text} is no web origin: list each origin, or give * for all.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Other schemes, such as capacitor://localhost, have no origin by the URL standard.
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol);
  if (isWeb ? url.origin === text : /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text)) return text;
  const meant = isWeb ? ` Did you mean ${url.origin}?` : '';
  throw new Error(`${text} is no web origin: give one such as https://app.example.com, or *.${meant}`);
}

/** True if the origin was named, or all are allowed. */
export function isAllowedOrigin(origin: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || origins.includes('*');
}

/**
 * Sets the headers for an allowed origin. Returns true if the request was a preflight, which is then
 * answered.
 */
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
