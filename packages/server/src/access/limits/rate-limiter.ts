// Has this caller asked too much? A token bucket a caller: it holds a quota of cost, fills evenly over a window, and a
// request takes its cost out. Pure: the time is given. Fields are those of draft-ietf-httpapi-ratelimit-headers-10.

import QuickLRU from 'quick-lru';

/** So much cost in so many seconds; all of it may come at once. */
export interface Rate {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** What became of a request. */
export interface RateVerdict {
  readonly allowed: boolean;
  /** Whole units that are left. */
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until this request would be let through; 0 when it was. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  readonly level: number;
  readonly time: number;
}

/** At least so many buckets are kept; a full bucket needs none, so only callers of this moment count. */
const MAX_BUCKETS = 100_000;

/** `600/60`: 600 units in 60 seconds. Undefined for anything else, and for rates that let nothing through. */
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
   * Takes the cost out of the bucket of a caller, if it is there; a refused request takes nothing. A cost above the
   * quota takes a full bucket. `now` in ms, from any clock. O(1).
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

/** The header fields of a verdict, with `Retry-After` where it was a refusal. */
export function rateHeaders(verdict: RateVerdict, rate: Rate): Record<string, string> {
  return {
    'ratelimit-policy': `"default";q=${rate.quota};w=${rate.windowSeconds}`,
    ratelimit: `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`,
    ...(verdict.allowed ? {} : { 'retry-after': String(verdict.retryAfterSeconds) }),
  };
}
