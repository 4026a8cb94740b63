// What does a search need from outside? Sources to read, caches that outlive it, limits, and somebody to do long work
// when it is over.

import { FilterCache } from '../filter/cache.ts';
import { createMemory } from '../memory/arenas.ts';
import { ByteBudget } from '../memory/byte-budget.ts';
import type { Memory } from '../memory/memory.ts';
import { ORDER_BUDGET_BYTES, Orders } from '../order/orders.ts';
import { DEFAULT_LIMITS, type QueryLimits } from '../query/limits.ts';
import { enqueueTurn, sliceMs } from '../turn.ts';
import { SortTexts } from './page/sort-texts.ts';
import type { ScoredList } from './scored/ranked-list.ts';
import { Heat } from './sorted/order-merging.ts';
import { RecentSorts } from './sorted/recent-sorts.ts';
import { RunsMemo } from './sorted/runs-memo.ts';

/** Bounds of one search. */
export interface SearchLimits {
  readonly query: QueryLimits;
  /** Largest `size` of one page. */
  readonly maxPageSize: number;
  /** Documents whose orders one search may build at once (a millisecond for 1,000); other leaves are scanned meanwhile. */
  readonly buildAtOnce: number;
}

/** Handed to every search of an engine. */
export interface SearchServices {
  /** The bytes of a source in the document log. */
  readSource(chunk: number, offset: number, length: number): Uint8Array;
  /** The same to into[at …). REQUIRES: room there. */
  copySource(chunk: number, offset: number, length: number, into: Uint8Array, at: number): void;
  /** Where a source lies in memory: its first byte is `bytes[offset - start]`. Undefined where it has to be read. */
  findSource?(
    chunk: number,
    offset: number,
    length: number,
  ): { readonly bytes: Uint8Array; readonly start: number } | undefined;
  readonly caches: SearchCaches;
  readonly limits: SearchLimits;
  readonly compat: 'opensearch' | 'elasticsearch';
  /** Milliseconds since 1970, for date maths. */
  now(): number;
  /** Milliseconds from any moment on, for deadlines and slices; performance.now() where left out. */
  readonly clock?: () => number;
  /** Finishes steps later, a slice at a time; equal keys mean equal work. */
  background(key: string, steps: () => Generator<void, unknown, undefined>): void;
}

/** Default memory for bitmaps of filters, and for lists of scores. */
const FILTER_BYTES = 64 * 1024 * 1024;

/** Bytes of each part of the caches. */
interface CacheBytes {
  readonly orderBytes?: number;
  readonly filterBytes?: number;
  readonly rankedBytes?: number;
  readonly textBytes?: number;
}

/** What caches may take where so much memory is given: a part of them is on the heap, which it does not count. */
export function cacheBytes(memoryBytes: number): CacheBytes {
  const filterBytes = Math.min(FILTER_BYTES, memoryBytes / 16);
  return {
    orderBytes: Math.min(ORDER_BUDGET_BYTES, memoryBytes / 4),
    filterBytes,
    rankedBytes: filterBytes,
    textBytes: filterBytes,
  };
}

/** What searches remember for one another, each part under its own byte budget. */
export class SearchCaches {
  readonly orders: Orders;
  readonly filters: FilterCache;
  readonly heat: Heat = new Heat();
  readonly runs: RunsMemo = new RunsMemo();
  readonly sorts: RecentSorts = new RecentSorts();
  readonly texts: SortTexts;
  /** Deep lists in score order. */
  readonly ranked: ByteBudget<ScoredList & { readonly isRanked?: true }>;

  /** Rises whenever something that runs stand on is forgotten: it may lie in memory that is used again, once its reading has ended. */
  get forgotten(): number {
    return this.orders.forgotten + this.filters.forgotten;
  }

  /** In `memory`, whose readers must have entered it. */
  constructor(budget: CacheBytes = {}, memory: Memory = createMemory()) {
    this.texts = new SortTexts(memory, budget.textBytes);
    this.orders = new Orders(memory, budget.orderBytes);
    this.filters = new FilterCache(memory, budget.filterBytes ?? FILTER_BYTES);
    this.ranked = new ByteBudget(budget.rankedBytes ?? FILTER_BYTES);
  }
}

export const DEFAULT_SEARCH_LIMITS: SearchLimits = Object.freeze({
  query: DEFAULT_LIMITS,
  maxPageSize: 10_000,
  buildAtOnce: 4_096,
});

/** Runs background steps one job at a time, in slices that stand in line, never keeping the process alive. */
export class BackgroundWork {
  readonly #jobs = new Map<string, { steps: Generator<void, unknown, undefined>; leave: () => void }>();
  readonly #enter: () => () => void;
  #running = false;

  /** `enter` keeps the memory of leaves from being used again while a job looks at them (Memory.enter). */
  constructor(enter: () => () => void = () => () => {}) {
    this.#enter = enter;
  }

  add(key: string, steps: () => Generator<void, unknown, undefined>): void {
    if (this.#jobs.has(key)) return;
    this.#jobs.set(key, { steps: steps(), leave: this.#enter() });
    if (!this.#running) this.#schedule();
  }

  /** Jobs that wait or run. */
  get pending(): number {
    return this.#jobs.size;
  }

  #schedule(): void {
    this.#running = true;
    enqueueTurn(() => this.#slice(), false);
  }

  #slice(): void {
    const end = performance.now() + sliceMs();
    for (const [key, { steps, leave }] of this.#jobs) {
      let done = false;
      try {
        while (!done && performance.now() < end) done = steps.next().done === true;
      } catch {
        // An order that cannot be built now is built by the search that needs it, which reports the error.
        done = true;
      }
      if (done) {
        this.#jobs.delete(key);
        leave();
      }
      if (performance.now() >= end) break;
    }
    this.#running = this.#jobs.size > 0;
    if (this.#running) this.#schedule();
  }
}
