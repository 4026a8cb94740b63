// Which orders will be asked for next? Those that were asked for a moment ago. A moment is counted in commits: only they
// bring documents that have to be put in order.

import type { OrderSpec } from '../../order/order-spec.ts';

/** Orders remembered of an index. */
const MOST_SORTS = 4;
/** Indices with any. */
const MOST_INDICES = 1_000;
/** An order that was not asked for during so many commits is forgotten. */
const MOST_COMMITS = 16;

interface Recent {
  readonly spec: OrderSpec;
  commits: number;
}

/** The orders of each index that searches have used lately. */
export class RecentSorts {
  readonly #byIndex = new Map<string, Recent[]>();

  /** A search has used it. */
  used(index: string, spec: OrderSpec): void {
    const recent = this.#byIndex.get(index);
    const known = recent?.find((each) => each.spec.key === spec.key);
    if (known !== undefined) known.commits = 0;
    else if (recent !== undefined) {
      recent.unshift({ spec, commits: 0 });
      if (recent.length > MOST_SORTS) recent.splice(oldestOf(recent), 1);
    } else {
      if (this.#byIndex.size >= MOST_INDICES) this.#byIndex.clear();
      this.#byIndex.set(index, [{ spec, commits: 0 }]);
    }
  }

  /** There was a commit. */
  age(index: string): void {
    const recent = this.#byIndex.get(index);
    if (recent === undefined) return;
    const left = recent.filter((each) => ++each.commits <= MOST_COMMITS);
    if (left.length === 0) this.#byIndex.delete(index);
    else if (left.length < recent.length) this.#byIndex.set(index, left);
  }

  /** The orders of an index. */
  of(index: string): readonly OrderSpec[] {
    return this.#byIndex.get(index)?.map(({ spec }) => spec) ?? [];
  }
}

function oldestOf(recent: readonly Recent[]): number {
  let oldest = 0;
  for (let i = 1; i < recent.length; i++) if (recent[i]!.commits >= recent[oldest]!.commits) oldest = i;
  return oldest;
}
