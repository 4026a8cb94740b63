// The rules while there are no keys: requests must come from this machine. A foreign `Origin` (a web page) or
// a `Host` that is not loopback (DNS rebinding) is refused. So is a request forwarded from another machine,
// and one without `Origin` that a page of another site caused (`Sec-Fetch-Site`). Forwarding headers are
// believed whether the proxy is trusted or not, for here they can only take rights away.

import { EngineError } from '@octavo/engine';
import type { Incoming } from '../../http/exchange.ts';
import { isAllowedOrigin } from './cors.ts';
import { readForwarded } from './forwarded.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(?:\.\d{1,3}){3}\]?)$/i;

/** True for names and addresses of this machine that other machines cannot reach. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.trim()) || /\.localhost$/i.test(host);
}

/** The reason to refuse, or undefined. `origins` are allowed; `*` allows all. */
export function refuseNonLocal(request: Incoming, origins: readonly string[]): EngineError | undefined {
  const { headers, socket } = request;
  // Nearly all requests have the same address and host as the one before, many even the same headers object.
  const isNeighbour = socket.remoteAddress === lastAddress;
  if (isNeighbour && headers === lastHeaders) return undefined;
  const { origin, host } = headers;
  const isCrossSite = headers['sec-fetch-site'] === 'cross-site';
  const isPlain = origin === undefined && !isCrossSite && !isForwarded(request);
  if (isPlain && isNeighbour && host === lastHost) {
    // Frozen headers cannot change, so the object itself can be remembered (http/lane/request-head.ts).
    lastHeaders = Object.isFrozen(headers) ? headers : undefined;
    return undefined;
  }
  const hosts = claimedHosts(request);
  if (origin !== undefined && !isAllowedOrigin(origin, origins) && !hosts.some(isPageOf(origin))) {
    return forbidden(
      `requests from the web page [${origin}] are not allowed; start with --cors-origin to allow it`,
    );
  }
  if (origin === undefined && isCrossSite) {
    return forbidden(
      'requests that a page of another site makes a browser send are not allowed without keys; open the address by typing it',
    );
  }
  const foreign = hosts.find((each) => !isLoopback(hostName(each)));
  if (foreign !== undefined) {
    return forbidden(
      `the host [${foreign}] is not this machine; while there are no keys, only loopback names such as localhost are accepted`,
    );
  }
  const stranger = claimedAddresses(request).find((address) => !isLoopback(address));
  if (stranger !== undefined) {
    return forbidden(
      `the request comes from [${stranger}], not from this machine; while there are no keys, only this machine may call`,
    );
  }
  lastHost = host;
  lastAddress = socket.remoteAddress;
  lastHeaders = undefined;
  return undefined;
}

let lastHeaders: Incoming['headers'] | undefined;
let lastHost: string | undefined;
let lastAddress: string | undefined = '';

function forbidden(reason: string): EngineError {
  return new EngineError('forbidden_exception', reason);
}

/** True if any proxy left a header. */
function isForwarded({ headers }: Incoming): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers['forwarded'] !== undefined ||
    headers['x-real-ip'] !== undefined
  );
}

/** Every host that the request claims to be for. */
function claimedHosts(request: Incoming): string[] {
  const { headers } = request;
  const hosts = [headers.host ?? ''];
  if (isForwarded(request)) {
    for (const forwarding of ['x-forwarded', 'forwarded'] as const)
      hosts.push(readForwarded(headers, forwarding).host ?? '');
  }
  return hosts.filter((host) => host !== '');
}

/** Every address that the request claims to come from. */
function claimedAddresses(request: Incoming): string[] {
  const { headers, socket } = request;
  const addresses = [socket.remoteAddress ?? 'nowhere'];
  if (!isForwarded(request)) return addresses;
  for (const forwarding of ['x-forwarded', 'forwarded'] as const)
    addresses.push(...readForwarded(headers, forwarding).addresses);
  if (headers['x-real-ip'] !== undefined) addresses.push(String(headers['x-real-ip']));
  return addresses;
}

/**
 * True for pages of this server itself, such as /api/docs. The host is checked separately: DNS may rebind it.
 */
function isPageOf(origin: string): (host: string) => boolean {
  return (host) => origin === `http://${host}` || origin === `https://${host}`;
}

/** Removes the port from `host:port`; brackets of IPv6 stay. */
function hostName(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1);
  const colon = host.lastIndexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}
