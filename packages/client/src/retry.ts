// The retry rule: a request is sent again only if sending it twice has the same effect as sending it once.
// Waits have full jitter (M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015) and are
// never shorter than the server's Retry-After.

import { OctavoError } from './errors.ts';

export interface RetryPolicy {
  /** The most times that a request is sent again. @default 3 */
  readonly retries: number;
  /** The bound of the first random wait, in ms. Each further bound is twice the last. @default 200 */
  readonly baseMs: number;
  /** The limit of that bound, in ms. @default 10,000 */
  readonly capMs: number;
  /** If the server asks for a longer wait, in ms, the error is thrown instead. @default 60,000 */
  readonly maxRetryAfterMs: number;
  /** Random numbers from 0 to below 1. @default Math.random */
  readonly random: () => number;
}

export const RETRY_DEFAULTS: RetryPolicy = {
  retries: 3,
  baseMs: 200,
  capMs: 10_000,
  maxRetryAfterMs: 60_000,
  random: () => Math.random(),
};

/** Too many requests, and the temporary states of servers and proxies. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * The wait before the attempt after `attempt` (from 0), in ms; undefined if the error is final. REQUIRES: the request may
 * be repeated.
 */
export function waitBeforeRetry(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt >= policy.retries || !(error instanceof OctavoError)) return undefined;
  // The first attempt may still be running after its reply was lost.
  const inUse = error.code === 'idempotency-key-in-use';
  const lost = error.code === 'network' || error.code === 'timeout';
  if (!lost && !inUse && !TRANSIENT_STATUSES.has(error.status)) return undefined;
  const minimum = error.retryAfterMs ?? 0;
  if (minimum > policy.maxRetryAfterMs) return undefined;
  return minimum + policy.random() * Math.min(policy.capMs, policy.baseMs * 2 ** attempt);
}

/** A unique key: 128 random bits as hex. */
export function newIdempotencyKey(): string {
  const bytes = new Uint8Array(16);
  // React Native has no `crypto` by itself. Math.random suffices: keys are compared within one principal only.
  if (typeof crypto === 'object') crypto.getRandomValues(bytes);
  else bytes.forEach((_, at) => void (bytes[at] = Math.floor(Math.random() * 256)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
