// Rate limiting by a token bucket per caller: it holds a quota of cost, refills evenly over a window, and
// each request takes its cost. Pure: the time is a parameter. Header fields follow
// draft-ietf-httpapi-ratelimit-headers-10.

import QuickLRU from 'quick-lru';

/** `quota` units of cost per window, which may all come at once. */
export interface Rate {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** The outcome for a request. */
interface RateVerdict {
  readonly allowed: boolean;
  /** Whole units left. */
  readonly remaining: number;
  /** Seconds until the bucket is full. */
  readonly resetSeconds: number;
  /** Seconds until this request would pass; 0 if it did. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  readonly level: number;
  readonly time: number;
}

/** A minimum. A full bucket need not be kept, so only active callers count. */
const MAX_BUCKETS = 100_000;

/**
 * Parses `600/60`: 600 units in 60 seconds. Undefined for anything else, and for rates that admit nothing.
 */
export function parseRate(text: string): Rate | undefined {
  const match = /^(\d{1,9})\/(\d{1,6})$/.exec(text);
  if (match === null) return undefined;
  const rate = { quota: Number(match[1]), windowSeconds: Number(match[2]) };
  return rate.quota > 0 && rate.windowSeconds > 0 ? rate : undefined;
}

/** The buckets of all callers of one server. */
export class RateLimiter {
  readonly #buckets = new QuickLRU<string, Bucket>({ maxSize: MAX_BUCKETS });

  /**
   * Takes the cost from a caller's bucket; a refused request takes nothing. A cost above the quota takes a
   * full bucket. `now` in ms, from any clock. O(1).
   */
  take(caller: string, cost: number, rate: Rate, now: number): RateVerdict {
    const perMs = rate.quota / (rate.windowSeconds * 1000);
    const bucket = this.#buckets.get(caller);
    const filled = bucket === undefined ? rate.quota : bucket.level + Math.max(0, now - bucket.time) * perMs;
    const level = Math.min(rate.quota, filled);
    const wanted = Math.min(cost, rate.quota);
    const allowed = level >= wanted;
    const left = allowed ? level - wanted : level;
    this.#buckets.set(caller, { level: left, time: now });
    return {
      allowed,
      remaining: Math.floor(left),
      resetSeconds: Math.ceil((rate.quota - left) / perMs / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((wanted - level) / perMs / 1000)),
    };
  }
}

/** The header fields of a verdict, with `Retry-After` for a refusal. */
export function rateHeaders(verdict: RateVerdict, rate: Rate): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${rate.quota};w=${rate.windowSeconds}`,
    ratelimit: `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`,
    ...(verdict.allowed ? {} : { 'retry-after': String(verdict.retryAfterSeconds) }),
  };
}
