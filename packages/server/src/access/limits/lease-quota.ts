// How many snapshots does this caller hold? Open scrolls and points in time by caller, each until it is closed or runs
// out. Pure: the time is given.

import { EngineError } from '@octavo/engine';

/** Open leases by caller. */
export class LeaseQuota {
  readonly #max: number;
  readonly #callers = new Map<string, Map<string, number>>();
  readonly #owners = new Map<string, string>();

  /** `max`: of one caller (`leasesPerKey`). */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * True where the caller may open one more. O(1), or O(its leases) when it seems to have reached the limit: then it is asked which
   * of them are open still, for some end with their index, or because there are too many.
   */
  admits(caller: string, now: number, isOpen: (lease: string) => boolean = () => true): boolean {
    const leases = this.#callers.get(caller);
    if (leases === undefined || leases.size < this.#max) return true;
    for (const [lease, expiry] of leases) if (expiry <= now || !isOpen(lease)) this.remove(lease);
    return leases.size < this.#max;
  }

  /** Throws rejected_execution_exception (429) where the caller may open no more. */
  require(caller: string, now: number, isOpen?: (lease: string) => boolean): void {
    if (this.admits(caller, now, isOpen)) return;
    throw new EngineError(
      'rejected_execution_exception',
      `[${caller}] has [${this.countOf(caller)}] open scrolls and points in time, and may have no more (leasesPerKey); ` +
        'close those that are done, or wait until some run out',
    );
  }

  /** A lease was opened, or given more time. `expiry` in ms since 1970. */
  add(caller: string, lease: string, expiry: number): void {
    const before = this.#owners.get(lease);
    if (before !== undefined && before !== caller) this.remove(lease);
    const leases = this.#callers.get(caller) ?? new Map<string, number>();
    leases.set(lease, expiry);
    this.#callers.set(caller, leases);
    this.#owners.set(lease, caller);
  }

  /** A lease was closed. Nothing for one that is not known. */
  remove(lease: string): void {
    const caller = this.#owners.get(lease);
    if (caller === undefined) return;
    this.#owners.delete(lease);
    const leases = this.#callers.get(caller);
    leases?.delete(lease);
    if (leases?.size === 0) this.#callers.delete(caller);
  }

  /** How many the caller holds, those that ran out unnoticed with them. */
  countOf(caller: string): number {
    return this.#callers.get(caller)?.size ?? 0;
  }
}
