// How often may an address send credentials that are not valid? So often in a time; beyond, it is told to wait. Valid ones
// are let through all along: neighbours behind one address do not shut each other out.

import ipaddr from 'ipaddr.js';
import { Problem } from '../../errors/problem.ts';
import type { Incoming } from '../../http/exchange.ts';
import { type Rate, RateLimiter } from './rate-limiter.ts';

/** The failures of all addresses. */
export class AuthFailures {
  readonly #rate: Rate;
  readonly #limiter = new RateLimiter();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** The refusal of a request whose credentials are not valid: what was thrown, or `rate-limited` where there were too many. */
  limit(request: Incoming, address: string, thrown: unknown): unknown {
    const isFailure = thrown instanceof Problem && thrown.code === 'unauthorized';
    if (!isFailure || request.headers.authorization === undefined) return thrown;
    const place = networkOf(address);
    const verdict = this.#limiter.take(place, 1, this.#rate, performance.now());
    if (verdict.allowed) return thrown;
    const seconds = verdict.retryAfterSeconds;
    return new Problem(
      'rate-limited',
      `Too many requests with credentials that are not valid came from this address; try again in ${seconds} s.`,
      { extra: { retry_after: seconds }, headers: { 'retry-after': String(seconds) } },
    );
  }
}

/** An IPv4 address; of IPv6 the /64 that one customer has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
