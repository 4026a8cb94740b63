// The bounds of one search, and their defaults.

import { EngineError } from '../errors.ts';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../query/limits.ts';

/** Bounds of one search. */
export interface SearchLimits {
  readonly query: QueryLimits;
  /** Largest `size` of one page. */
  readonly maxPageSize: number;
  /** Bytes of the sources of one page. */
  readonly maxPageBytes: number;
  /**
   * Documents whose orders one search may build at once (a millisecond for 1,000); larger leaves are scanned
   * instead.
   */
  readonly buildAtOnce: number;
}

export const DEFAULT_SEARCH_LIMITS: SearchLimits = Object.freeze({
  query: DEFAULT_QUERY_LIMITS,
  maxPageSize: 10_000,
  maxPageBytes: 128 * 1_048_576,
  buildAtOnce: 4_096,
});

/** The error of an answer that is longer than the limit `answerBytes`. */
export function answerTooLarge(bytes: number, limit: number): EngineError {
  const mib = (count: number): string => `${(count / 1_048_576).toFixed(1)}mb`;
  return new EngineError(
    'circuit_breaking_exception',
    `[answerBytes] Data too large: one answer would have [${bytes}/${mib(bytes)}], which is larger than the limit of [${limit}/${mib(limit)}]; ask for fewer or smaller documents, or raise the limit with --limit answerBytes=N`,
    { details: { bytes_wanted: bytes, bytes_limit: limit, durability: 'PERMANENT' } },
  );
}
