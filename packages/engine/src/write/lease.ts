// Which snapshots are held open, by whom and until when? A lease is a number with an owner and an end: under 1 KB, no
// matter how much it sees. Over the limit the oldest ends, with the peer's 404 for its owner.

import { randomBytes } from 'node:crypto';
import type { Lease } from '../api.ts';
import { illegalArgument } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';

interface Held extends Lease {
  expiresAt: number;
  readonly kind: string;
}

/** Limits of leases. */
export interface LeaseLimits {
  readonly maxLeases: number;
  readonly maxKeepAliveMs: number;
}

/** All open leases of an engine, oldest first. */
export class Leases {
  readonly #held = new Map<string, Held>();
  readonly #limits: LeaseLimits;
  readonly #now: () => number;

  constructor(limits: LeaseLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Opens a lease on a snapshot. The id is 24 random bytes: nobody guesses another's. */
  open(kind: string, snapshot: number, keepAliveMs: number, state: JsonValue): Lease {
    this.#checkKeepAlive(keepAliveMs);
    this.expire();
    if (this.#held.size >= this.#limits.maxLeases) {
      for (const oldest of this.#held.keys()) {
        this.#held.delete(oldest);
        break;
      }
    }
    const id = randomBytes(24).toString('base64url');
    const lease: Held = { id, kind, snapshot, expiresAt: this.#now() + keepAliveMs, state };
    this.#held.set(id, lease);
    return lease;
  }

  /** The lease, its life extended to now + keepAliveMs where given; undefined when closed or over. */
  get(id: string, keepAliveMs?: number): Lease | undefined {
    if (keepAliveMs !== undefined) this.#checkKeepAlive(keepAliveMs);
    const lease = this.#held.get(id);
    if (lease === undefined) return undefined;
    if (lease.expiresAt <= this.#now()) {
      this.#held.delete(id);
      return undefined;
    }
    if (keepAliveMs !== undefined) lease.expiresAt = Math.max(lease.expiresAt, this.#now() + keepAliveMs);
    return lease;
  }

  close(id: string): boolean {
    return this.get(id) !== undefined && this.#held.delete(id);
  }

  list(kind?: string): Lease[] {
    this.expire();
    return [...this.#held.values()].filter((lease) => kind === undefined || lease.kind === kind);
  }

  /** The distinct snapshots that are held, ascending: what merges must keep. */
  snapshots(): number[] {
    this.expire();
    return [...new Set([...this.#held.values()].map((lease) => lease.snapshot))].sort((a, b) => a - b);
  }

  /** The oldest snapshot that is held; infinity when none is. O(leases). */
  oldest(): number {
    this.expire();
    let oldest = Number.POSITIVE_INFINITY;
    for (const { snapshot } of this.#held.values()) oldest = Math.min(oldest, snapshot);
    return oldest;
  }

  expire(): void {
    const now = this.#now();
    for (const [id, lease] of this.#held) if (lease.expiresAt <= now) this.#held.delete(id);
  }

  #checkKeepAlive(keepAliveMs: number): void {
    if (keepAliveMs > this.#limits.maxKeepAliveMs) {
      throw illegalArgument(
        `Keep alive for request (${keepAliveMs}ms) is too large. It must be less than (${this.#limits.maxKeepAliveMs}ms).`,
      );
    }
  }
}
