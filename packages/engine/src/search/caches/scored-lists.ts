// The cache of deep lists in score order: all matches of a search with their scores, so that deep pages and
// walks do not score again. The first page picks its hits from the list as the scan left it; the second page
// has the list ranked.
//
// - Key: leaves, query text and minimum score (scored-page.ts).
// - Value: 12 bytes a match, unranked or ranked.
// - Bound: a byte budget, the least recently used go.
// - Invalidation: other leaves, deaths or statistics give another key.

import { ByteBudget } from '../../memory/byte-budget.ts';

/** Matches of a search with their scores. */
export interface ScoredList {
  /** place · 2^32 + document. */
  readonly positions: Float64Array;
  readonly scores: Float32Array;
}

/** Bytes that two arrays with buffers of their own take beside their numbers. */
const LIST_HEAP = 768;

/** Memory that a list takes. */
function listBytes({ positions, scores }: ScoredList): number {
  return positions.byteLength + scores.byteLength + LIST_HEAP;
}

/** A list, ranked once a second page has asked for it. */
type CachedList = ScoredList & { readonly isRanked?: true };

/** Lists under one byte budget. */
export class ScoredLists {
  readonly #lists: ByteBudget<CachedList>;

  constructor(budgetBytes: number) {
    this.#lists = new ByteBudget(budgetBytes);
  }

  get usedBytes(): number {
    return this.#lists.usedBytes;
  }

  get(key: string): CachedList | undefined {
    return this.#lists.get(key);
  }

  set(key: string, list: CachedList): void {
    this.#lists.set(key, list, listBytes(list));
  }
}
