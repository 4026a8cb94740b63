// The target of a request: the absolute form that proxies send, and the base path that a server may be below.

import type { IncomingMessage } from 'node:http';

const SLASH = 47;
const QUESTION = 63;
const ABSOLUTE = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i;

/**
 * Brings `http://host/x?y` to the form `/x?y`, with that host in `Host` (RFC 9112, section 3.2.2): proxies send the absolute
 * form, and every server has to take it.
 */
export function toOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const { url = '/', headers } = request;
  if (url.charCodeAt(0) === SLASH) return;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return;
  headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** `/octavo/api/x?y` as `/api/x?y`; undefined for what lies outside. `base` has no slash at its end. */
export function innerUrl(url: string, base: string): string | undefined {
  if (!url.startsWith(base)) return undefined;
  if (url.length === base.length) return '/';
  const next = url.charCodeAt(base.length);
  if (next === SLASH) return url.slice(base.length);
  return next === QUESTION ? `/${url.slice(base.length)}` : undefined;
}
