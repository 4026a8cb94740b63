// Limits the open scrolls and points in time of each caller. Pure: the time is a parameter.

import { EngineError } from '@octavo/engine';

/** Open leases by caller. */
export class LeaseQuota {
  readonly #max: number;
  readonly #callers = new Map<string, Map<string, number>>();
  readonly #owners = new Map<string, string>();

  /** `max` for each caller (`leasesPerKey`). */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * True if the caller may open another lease. O(1). At the limit O(its leases): `isOpen` is then asked for
   * each, since leases also end with their index or when there are too many.
   */
  admits(caller: string, now: number, isOpen: (lease: string) => boolean = () => true): boolean {
    const leases = this.#callers.get(caller);
    if (leases === undefined || leases.size < this.#max) return true;
    for (const [lease, expiry] of leases) if (expiry <= now || !isOpen(lease)) this.remove(lease);
    return leases.size < this.#max;
  }

  /** Throws rejected_execution_exception (429) if the caller may open no more. */
  require(caller: string, now: number, isOpen?: (lease: string) => boolean): void {
    if (this.admits(caller, now, isOpen)) return;
    throw new EngineError(
      'rejected_execution_exception',
      `[${caller}] has [${this.countOf(caller)}] open scrolls and points in time, and may not open more (leasesPerKey); ` +
        'close those you no longer need, or wait until some expire',
    );
  }

  /** Adds or extends a lease. `expiry` in ms since 1970. */
  add(caller: string, lease: string, expiry: number): void {
    const before = this.#owners.get(lease);
    if (before !== undefined && before !== caller) this.remove(lease);
    const leases = this.#callers.get(caller) ?? new Map<string, number>();
    leases.set(lease, expiry);
    this.#callers.set(caller, leases);
    this.#owners.set(lease, caller);
  }

  /** Removes a lease; no-op for an unknown one. */
  remove(lease: string): void {
    const caller = this.#owners.get(lease);
    if (caller === undefined) return;
    this.#owners.delete(lease);
    const leases = this.#callers.get(caller);
    leases?.delete(lease);
    if (leases?.size === 0) this.#callers.delete(caller);
  }

  /** The number of the caller's leases, including expired ones not yet removed. */
  countOf(caller: string): number {
    return this.#callers.get(caller)?.size ?? 0;
  }
}
