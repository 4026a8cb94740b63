// The contract of one kind of query. Each kind parses its JSON and plans itself against an index; kinds never
// import each other through the registry, which sits on top of them.

import type { JsonValue } from '../../json/value.ts';
import type { QueryLimits } from '../limits.ts';
import type { PlanNode } from '../node/node.ts';
import type { Planner } from '../plan/planner.ts';
import type { Query } from '../query.ts';

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
  plan(query: Q, planner: Planner, boost: number): PlanNode;
  /**
   * True for a query that the peer replaces by match_none before it plans anything: then nothing around or inside it can fail.
   * Absent for kinds that are always planned.
   */
  isNone?(query: Q, planner: Planner): boolean;
}
