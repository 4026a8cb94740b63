// All open leases of an engine. A lease is a snapshot number with an owner and an expiry: under 1 KB, however
// much it sees. Beyond the limit the oldest lease ends, and its owner gets the peer's 404.

import { randomBytes } from 'node:crypto';
import type { Lease } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { type CountByKind, LeaseCounts } from './lease-counts.ts';

interface LeaseEntry extends Lease {
  expiresAt: number;
  /** The slot of the timing wheel it is in. */
  slot: number;
  /** The leases opened before and after it. */
  older: LeaseEntry | undefined;
  newer: LeaseEntry | undefined;
  readonly kind: string;
  readonly indices: readonly string[];
}

/** Limits of leases. */
interface LeaseLimits {
  readonly maxLeases: number;
  readonly maxKeepAliveMs: number;
}

const NONE: readonly string[] = [];
/** Width of a slot of the wheel. */
const SLOT_MS = 1_000;

/**
 * All open leases of an engine, oldest first. Opening, extending, closing and expiring are O(1): leases lie
 * in slots of one second by their expiry (a timing wheel: Varghese and Lauck, 1987). A slot is emptied when
 * its time has come; a lease that was extended meanwhile moves to a later slot then.
 */
export class Leases {
  readonly #leases = new Map<string, LeaseEntry>();
  /**
   * The ends of the list of all leases. Iterating the map would pass the slots of all deleted entries, and a
   * kept iterator would retain every table the map has had.
   */
  #oldest: LeaseEntry | undefined;
  #newest: LeaseEntry | undefined;
  readonly #limits: LeaseLimits;
  readonly #now: () => number;
  /** Leases by the second in which they were to expire when they were put there. */
  readonly #slots = new Map<number, Set<LeaseEntry>>();
  /** The first slot that has not been emptied. */
  #nextSlot: number;
  /** Number of leases and pins by snapshot. */
  readonly #pins = new Map<number, number>();
  readonly #counts = new LeaseCounts();

  constructor(limits: LeaseLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#nextSlot = slotOf(now());
  }

