// Limits invalid credentials per address. Beyond the limit the address is told to wait; valid credentials
// always pass, so that neighbours behind one address do not lock each other out.

import ipaddr from 'ipaddr.js';
import { Problem } from '../../errors/problem.ts';
import type { Incoming } from '../../http/exchange.ts';
import { type Rate, RateLimiter } from './rate-limiter.ts';

export class AuthFailures {
  readonly #rate: Rate;
  readonly #limiter = new RateLimiter();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /**
   * The error to answer with for invalid credentials: what was thrown, or `rate-limited` beyond the limit.
   */
  limit(request: Incoming, address: string, thrown: unknown): unknown {
    const isFailure = thrown instanceof Problem && thrown.code === 'unauthorized';
    if (!isFailure || request.headers.authorization === undefined) return thrown;
    const place = networkOf(address);
    const verdict = this.#limiter.take(place, 1, this.#rate, performance.now());
    if (verdict.allowed) return thrown;
    const seconds = verdict.retryAfterSeconds;
    return new Problem(
      'rate-limited',
      `Too many requests with invalid credentials came from this address; try again in ${seconds} s.`,
      { extra: { retry_after: seconds }, headers: { 'retry-after': String(seconds) } },
    );
  }
}

/** An IPv4 address, or the /64 of an IPv6 address, which one customer has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
}
