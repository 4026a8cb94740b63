// The bounds of one search, and their defaults.

import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../query/limits.ts';

/** Bounds of one search. */
export interface SearchLimits {
  readonly query: QueryLimits;
  /** Largest `size` of one page. */
  readonly maxPageSize: number;
  /**
   * Documents whose orders one search may build at once (a millisecond for 1,000); larger leaves are scanned
   * instead.
   */
  readonly buildAtOnce: number;
}

export const DEFAULT_SEARCH_LIMITS: SearchLimits = Object.freeze({
  query: DEFAULT_QUERY_LIMITS,
  maxPageSize: 10_000,
  buildAtOnce: 4_096,
});
