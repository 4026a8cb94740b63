// Which older snapshots can be searched? Those that a lease holds. Walks in score order stand on one, which is held for
// a while after each page; `as_of` names one outright.

import { type Engine, EngineError } from '@octavo/engine';
import { finish, type MaybePromise } from '../../../sync-first.ts';
import type { SnapshotHolder } from '../../router/route.ts';

const HELD_MS = 300_000;
const KIND = 'walk';

/** Holds snapshots for walks in score order: one lease per snapshot, however many walk on it. */
export class SnapshotLeases implements SnapshotHolder {
  readonly #engine: Engine;
  readonly #leases = new Map<number, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Holds a snapshot while a page of it is found and what belongs to the page is asked for: a merge between would leave
   * out what the page after it has to show. `keep` holds it for the next five minutes.
   */
  during<T>(snapshot: number, work: (keep: () => void) => MaybePromise<T>): MaybePromise<T> {
    const lease = this.#engine.openLease({ kind: KIND, keepAliveMs: HELD_MS, snapshot });
    return finish(
      () => work(() => this.#hold(snapshot)),
      () => this.#engine.closeLease(lease.id),
    );
  }

  #hold(snapshot: number): void {
    const id = this.#leases.get(snapshot);
    if (id !== undefined && this.#engine.lease(id, HELD_MS) !== undefined) return;
    const lease = this.#engine.openLease({ kind: KIND, keepAliveMs: HELD_MS, snapshot });
    if (this.#leases.size > 1_000) this.#forget();
    this.#leases.set(snapshot, lease.id);
  }

  /** Throws where a snapshot cannot be searched any more. */
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
      `the snapshot [${snapshot}] is not kept any more; open a point in time to keep one`,
    );
  }

  #forget(): void {
    for (const [snapshot, id] of this.#leases) {
      if (this.#engine.lease(id) === undefined) this.#leases.delete(snapshot);
    }
  }
}
