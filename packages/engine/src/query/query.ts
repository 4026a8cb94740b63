// What is a query between the wire and the index? A frozen tree of plain data, one kind of node per file of kinds/;
// each kind knows how to parse its JSON and how to plan itself against an index.

import type { JsonValue } from '../json/value.ts';
import type { QueryLimits } from './limits.ts';
import type { Node } from './node/node.ts';
import type { Planner } from './plan/planner.ts';

/** One node of a parsed query. */
export interface Query {
  /** The wire's name of the kind: 'term', 'bool', … */
  readonly kind: string;
  /** Multiplies the score; 1 by default. */
  readonly boost: number;
  /** `_name`: asked for again in `matched_queries`. */
  readonly name: string | undefined;
}

/** What parsing of one kind may use: the way to parse queries inside it, and the limits. */
export interface Parser {
  readonly limits: QueryLimits;
  /** Parses `{kind: body}`; throws parsing_exception. */
  query(json: JsonValue): Query;
}

/** One kind of query. */
export interface QueryKind<Q extends Query = Query> {
  readonly name: string;
  /** The wire's other names of it. */
  readonly aliases?: readonly string[];
  parse(body: JsonValue, parser: Parser): Q;
  /** `boost` already includes the query's own. Throws EngineErrors for what does not fit the mapping. */
  plan(query: Q, planner: Planner, boost: number): Node;
}
