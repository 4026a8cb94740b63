// Does anybody see anything of a tail any more? Asked at every commit of an index that is being written over: what is cheap to
// know comes first, and that leases keep something is not looked for again and again.

import type { DocumentRun } from '../../segment/leaf.ts';
import { isAllDead, isInvisible } from './dropped-documents.ts';

/** What a lease keeps of a tail it keeps for at least so long, as far as this goes. */
export const RECHECK_MS = 1_000;

/** A tail, as far as this goes. */
export interface DyingTail {
  runs(): readonly DocumentRun[];
}

/** Remembers which tails leases were found to keep. */
export class TailVisibility {
  readonly #now: () => number;
  /** Until when a tail is not looked at. */
  readonly #kept = new WeakMap<DyingTail, number>();

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * True when all documents of a tail are dead, and `keepers` see none of them. O(runs) where one is alive; with leases
   * O(documents) once in KEPT_MS.
   */
  isInvisible(tail: DyingTail, keepers: () => readonly number[]): boolean {
    const runs = tail.runs();
    if (!isAllDead(runs)) return false;
    if (this.#now() < (this.#kept.get(tail) ?? Number.NEGATIVE_INFINITY)) return false;
    const commits = keepers();
    if (runs.every((run) => isInvisible(run, commits))) return true;
    // Without leases the next commit may be the one that is waited for.
    if (commits.length > 1) this.#kept.set(tail, this.#now() + RECHECK_MS);
    return false;
  }
}
