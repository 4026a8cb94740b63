// When is a request sent again, and after how long? Only where sending it twice does what sending it once does; with
// full jitter (M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015), and not before the server's
// Retry-After.

import { OctavoError } from './errors.ts';

export interface RetryPolicy {
  /** How often a request is sent again at most. @default 3 */
  readonly retries: number;
  /** The first wait is random below this, in ms; each further one below twice as much. @default 200 */
  readonly baseMs: number;
  /** No wait of our own is longer. @default 10,000 */
  readonly capMs: number;
  /** Where the server asks for a longer wait, the error is thrown instead. @default 60,000 */
  readonly maxRetryAfterMs: number;
  /** From 0 to below 1. @default Math.random */
  readonly random: () => number;
}

export const RETRY_DEFAULTS: RetryPolicy = {
  retries: 3,
  baseMs: 200,
  capMs: 10_000,
  maxRetryAfterMs: 60_000,
  random: () => Math.random(),
};

/** Too many requests, and the states of servers and proxies that pass. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the attempt after `attempt` (from 0), in ms; undefined where the error stands. For requests
 * that may be repeated only.
 */
export function waitBeforeRetry(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt >= policy.retries || !(error instanceof OctavoError)) return undefined;
  // Our own first attempt may still be running, when its answer was lost.
  const inUse = error.code === 'idempotency-key-in-use';
  const lost = error.code === 'network' || error.code === 'timeout';
  if (!lost && !inUse && !PASSING.has(error.status)) return undefined;
  const asked = error.retryAfterMs ?? 0;
  if (asked > policy.maxRetryAfterMs) return undefined;
  return asked + policy.random() * Math.min(policy.capMs, policy.baseMs * 2 ** attempt);
}

/** A key that no other request has: 128 random bits as hex. */
export function newIdempotencyKey(): string {
  const bytes = new Uint8Array(16);
  // React Native has no `crypto` without help; Math.random will do, as a key only meets those of the same principal.
  if (typeof crypto === 'object') crypto.getRandomValues(bytes);
  else bytes.forEach((_, at) => void (bytes[at] = Math.floor(Math.random() * 256)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
