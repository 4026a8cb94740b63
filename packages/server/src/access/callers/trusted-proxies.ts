// Which proxies are trusted: by address, network, range name, or by their number before this server.

import ipaddr from 'ipaddr.js';

/** True if the address is a trusted proxy's. `hop` counts from the connection, which is 0. */
export type TrustsProxy = (address: string, hop: number) => boolean;

/** Names for ranges of special addresses (RFC 6890). */
const NAMED_RANGES: Readonly<Record<string, ReadonlySet<string>>> = {
  loopback: new Set(['loopback']),
  private: new Set(['private', 'uniqueLocal', 'linkLocal']),
};

/**
 * Reads `10.0.0.0/8`, `192.0.2.7`, `loopback`, `private`, or one number of hops. Throws RangeError that says
 * what can be written; undefined for an empty list.
 */
export function parseTrustedProxies(list: readonly string[]): TrustsProxy | undefined {
  if (list.length === 0) return undefined;
  const [first = ''] = list;
  if (/^\d+$/.test(first)) {
    const hops = Number(first);
    if (list.length > 1 || hops < 1 || hops > 32) {
      throw new RangeError('A number of proxies must be from 1 to 32, and the only entry.');
    }
    return (_address, hop) => hop < hops;
  }
  const tests = list.map(networkTest);
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return tests.some((includes) => includes(parsed));
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function networkTest(text: string): (address: Address) => boolean {
  if (Object.hasOwn(NAMED_RANGES, text)) return (address) => NAMED_RANGES[text]!.has(address.range());
  if (ipaddr.isValid(text) && (text.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(text))) {
    const one = ipaddr.process(text);
    return (address) => address.toNormalizedString() === one.toNormalizedString();
  }
  if (ipaddr.isValidCIDR(text)) {
    const [network, bits] = ipaddr.parseCIDR(text);
    return (address) => address.kind() === network.kind() && address.match(network, bits);
  }
  throw new RangeError(
    `${text} names no proxy: give an address, a network such as 10.0.0.0/8, loopback, private, or the number of proxies.`,
  );
}
