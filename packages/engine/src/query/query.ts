// The parsed query: a frozen tree of plain data between the JSON of a request and the plan for an index.

/** One node of a parsed query. */
export interface Query {
  /** The wire's name of the kind: 'term', 'bool', … */
  readonly kind: string;
  /** Multiplies the score; 1 by default. */
  readonly boost: number;
  /** `_name`, reported in `matched_queries`. */
  readonly name: string | undefined;
}
