// The bounds that keep one query from taking unbounded time or memory.

export interface QueryLimits {
  /** Clauses of a query, all levels together (indices.query.bool.max_clause_count). */
  readonly maxClauses: number;
  /** Levels of queries within queries. */
  readonly maxDepth: number;
  /** Values of one `terms` query (index.max_terms_count). */
  readonly maxTerms: number;
  /** Characters of a regular expression (index.max_regex_length). */
  readonly maxRegexLength: number;
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
  maxStates: 10_000,
  maxFields: 1024,
});
