// Whose is a scroll or a point in time? Its opener's: a lease of another caller is refused, whoever knows its id.

import { type Engine, EngineError } from '@octavo/engine';

/** Who opened which lease; leases are in memory, and so is this. */
export class LeaseOwners {
  readonly #engine: Engine;
  readonly #owners = new Map<string, string>();
  #pruneAt = 1_024;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add(lease: string, principal: string): void {
    this.#owners.set(lease, principal);
    if (this.#owners.size >= this.#pruneAt) this.#prune();
  }

  isOwner(lease: string, principal: string): boolean {
    return this.#owners.get(lease) === principal;
  }

  /** Throws security_exception for a lease that somebody else holds; one that is gone is nobody's. */
  requireOwner(lease: string, principal: string): void {
    if (this.isOwner(lease, principal) || this.#engine.lease(lease) === undefined) return;
    throw new EngineError('security_exception', `the search context [${lease}] belongs to another caller`);
  }

  /** Forgets leases that have run out; amortised O(1) a lease. */
  #prune(): void {
    const open = new Set(this.#engine.leases().map((lease) => lease.id));
    for (const id of this.#owners.keys()) if (!open.has(id)) this.#owners.delete(id);
    this.#pruneAt = Math.max(1_024, this.#owners.size * 2);
  }
}