  /** Opens a lease on a snapshot of `indices`. The id is 24 random bytes, so it cannot be guessed. */
  open(
    kind: string,
    snapshot: number,
    keepAliveMs: number,
    state: JsonValue,
    indices: readonly string[] = NONE,
  ): Lease {
    this.#checkKeepAlive(keepAliveMs);
    this.expire();
    if (this.#leases.size >= this.#limits.maxLeases && this.#oldest !== undefined) this.#remove(this.#oldest);
    const id = randomBytes(24).toString('base64url');
    const lease: LeaseEntry = {
      id,
      kind,
      indices,
      snapshot,
      expiresAt: this.#now() + keepAliveMs,
      slot: 0,
      older: this.#newest,
      newer: undefined,
      state,
    };
    this.#leases.set(id, lease);
    if (this.#newest === undefined) this.#oldest = lease;
    else this.#newest.newer = lease;
    this.#newest = lease;
    this.#counts.add(kind, indices, 1);
    this.#pins.set(snapshot, (this.#pins.get(snapshot) ?? 0) + 1);
    this.#place(lease);
    return lease;
  }

  /** The lease, extended to now + keepAliveMs if given; undefined if it was closed or has expired. */
  get(id: string, keepAliveMs?: number): Lease | undefined {
    if (keepAliveMs !== undefined) this.#checkKeepAlive(keepAliveMs);
    const lease = this.#leases.get(id);
    if (lease === undefined) return undefined;
    if (lease.expiresAt <= this.#now()) {
      this.#remove(lease);
      return undefined;
    }
    if (keepAliveMs !== undefined) lease.expiresAt = Math.max(lease.expiresAt, this.#now() + keepAliveMs);
    return lease;
  }

  close(id: string): boolean {
    const lease = this.#leases.get(id);
    if (lease === undefined) return false;
    this.#remove(lease);
    return lease.expiresAt > this.#now();
  }

  /** Closes all leases on a deleted index: a new index of the same name is another one. O(leases). */
  closeForIndex(index: string): void {
    for (const lease of [...this.#leases.values()]) if (lease.indices.includes(index)) this.#remove(lease);
  }

  /** Holds a snapshot until the returned function is called. Not counted as a lease, and does not expire. */
  pin(snapshot: number): () => void {
    this.#pins.set(snapshot, (this.#pins.get(snapshot) ?? 0) + 1);
    return () => this.#unpin(snapshot);
  }

  /** Open leases for an index, by kind. O(1). */
  countsFor(index: string): CountByKind {
    this.expire();
    return this.#counts.of(index);
  }

  list(kind?: string): Lease[] {
    this.expire();
    return this.#open().filter((lease) => kind === undefined || lease.kind === kind);
  }

  /** The distinct snapshots held, ascending: merges must keep what they see. O(snapshots). */
  snapshots(): number[] {
    this.expire();
    return [...this.#pins.keys()].sort((a, b) => a - b);
  }

  /** The oldest snapshot held; infinity if none is. O(snapshots). */
  oldest(): number {
    this.expire();
    let oldest = Number.POSITIVE_INFINITY;
    for (const snapshot of this.#pins.keys()) oldest = Math.min(oldest, snapshot);
    return oldest;
  }

  /** Removes expired leases, to the second. */
  expire(): void {
    const now = this.#now();
    const slot = slotOf(now);
    if (slot < this.#nextSlot - 1) this.#nextSlot = slot;
    // After a long idle time there are fewer slots than seconds: look at the slots only.
    if (slot - this.#nextSlot > this.#slots.size) {
      for (const each of [...this.#slots.keys()]) if (each < slot) this.#empty(each, now);
      this.#nextSlot = slot;
    }
    for (; this.#nextSlot < slot; this.#nextSlot++) this.#empty(this.#nextSlot, now);
  }

  /** Leases that have not expired, to the millisecond. */
  #open(): LeaseEntry[] {
    const now = this.#now();
    return [...this.#leases.values()].filter((lease) => lease.expiresAt > now);
  }

  #empty(slot: number, now: number): void {
    const leases = this.#slots.get(slot);
    if (leases === undefined) return;
    this.#slots.delete(slot);
    for (const lease of leases) {
      if (lease.expiresAt <= now) this.#remove(lease);
      else this.#place(lease);
    }
  }

  #place(lease: LeaseEntry): void {
    lease.slot = Math.max(slotOf(lease.expiresAt), this.#nextSlot);
    const there = this.#slots.get(lease.slot);
    if (there === undefined) this.#slots.set(lease.slot, new Set([lease]));
    else there.add(lease);
  }

  #remove(lease: LeaseEntry): void {
    this.#leases.delete(lease.id);
    const { older, newer } = lease;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    // A caller that still holds it must not retain its neighbours.
    lease.older = lease.newer = undefined;
    this.#counts.add(lease.kind, lease.indices, -1);
    const waiting = this.#slots.get(lease.slot);
    waiting?.delete(lease);
    if (waiting?.size === 0) this.#slots.delete(lease.slot);
    this.#unpin(lease.snapshot);
  }

  #unpin(snapshot: number): void {
    const pins = this.#pins.get(snapshot)! - 1;
    if (pins === 0) this.#pins.delete(snapshot);
    else this.#pins.set(snapshot, pins);
  }

  #checkKeepAlive(keepAliveMs: number): void {
    if (keepAliveMs > this.#limits.maxKeepAliveMs) {
      throw illegalArgument(
        `Keep alive for request (${keepAliveMs}ms) is too large. It must be less than (${this.#limits.maxKeepAliveMs}ms).`,
      );
    }
  }
}

function slotOf(moment: number): number {
  return Math.floor(moment / SLOT_MS);
}
