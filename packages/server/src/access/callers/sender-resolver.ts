// The client of a request and the path it sees this server at: as the connection says, or as trusted proxies
// before it say. Headers of anybody else are ignored.

import ipaddr from 'ipaddr.js';
import type { Incoming } from '../../http/exchange.ts';
import { type Forwarding, readForwarded } from './forwarded.ts';
import type { TrustsProxy } from './trusted-proxies.ts';

/** The client of a request. */
export interface Sender {
  /** Its IP address, or its name from a trusted proxy. Empty if the connection is closed. */
  readonly address: string;
  /** The scheme between the client and this server, or the proxy before it. */
  readonly scheme: 'http' | 'https';
}

export interface SenderOptions {
  /** The proxies whose headers are believed. @default none */
  readonly trust?: TrustsProxy | undefined;
  /** @default 'x-forwarded' */
  readonly forwarding?: Forwarding | undefined;
  /** The base path of everything, such as `/octavo`. @default '' */
  readonly basePath?: string | undefined;
}

const LONGEST_NAME = 64;
const HIDDEN = /^(?:unknown|_[A-Za-z0-9._-]+)$/;
/** A path that can be read in one way only. */
const PREFIX = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*){1,16}\/?$/;

/** Determines the client and the mount path of requests. */
export class SenderResolver {
  readonly #trust: TrustsProxy | undefined;
  readonly #forwarding: Forwarding;
  readonly #basePath: string;

  constructor({ trust, forwarding = 'x-forwarded', basePath = '' }: SenderOptions = {}) {
    this.#trust = trust;
    this.#forwarding = forwarding;
    this.#basePath = basePath;
  }

  /** The client, as far as it can be known. */
  resolve({ headers, socket }: Incoming): Sender {
    const { remoteAddress: peer = '', encrypted } = socket;
    const scheme = encrypted === true ? 'https' : 'http';
    const trust = this.#trust;
    if (trust === undefined || !trust(peer, 0)) return { address: peer, scheme };
    const said = readForwarded(headers, this.#forwarding);
    const chain = [...said.addresses.map(safeAddress), peer].reverse();
    const found = chain.findIndex((address, hop) => !trust(address, hop));
    return {
      address: (found < 0 ? chain.at(-1)! : chain[found]!).slice(0, LONGEST_NAME),
      scheme: said.scheme === 'https' || said.scheme === 'http' ? said.scheme : scheme,
    };
  }

  /** The prefix of every path as the client sees it: `/octavo`, or nothing. */
  mountPath({ headers, socket }: Incoming): string {
    const trust = this.#trust;
    if (trust === undefined || headers['x-forwarded-prefix'] === undefined) return this.#basePath;
    const { prefix } = readForwarded(headers, this.#forwarding);
    return prefix !== undefined && trust(socket.remoteAddress ?? '', 0) && PREFIX.test(prefix)
      ? prefix.replace(/\/$/, '') + this.#basePath
      : this.#basePath;
  }
}

/**
 * An address, or an obfuscated identifier (RFC 7239, section 6.3). Anything else becomes `unknown` and
 * reaches no log.
 */
function safeAddress(address: string): string {
  return ipaddr.isValid(address) || HIDDEN.test(address) ? address : 'unknown';
}

/**
 * Reads a base path such as `/octavo`, with or without a slash at its end; `/` is none. Throws RangeError.
 */
export function parseBasePath(text: string): string {
  if (text === '/' || text === '') return '';
  if (!PREFIX.test(text)) {
    throw new RangeError(
      'Give a path such as /octavo: segments of letters, digits, "-", "_", "~" and ".", none of which begins with ".".',
    );
  }
  return text.replace(/\/$/, '');
}
