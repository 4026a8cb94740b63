// Allows calls to public addresses only, so that webhooks are no way into the server's network (SSRF). A name
// is resolved once, all its addresses are checked, and the call goes to one of them, not to what the name
// resolves to a moment later (DNS rebinding).

import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export interface Destination {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/** Thrown for an address that must not be called; the message may be shown to the webhook's creator. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Resolves a host name; tests pass their own. */
export type ResolveHost = (host: string) => Promise<readonly { address: string; family: number }[]>;

const resolveAll: ResolveHost = async (host) => await lookup(host, { all: true, verbatim: true });

/** Checks what needs no name resolution. Throws AddressRefused. */
export function checkUrl(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new AddressRefused(`${text} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`the URL must begin with https:// or http://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('the URL must not contain a user name or a password');
  }
  if (url.hash !== '') throw new AddressRefused('the URL must not have a fragment');
  const literal = withoutBrackets(url.hostname);
  if (!allowPrivate && ipaddr.isValid(literal) && !isPublic(literal)) throw notPublic(url.hostname);
  return url;
}

/** Resolves and checks a URL. Throws AddressRefused. */
export async function resolveDestination(
  text: string,
  allowPrivate: boolean,
  resolve: ResolveHost = resolveAll,
): Promise<Destination> {
  const url = checkUrl(text, allowPrivate);
  const host = withoutBrackets(url.hostname);
  const found = ipaddr.isValid(host)
    ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv4' ? 4 : 6 }]
    : await resolveHost(host, resolve);
  const bad = allowPrivate ? undefined : found.find(({ address }) => !isPublic(address));
  // One private address is enough to refuse: mixing them is suspicious.
  if (bad !== undefined) throw notPublic(`${url.hostname} (${bad.address})`);
  const [first] = found;
  if (first === undefined) throw new AddressRefused(`${url.hostname} has no address`);
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

/**
 * True for addresses of the public internet (IANA special-purpose registries). Addresses that embed another
 * one (mapped, NAT64, 6to4, Teredo) are not public: they lead to the embedded one.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // All allocated unicast addresses are in 2000::/3.
  return parsed.kind() === 'ipv4' || parsed.toByteArray()[0]! >> 5 === 1;
}

async function resolveHost(
  host: string,
  resolve: ResolveHost,
): Promise<readonly { address: string; family: number }[]> {
  try {
    return await resolve(host);
  } catch {
    throw new AddressRefused(`the name ${host} cannot be resolved`);
  }
}

function notPublic(where: string): AddressRefused {
  return new AddressRefused(`${where} is not a public address`);
}

/** Removes the brackets of IPv6. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
