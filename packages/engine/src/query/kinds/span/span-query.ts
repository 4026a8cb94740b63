// What all span queries share: reading the clauses inside them, and the node of their spans.

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { idf } from '../../../score/bm25.ts';
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

/** The node of a query's spans. */
export function spansNode(planner: Planner, planned: PlannedSpans, boost: number): SpansNode {
  const stats = planner.stats.field(planned.scoredPath);
  let idfs = 0;
  const counted = new Set<string>();
  for (const { path, bytes } of planned.terms) {
    const key = `${path}\0${Buffer.from(bytes).toString('latin1')}`;
    if (counted.has(key)) continue;
    const { docFreq } = planner.stats.term(path, bytes);
    if (docFreq === 0) continue;
    counted.add(key);
    if (stats.docCount > 0) idfs += idf(docFreq, stats.docCount);
  }
  const weight = planner.scores ? planner.weight(boost, idfs) : 0;
  const isNone = counted.size === 0 && !planner.keepsAbsent;
  return new SpansNode(planned, weight, stats.inverses, isNone);
}

/** Throws where clauses are not of one field. */
export function requireOneField(clauses: readonly PlannedSpans[], reason: string): void {
  if (clauses.some(({ path }) => path !== clauses[0]!.path)) throw illegalArgument(reason);
}

/** The terms of all clauses. */
export function termsOf(clauses: readonly PlannedSpans[]): PlannedSpans['terms'] {
  return clauses.flatMap(({ terms }) => terms);
}
