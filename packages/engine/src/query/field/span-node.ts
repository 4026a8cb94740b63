// The node of spans: their terms are weighed together.

import { EngineError } from '../../errors.ts';
import { idf } from '../../score/bm25.ts';
import { type PlannedSpans, SpansNode } from '../node/spans/spans-node.ts';
import type { Planner } from '../plan/planner.ts';

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
  const weight = planner.scores ? planner.weight(boost, idfs, stats.similarity) : 0;
  const isNone = counted.size === 0 && !planner.keepsAbsent;
  return new SpansNode(planned, weight, stats.inverses, isNone);
}

/** The terms of all clauses. */
export function termsOf(clauses: readonly PlannedSpans[]): PlannedSpans['terms'] {
  return clauses.flatMap(({ terms }) => terms);
}

/** Throws where a mapped field has no positions. */
export function requirePositions(planner: Planner, path: string, term: string): void {
  const field = planner.field(path);
  if (field === undefined || field.spec.index === 'positions') return;
  throw new EngineError(
    'illegal_state_exception',
    `field "${path}" was indexed without position data; cannot run SpanTermQuery (term=${term})`,
    { status: 500 },
  );
}
