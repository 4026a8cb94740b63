// The bounds that keep one query from taking unbounded time or memory.

import { illegalArgument } from '../errors.ts';

export interface QueryLimits {
  /** Clauses of a query, all levels together (indices.query.bool.max_clause_count). */
  readonly maxClauses: number;
  /** Levels of queries within queries. */
  readonly maxDepth: number;
  /** Values of one `terms` query (index.max_terms_count). */
  readonly maxTerms: number;
  /** Characters of a regular expression (index.max_regex_length). */
  readonly maxRegexLength: number;
  /** Characters of one text that is analyzed. */
  readonly maxTextLength: number;
  /** States of one automaton. */
  readonly maxStates: number;
  /** Fields that one query may be expanded to. */
  readonly maxFields: number;
}

export const DEFAULT_QUERY_LIMITS: QueryLimits = Object.freeze({
  maxClauses: 1024,
  maxDepth: 100,
  maxTerms: 65_536,
  maxRegexLength: 1000,
  maxTextLength: 262_144,
  maxStates: 10_000,
  maxFields: 1024,
});

/** Throws illegal_argument_exception where a query names more terms than it may. `kind` is its name in the error. */
export function requireFewTerms(kind: 'Terms' | 'Ids', count: number, limit: number): void {
  if (count <= limit) return;
  throw illegalArgument(
    `The number of terms [${count}] used in the ${kind} Query request has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
  );
}
