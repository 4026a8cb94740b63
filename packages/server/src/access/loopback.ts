// May this request come in where there are no keys? On loopback everybody may, but no web page: a foreign `Origin`
// or a `Host` that is not loopback (DNS rebinding) is refused.

import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '@octavo/engine';
import { isNamedOrigin } from './cors.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(?:\.\d{1,3}){3}\]?)$/i;

/** True for names and addresses of this machine that no other machine reaches. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.trim()) || /\.localhost$/i.test(host);
}

/** The reason to refuse, or undefined. `origins` are allowed as they stand, `*` allows all. */
export function refusedOrigin(
  headers: IncomingHttpHeaders,
  origins: readonly string[],
): EngineError | undefined {
  const origin = headers.origin;
  if (origin !== undefined && !isNamedOrigin(origin, origins) && !isOwnPage(origin, headers.host)) {
    return new EngineError(
      'forbidden_exception',
      `requests from the web page [${origin}] are not allowed; start with --cors-origin to allow it`,
    );
  }
  const host = headers.host;
  if (host !== undefined && host !== '' && host !== lastLoopback && !isLoopback(hostName(host))) {
    return new EngineError(
      'forbidden_exception',
      `the host [${host}] is not this machine; without keys only loopback names such as localhost are answered`,
    );
  }
  // Nearly all requests name the same one.
  lastLoopback = host;
  return undefined;
}

let lastLoopback: string | undefined;

/** A page of this server itself, such as /api/docs. The host is looked at next: it may be rebound by DNS. */
function isOwnPage(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** `host:port` without the port; brackets of IPv6 stay. */
function hostName(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1);
  const colon = host.lastIndexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}
