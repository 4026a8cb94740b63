// The caches that searches share, each under its own byte budget, and the memos that take no memory of their
// own.

import { createMemory } from '../../memory/arenas.ts';
import type { Memory } from '../../memory/memory.ts';
import { ObjectsCache } from '../../nested/objects-cache.ts';
import { ORDER_BUDGET_BYTES, Orders } from '../../order/orders.ts';
import { FilterCache } from './filter-cache.ts';
import { OrderHeat } from './order-heat.ts';
import { RecentSorts } from './recent-sorts.ts';
import { RunsMemo } from './runs-memo.ts';
import { ScoredLists } from './scored-lists.ts';

/** Default memory for bitmaps of filters, and for lists of scores. */
const FILTER_BYTES = 64 * 1024 * 1024;

/** Most memory for nested objects. */
const OBJECT_BYTES = 2 ** 30;

/** Bytes of each cache. */
interface CacheBytes {
  readonly orderBytes?: number;
  readonly filterBytes?: number;
  readonly rankedBytes?: number;
  readonly objectBytes?: number;
}

/**
 * Splits a memory limit over the caches. Part of each cache lies on the JavaScript heap, which the limit does
 * not count.
 */
export function cacheBytes(memoryBytes: number): CacheBytes {
  const filterBytes = Math.min(FILTER_BYTES, memoryBytes / 16);
  return {
    orderBytes: Math.min(ORDER_BUDGET_BYTES, memoryBytes / 4),
    filterBytes,
    rankedBytes: filterBytes,
    objectBytes: Math.min(OBJECT_BYTES, memoryBytes / 4),
  };
}

/** The caches of one engine. */
export class SearchCaches {
  readonly orders: Orders;
  readonly filters: FilterCache;
  readonly heat: OrderHeat = new OrderHeat();
  readonly runs: RunsMemo = new RunsMemo();
  readonly sorts: RecentSorts = new RecentSorts();
  /** Deep lists in score order. */
  readonly scored: ScoredLists;
  readonly objects: ObjectsCache;

  /**
   * Counts evictions of orders and filter bitmaps, which runs refer to. Once the count has changed, runs
   * found before may lie in memory that is reused after their reading has ended.
   */
  get evictions(): number {
    return this.orders.evictions + this.filters.evictions;
  }

  /** In `memory`, whose readers must have entered it. */
  constructor(budget: CacheBytes = {}, memory: Memory = createMemory()) {
    this.orders = new Orders(memory, budget.orderBytes);
    this.filters = new FilterCache(memory, budget.filterBytes ?? FILTER_BYTES);
    this.objects = new ObjectsCache(budget.objectBytes ?? OBJECT_BYTES);
    this.scored = new ScoredLists(budget.rankedBytes ?? FILTER_BYTES);
  }
}
