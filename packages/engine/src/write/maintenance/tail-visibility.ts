// Whether any search or lease still sees a document of a tail. Asked at every commit of an index that is
// being overwritten, so cheap checks come first, and a tail found to be leased is not looked at again for a
// second.

import type { DocumentRange } from '../../segment/leaf.ts';
import { isAllDead, isInvisible } from './dropped-documents.ts';

/** A tail that a lease sees is checked again after this time. */
export const RECHECK_MS = 1_000;

/** The part of a tail that is needed. */
export interface DyingTail {
  ranges(): readonly DocumentRange[];
}

/** Checks tails, and remembers those that leases see. */
export class TailVisibility {
  readonly #now: () => number;
  /** When a tail may be checked again. */
  readonly #notBefore = new WeakMap<DyingTail, number>();

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Whether all documents of a tail are dead and `keepers` see none of them. O(ranges) if one is alive; with
   * leases O(documents) once in RECHECK_MS.
   */
  isInvisible(tail: DyingTail, keepers: () => readonly number[]): boolean {
    const ranges = tail.ranges();
    if (!isAllDead(ranges)) return false;
    if (this.#now() < (this.#notBefore.get(tail) ?? Number.NEGATIVE_INFINITY)) return false;
    const commits = keepers();
    if (ranges.every((range) => isInvisible(range, commits))) return true;
    // Without leases the next commit may change the answer.
    if (commits.length > 1) this.#notBefore.set(tail, this.#now() + RECHECK_MS);
    return false;
  }
}
