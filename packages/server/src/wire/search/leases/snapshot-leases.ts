// The snapshots that a search may name: those that a lease holds. Pages in score order stand on a snapshot,
// which is held for some minutes after each page; `as_of` names one.

import { type Engine, EngineError } from '@octavo/engine';
import { finish, type MaybePromise } from '../../../sync-first.ts';
import type { SnapshotHolder } from '../../router/route.ts';

const LEASE_MS = 300_000;
const KIND = 'walk';

/** Holds snapshots for lists in score order: one lease per snapshot, whatever the number of lists. */
export class SnapshotLeases implements SnapshotHolder {
  readonly #engine: Engine;
  readonly #leases = new Map<number, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Holds a snapshot while a page and its groups are found: a merge meanwhile would drop documents that the next page shows. `keep`
   * holds the snapshot for the next five minutes.
   */
  during<T>(snapshot: number, work: (keep: () => void) => MaybePromise<T>): MaybePromise<T> {
    const lease = this.#engine.openLease({ kind: KIND, keepAliveMs: LEASE_MS, snapshot });
    return finish(
      () => work(() => this.#hold(snapshot)),
      () => this.#engine.closeLease(lease.id),
    );
  }

  #hold(snapshot: number): void {
    const id = this.#leases.get(snapshot);
    if (id !== undefined && this.#engine.lease(id, LEASE_MS) !== undefined) return;
    const lease = this.#engine.openLease({ kind: KIND, keepAliveMs: LEASE_MS, snapshot });
    if (this.#leases.size > 1_000) this.#dropExpired();
    this.#leases.set(snapshot, lease.id);
  }

  /** Throws if a snapshot can no longer be searched. */
  require(snapshot: number): void {
    const newest = this.#engine.snapshot();
    if (snapshot === newest) return;
    if (snapshot > newest || snapshot < 0) {
      throw new EngineError(
        'illegal_argument_exception',
        `[as_of] names the commit [${snapshot}]; the newest is [${newest}]`,
      );
    }
    const id = this.#leases.get(snapshot);
    if (id !== undefined && this.#engine.lease(id) !== undefined) return;
    if (this.#engine.leases().some((lease) => lease.snapshot === snapshot)) return;
    throw new EngineError(
      'cursor_expired',
      `the snapshot [${snapshot}] is no longer kept; open a point in time to keep one`,
    );
  }

  #dropExpired(): void {
    for (const [snapshot, id] of this.#leases) {
      if (this.#engine.lease(id) === undefined) this.#leases.delete(snapshot);
    }
  }
}
