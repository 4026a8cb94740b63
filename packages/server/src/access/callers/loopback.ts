// May this request come in where there are no keys? On loopback everybody may, but no web page: a foreign `Origin`
// or a `Host` that is not loopback (DNS rebinding) is refused. Nor may who comes from elsewhere through a proxy on this
// machine: here every word of a forwarding header counts, trusted or not, for it can only take away.

import { EngineError } from '@octavo/engine';
import type { Incoming } from '../../http/exchange.ts';
import { isAllowedOrigin } from './cors.ts';
import { readForwarded } from './forwarded.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(?:\.\d{1,3}){3}\]?)$/i;

/** True for names and addresses of this machine that no other machine reaches. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.trim()) || /\.localhost$/i.test(host);
}

/** The reason to refuse, or undefined. `origins` are allowed as they stand, `*` allows all. */
export function refuseNonLocal(request: Incoming, origins: readonly string[]): EngineError | undefined {
  const { headers, socket } = request;
  // Nearly all requests come from the same address, with the same headers or at least for the same host.
  const isNeighbour = socket.remoteAddress === lastAddress;
  if (isNeighbour && headers === lastHeaders) return undefined;
  const { origin, host } = headers;
  const isPlain = origin === undefined && !isForwarded(request);
  if (isPlain && isNeighbour && host === lastHost) {
    // Those that nobody can change any more: who reads them remembers them (lane/plain-head.ts).
    lastHeaders = Object.isFrozen(headers) ? headers : undefined;
    return undefined;
  }
  const hosts = claimedHosts(request);
  if (origin !== undefined && !isAllowedOrigin(origin, origins) && !hosts.some(isPageOf(origin))) {
    return forbidden(
      `requests from the web page [${origin}] are not allowed; start with --cors-origin to allow it`,
    );
  }
  const foreign = hosts.find((each) => !isLoopback(hostName(each)));
  if (foreign !== undefined) {
    return forbidden(
      `the host [${foreign}] is not this machine; without keys only loopback names such as localhost are answered`,
    );
  }
  const stranger = claimedAddresses(request).find((address) => !isLoopback(address));
  if (stranger !== undefined) {
    return forbidden(
      `the request comes from [${stranger}], not from this machine; without keys only this machine is answered`,
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

/** True where some proxy says anything. */
function isForwarded({ headers }: Incoming): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers['forwarded'] !== undefined ||
    headers['x-real-ip'] !== undefined
  );
}

/** Every host that the request is said to be for. */
function claimedHosts(request: Incoming): string[] {
  const { headers } = request;
  const hosts = [headers.host ?? ''];
  if (isForwarded(request)) {
    for (const forwarding of ['x-forwarded', 'forwarded'] as const)
      hosts.push(readForwarded(headers, forwarding).host ?? '');
  }
  return hosts.filter((host) => host !== '');
}

/** Every address that the request is said to come from. */
function claimedAddresses(request: Incoming): string[] {
  const { headers, socket } = request;
  const addresses = [socket.remoteAddress ?? 'nowhere'];
  if (!isForwarded(request)) return addresses;
  for (const forwarding of ['x-forwarded', 'forwarded'] as const)
    addresses.push(...readForwarded(headers, forwarding).addresses);
  if (headers['x-real-ip'] !== undefined) addresses.push(String(headers['x-real-ip']));
  return addresses;
}

/** A page of this server itself, such as /api/docs. The host is looked at next: it may be rebound by DNS. */
function isPageOf(origin: string): (host: string) => boolean {
  return (host) => origin === `http://${host}` || origin === `https://${host}`;
}

/** `host:port` without the port; brackets of IPv6 stay. */
function hostName(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1);
  const colon = host.lastIndexOf(':');
  return colon < 0 ? host : host.slice(0, colon);
}
