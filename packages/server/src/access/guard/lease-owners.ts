// The owners of scrolls and points in time. Another caller's lease is refused even to who knows its id.

import { type Engine, EngineError } from '@octavo/engine';

/** Owners by lease. In memory, like the leases. */
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

  /** Throws security_exception for another caller's open lease. */
  requireOwner(lease: string, principal: string): void {
    if (this.isOwner(lease, principal) || this.#engine.lease(lease) === undefined) return;
    throw new EngineError('security_exception', `the search context [${lease}] belongs to another caller`);
  }

  /** Drops expired leases. Amortised O(1) a lease. */
  #prune(): void {
    const open = new Set(this.#engine.leases().map((lease) => lease.id));
    for (const id of this.#owners.keys()) if (!open.has(id)) this.#owners.delete(id);
    this.#pruneAt = Math.max(1_024, this.#owners.size * 2);
  }
}
