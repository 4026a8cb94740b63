// Which snapshots are held open, by whom and until when? A lease is a number with an owner and an end: under 1 KB, no
// matter how much it sees. Over the limit the oldest ends, with the peer's 404 for its owner.

import { randomBytes } from 'node:crypto';
import type { Lease } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { type CountByKind, LeaseCounts } from './lease-counts.ts';

interface LeaseEntry extends Lease {
  expiresAt: number;
  /** Where it waits for its end. */
  slot: number;
  /** Those that were opened before it and after it. */
  older: LeaseEntry | undefined;
  newer: LeaseEntry | undefined;
  readonly kind: string;
  readonly indices: readonly string[];
}

/** Limits of leases. */
export interface LeaseLimits {
  readonly maxLeases: number;
  readonly maxKeepAliveMs: number;
}

const NONE: readonly string[] = [];
/** Width of a slot of the wheel. */
const SLOT_MS = 1_000;

/**
 * All open leases of an engine, oldest first. Opening, extending, closing and running out are O(1): ends lie in slots of
 * a second (a timing wheel: Varghese and Lauck, 1987), which are looked at when their time has come; a lease that was
 * extended meanwhile is put into a later one then.
 */
export class Leases {
  readonly #held = new Map<string, LeaseEntry>();
  /**
   * The ends of the chain that all are in. A walk through the map would pass the places of all that have gone, and an iterator
   * that is kept would keep every table that the map has had.
   */
  #oldest: LeaseEntry | undefined;
  #newest: LeaseEntry | undefined;
  readonly #limits: LeaseLimits;
  readonly #now: () => number;
  /** Leases by the second in which they were to end when they were put there. */
  readonly #slots = new Map<number, Set<LeaseEntry>>();
  /** The first slot that has not been emptied. */
  #nextSlot: number;
  /** How many leases hold a snapshot. */
  readonly #pins = new Map<number, number>();
  readonly #counts = new LeaseCounts();

  constructor(limits: LeaseLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
    this.#nextSlot = slotOf(now());
  }

  /** Opens a lease on a snapshot, for what is seen of `indices`. The id is 24 random bytes: nobody guesses another's. */
  open(
    kind: string,
    snapshot: number,
    keepAliveMs: number,
    state: JsonValue,
    indices: readonly string[] = NONE,
  ): Lease {
    this.#checkKeepAlive(keepAliveMs);
    this.expire();
    if (this.#held.size >= this.#limits.maxLeases && this.#oldest !== undefined) this.#remove(this.#oldest);
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
    this.#held.set(id, lease);
    if (this.#newest === undefined) this.#oldest = lease;
    else this.#newest.newer = lease;
    this.#newest = lease;
    this.#counts.add(kind, indices, 1);
    this.#pins.set(snapshot, (this.#pins.get(snapshot) ?? 0) + 1);
    this.#place(lease);
    return lease;
  }

  /** The lease, its life extended to now + keepAliveMs where given; undefined when closed or over. */
  get(id: string, keepAliveMs?: number): Lease | undefined {
    if (keepAliveMs !== undefined) this.#checkKeepAlive(keepAliveMs);
    const lease = this.#held.get(id);
    if (lease === undefined) return undefined;
    if (lease.expiresAt <= this.#now()) {
      this.#remove(lease);
      return undefined;
    }
    if (keepAliveMs !== undefined) lease.expiresAt = Math.max(lease.expiresAt, this.#now() + keepAliveMs);
    return lease;
  }

  close(id: string): boolean {
    const lease = this.#held.get(id);
    if (lease === undefined) return false;
    this.#remove(lease);
    return lease.expiresAt > this.#now();
  }

  /** Ends what looks at an index, which is gone: another one of its name is not what was seen. O(leases). */
  closeForIndex(index: string): void {
    for (const lease of [...this.#held.values()]) if (lease.indices.includes(index)) this.#remove(lease);
  }

  /** Holds a snapshot for as long as somebody is at work on it; gives what ends that. Counts as no lease, and does not run out. */
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

  /** The distinct snapshots that are held, ascending: what merges must keep. O(snapshots). */
  snapshots(): number[] {
    this.expire();
    return [...this.#pins.keys()].sort((a, b) => a - b);
  }

  /** The oldest snapshot that is held; infinity when none is. O(snapshots). */
  oldest(): number {
    this.expire();
    let oldest = Number.POSITIVE_INFINITY;
    for (const snapshot of this.#pins.keys()) oldest = Math.min(oldest, snapshot);
    return oldest;
  }

  /** Ends what has run out; what ends within this second may stay until it is over. */
  expire(): void {
    const now = this.#now();
    const slot = slotOf(now);
    if (slot < this.#nextSlot - 1) this.#nextSlot = slot;
    // After a long rest there are fewer slots than seconds.
    if (slot - this.#nextSlot > this.#slots.size) {
      for (const each of [...this.#slots.keys()]) if (each < slot) this.#empty(each, now);
      this.#nextSlot = slot;
    }
    for (; this.#nextSlot < slot; this.#nextSlot++) this.#empty(this.#nextSlot, now);
  }

  /** Those whose time is not over, to the millisecond. */
  #open(): LeaseEntry[] {
    const now = this.#now();
    return [...this.#held.values()].filter((lease) => lease.expiresAt > now);
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
    this.#held.delete(lease.id);
    const { older, newer } = lease;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    // Whoever still has it does not have the others.
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
