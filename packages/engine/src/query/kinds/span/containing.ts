// span_containing and span_within: spans that contain others, and spans that lie in others.

import { illegalArgument } from '../../../errors.ts';
import { parsingError } from '../../errors.ts';
import { spansNode, termsOf } from '../../field/span-node.ts';
import { containSpans } from '../../node/spans/simple-spans.ts';
import { objectBody, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planClause, readSpanMember, requireOneField } from './span-query.ts';

interface SpanContainQuery extends Query {
  readonly big: Query;
  readonly little: Query;
}

function containKind(name: string, keeps: 'big' | 'little'): QueryKind<SpanContainQuery> {
  return {
    name,
    parse(json, parser) {
      let big: Query | undefined;
      let little: Query | undefined;
      const common = readParameters(name, objectBody(name, json), {
        big: (v) => (big = readSpanMember(v, parser, name, 'big')),
        little: (v) => (little = readSpanMember(v, parser, name, 'little')),
      });
      if (big === undefined) throw missing(name, 'big');
      if (little === undefined) throw missing(name, 'little');
      return Object.freeze({ kind: name, big, little, ...common });
    },
    plan(query, planner, boost) {
      const big = planClause(planner, query.big);
      const little = planClause(planner, query.little);
      requireOneField([big, little], 'big and little not same field');
      const { path } = big;
      const source = containSpans(big.source, little.source, keeps);
      const text = `${keeps === 'big' ? 'SpanContaining' : 'SpanWithin'}(${big.text}, ${little.text})`;
      return spansNode(
        planner,
        { path, scoredPath: path, source, terms: termsOf([big, little]), text },
        boost,
      );
    },
  };
}

/** The peer words it in two ways. */
function missing(name: string, member: string): Error {
  return name === 'span_within'
    ? parsingError(`${name} must include [${member}]`)
    : illegalArgument(`inner clause [${member}] cannot be null.`);
}

export const spanContaining: QueryKind<SpanContainQuery> = containKind('span_containing', 'big');
export const spanWithin: QueryKind<SpanContainQuery> = containKind('span_within', 'little');
