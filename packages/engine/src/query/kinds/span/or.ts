// span_or: the spans of all clauses.

import { parsingError } from '../../errors.ts';
import { spansNode, termsOf } from '../../field/span-node.ts';
import { orSpans } from '../../node/spans/simple-spans.ts';
import { objectBody, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planClause, readClause, requireOneField } from './span-query.ts';

const KIND = 'span_or';

interface SpanOrQuery extends Query {
  readonly kind: 'span_or';
  readonly clauses: readonly Query[];
}

export const spanOr: QueryKind<SpanOrQuery> = {
  name: KIND,
  parse(json, parser) {
    let clauses: readonly Query[] = [];
    const common = readParameters(KIND, objectBody(KIND, json), {
      clauses: (v) => {
        if (!Array.isArray(v)) throw parsingError(`[${KIND}] query does not support [clauses]`);
        clauses = v.map((each) => readClause(each, parser, `${KIND} [clauses]`));
      },
    });
    if (clauses.length === 0) throw parsingError(`${KIND} must include [clauses]`);
    return Object.freeze({ kind: KIND, clauses, ...common });
  },
  plan(query, planner, boost) {
    planner.countClauses(query.clauses.length);
    const clauses = query.clauses.map((clause) => planClause(planner, clause));
    requireOneField(clauses, 'Clauses must have same field.');
    const { path } = clauses[0]!;
    const source = orSpans(clauses.map((clause) => clause.source));
    const text = `spanOr([${clauses.map((clause) => clause.text).join(', ')}])`;
    return spansNode(planner, { path, scoredPath: path, source, terms: termsOf(clauses), text }, boost);
  },
};
