// The target of a request and its host, read once before any rule: the absolute form that proxies send, one spelling of each path, and
// the base path that a server may be below.

import type { IncomingMessage } from 'node:http';

const SLASH = 47;
const QUESTION = 63;
const HOST = 'host';
const ABSOLUTE = /^(https?):\/\/([^/?#@]+)((?:[/?].*)?)$/i;

/** Escapes of letters, digits and `-._~`, which mean the same as the characters themselves (RFC 3986, 6.2.2.2). */
const NEEDLESS_ESCAPE = /%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

/** The parts of a request that say where it is for. */
type Addressed = Pick<IncomingMessage, 'url' | 'headers'> & { readonly rawHeaders?: readonly string[] };

/**
 * Brings `http://host/x?y` to the form `/x?y`, with that host in `Host` (RFC 9112, section 3.2.2): proxies send the absolute
 * form, and every server has to take it. Returns what is wrong with the host: two readers must not see two.
 */
export function toOriginForm(request: Addressed): string | undefined {
  const { url = '/', headers, rawHeaders = [] } = request;
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === HOST.length && rawHeaders[i]!.toLowerCase() === HOST) hosts++;
  if (hosts > 1) return 'the request has more than one Host header';
  if (url.charCodeAt(0) === SLASH) return undefined;
  const [, scheme = '', host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return undefined;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  const { host: given = host } = headers;
  if (hostKey(given, scheme) !== hostKey(host, scheme))
    return `the request is for [${host}], but its Host header says [${given}]`;
  headers.host = host;
  return undefined;
}

/** A host for comparisons: without the default port of its scheme. */
function hostKey(host: string, scheme: string): string {
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const lower = host.toLowerCase();
  return lower.endsWith(port) ? lower.slice(0, -port.length) : lower;
}

/** The target with one spelling of its path: `/%61pi` is `/api`. Rules, routes and logs see only this one. */
export function normalizePath(url: string): string {
  const escapeAt = url.indexOf('%');
  if (escapeAt < 0) return url;
  const queryAt = url.indexOf('?');
  if (queryAt >= 0 && queryAt < escapeAt) return url;
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const plain = path.replace(NEEDLESS_ESCAPE, (each) =>
    String.fromCharCode(Number.parseInt(each.slice(1), 16)),
  );
  return queryAt < 0 ? plain : plain + url.slice(queryAt);
}

/** `/octavo/api/x?y` as `/api/x?y`; undefined for what lies outside. `base` has no slash at its end. */
export function innerUrl(url: string, base: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  if (url.length === base.length) return '/';
  const next = url.charCodeAt(base.length);
  if (next === SLASH) return url.slice(base.length);
  return next === QUESTION ? `/${url.slice(base.length)}` : undefined;
}

/** Where the console is. */
export const CONSOLE_PATH = '/_console';

/**
 * `GET /metrics` as `/api/metrics`, because that is where Prometheus looks, and `GET /` as the console for browsers. A client that asks
 * for JSON means the index `metrics`, or the name of the server. `url` is normalized and without the base path.
 */
export function aliasedUrl(method: string | undefined, url: string, accept: string | undefined): string {
  if (method !== 'GET') return url;
  if (url === '/metrics') return /json/i.test(accept ?? '') ? url : `/api${url}`;
  return url === '/' && /text\/html/i.test(accept ?? '') ? CONSOLE_PATH : url;
}
