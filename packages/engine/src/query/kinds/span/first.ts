// span_first: spans near the beginning of a field.

import { illegalArgument } from '../../../errors.ts';
import { parsingError } from '../../errors.ts';
import { spansNode } from '../../field/span-node.ts';
import { firstSpans } from '../../node/spans/simple-spans.ts';
import { objectBody, readInteger, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planClause, readSpanMember } from './span-query.ts';

const KIND = 'span_first';

interface SpanFirstQuery extends Query {
  readonly kind: 'span_first';
  readonly match: Query;
  readonly end: number;
}

export const spanFirst: QueryKind<SpanFirstQuery> = {
  name: KIND,
  parse(json, parser) {
    let match: Query | undefined;
    let end: number | undefined;
    const common = readParameters(KIND, objectBody(KIND, json), {
      match: (v) => (match = readSpanMember(v, parser, KIND, 'match')),
      end: (v) => (end = readInteger(v, KIND, 'end')),
    });
    if (match === undefined) throw parsingError(`${KIND} must have [match] span query clause`);
    if (end === undefined) throw parsingError(`${KIND} must have [end] set for it`);
    if (end < 0) throw illegalArgument('parameter [end] needs to be positive.');
    return Object.freeze({ kind: KIND, match, end, ...common });
  },
  plan({ match, end }, planner, boost) {
    const inner = planClause(planner, match);
    const source = firstSpans(inner.source, end);
    const text = `spanFirst(${inner.text}, ${end})`;
    return spansNode(planner, { ...inner, scoredPath: inner.path, source, text }, boost);
  },
};
