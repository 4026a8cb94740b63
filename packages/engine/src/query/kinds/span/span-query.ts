// What all span queries share: reading and planning the clauses inside them.

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import { type PlannedSpans, SpansNode } from '../../node/spans/spans-node.ts';
import { isObject } from '../../parameters.ts';
import type { Planner } from '../../plan/planner.ts';
import type { Query } from '../../query.ts';
import type { Parser } from '../kind.ts';

const SPAN_KINDS: ReadonlySet<string> = new Set([
  'field_masking_span',
  'span_containing',
  'span_first',
  'span_multi',
  'span_near',
  'span_not',
  'span_or',
  'span_term',
  'span_within',
]);

/** Reads a span query inside another one. `place` names its place in errors, such as `span_near [clauses]`. */
export function readClause(json: JsonValue, parser: Parser, place: string): Query {
  const query = parser.query(json);
  if (!SPAN_KINDS.has(query.kind)) throw parsingError(`${place} must be of type span query`);
  if (query.boost !== 1) {
    const boost = Number.isInteger(query.boost) ? `${query.boost}.0` : String(query.boost);
    throw parsingError(`${place} as a nested span clause can't have non-default boost value [${boost}]`);
  }
  return query;
}

/** Reads a member that has to be an object with a span query. */
export function readSpanMember(json: JsonValue, parser: Parser, kind: string, member: string): Query {
  if (!isObject(json)) throw parsingError(`[${kind}] query does not support [${member}]`);
  return readClause(json, parser, `${kind} [${member}]`);
}

/** Plans a span query inside another one. */
export function planClause(planner: Planner, query: Query): PlannedSpans {
  const node = planner.withoutScores(() => planner.plan(query, 1));
  if (node instanceof SpansNode) return node.planned;
  throw new TypeError(`no spans: ${query.kind}`);
}

/** Throws where clauses are not of one field. */
export function requireOneField(clauses: readonly PlannedSpans[], reason: string): void {
  if (clauses.some(({ path }) => path !== clauses[0]!.path)) throw illegalArgument(reason);
}
