// May the server be made to call this address? Only public ones: a webhook must not become a way into the network that
// the server stands in (SSRF). Names are resolved once; every address they have is judged, and the call goes to one of
// those, not to what the name says a moment later (DNS rebinding).

import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** Where a call goes. */
export interface Destination {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/** Thrown for an address that is not called; the message may be shown to who made the webhook. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Resolves names; tests bring their own. */
export type ResolveHost = (host: string) => Promise<readonly { address: string; family: number }[]>;

const resolveAll: ResolveHost = async (host) => await lookup(host, { all: true, verbatim: true });

/** The parts of a URL that can be judged without asking anybody. Throws AddressRefused. */
export function checkUrl(text: string, allowPrivate: boolean): URL {
  if (!URL.canParse(text)) throw new AddressRefused(`${text} is not a URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`the URL must begin with https:// or http://, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('the URL must not hold a name and a password');
  }
  if (url.hash !== '') throw new AddressRefused('the URL must not have a fragment');
  const literal = withoutBrackets(url.hostname);
  if (!allowPrivate && ipaddr.isValid(literal) && !isPublic(literal)) throw notPublic(url.hostname);
  return url;
}

/** Where to call for a URL: resolved and judged. Throws AddressRefused. */
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
  // One address that is not public is enough: who mixes them has something in mind.
  if (bad !== undefined) throw notPublic(`${url.hostname} (${bad.address})`);
  const [first] = found;
  if (first === undefined) throw new AddressRefused(`${url.hostname} has no address`);
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

/**
 * True for addresses of the public internet (IANA's special-purpose registries). Addresses that hold another one
 * (mapped, NAT64, 6to4, Teredo) are none: they lead wherever that one does.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // All that was ever given out lies in 2000::/3.
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
  return new AddressRefused(`${where} is not a public address: webhooks cannot reach private networks`);
}

/** Without the brackets of IPv6. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
