// Remembers which orders searches of an index have used lately. After a commit the engine prepares these
// orders for the new documents (engine/prewarm). Age is counted in commits, because only commits bring
// documents that must be ordered.

import type { OrderSpec } from '../../order/order-spec.ts';

/** Orders remembered for one index. */
const MOST_SORTS = 4;
/** Indices remembered. */
const MOST_INDICES = 1_000;
/** An order that no search used during so many commits is forgotten. */
const MOST_COMMITS = 16;

interface Recent {
  readonly spec: OrderSpec;
  commits: number;
}

/** The orders of each index that searches have used lately. */
export class RecentSorts {
  readonly #byIndex = new Map<string, Recent[]>();

  /** Records that a search used an order. Values of nested objects are gathered by searches only. */
  noteUse(index: string, spec: OrderSpec): void {
    if (spec.entries.some((entry) => 'nested' in entry && entry.nested !== undefined)) return;
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

  /** Records a commit to an index. */
  noteCommit(index: string): void {
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
