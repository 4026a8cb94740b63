// What is asked for by `GET http://host/x?y`? The same as by `GET /x?y` of that host (RFC 9112, section 3.2.2): proxies write it
// so, and every server has to take it. What `Host` says counts no more then.

import type { IncomingMessage } from 'node:http';

const SLASH = 47;
const ABSOLUTE = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i;

/** Gives a request the target that it would have without a scheme and a host, and that host. */
export function toOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const { url = '/', headers } = request;
  if (url.charCodeAt(0) === SLASH) return;
  const [, host, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (host === undefined) return;
  headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}
