// span_not: spans without an excluded one in them, or near them.

import { parsingError } from '../../errors.ts';
import { spansNode } from '../../field/span-node.ts';
import { notSpans } from '../../node/spans/simple-spans.ts';
import { objectBody, readInteger, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planClause, readSpanMember, requireOneField } from './span-query.ts';

const KIND = 'span_not';

interface SpanNotQuery extends Query {
  readonly kind: 'span_not';
  readonly include: Query;
  readonly exclude: Query;
  /** Positions before and after a span that an excluded one must not touch. */
  readonly before: number;
  readonly after: number;
}

export const spanNot: QueryKind<SpanNotQuery> = {
  name: KIND,
  parse(json, parser) {
    let include: Query | undefined;
    let exclude: Query | undefined;
    let pre: number | undefined;
    let post: number | undefined;
    let dist: number | undefined;
    const common = readParameters(KIND, objectBody(KIND, json), {
      include: (v) => (include = readSpanMember(v, parser, KIND, 'include')),
      exclude: (v) => (exclude = readSpanMember(v, parser, KIND, 'exclude')),
      dist: (v) => (dist = readInteger(v, KIND, 'dist')),
      pre: (v) => (pre = readInteger(v, KIND, 'pre')),
      post: (v) => (post = readInteger(v, KIND, 'post')),
    });
    if (include === undefined) throw parsingError(`${KIND} must have [include] span query clause`);
    if (exclude === undefined) throw parsingError(`${KIND} must have [exclude] span query clause`);
    if (dist !== undefined && (pre !== undefined || post !== undefined)) {
      throw parsingError(`${KIND} can either use [dist] or [pre] & [post] (or none)`);
    }
    const before = Math.max(0, dist ?? pre ?? 0);
    const after = Math.max(0, dist ?? post ?? 0);
    return Object.freeze({ kind: KIND, include, exclude, before, after, ...common });
  },
  plan({ include, exclude, before, after }, planner, boost) {
    const kept = planClause(planner, include);
    const avoided = planClause(planner, exclude);
    requireOneField([kept, avoided], 'Clauses must have same field.');
    const source = notSpans(kept.source, avoided.source, before, after);
    const text = `spanNot(${kept.text}, ${avoided.text}, ${before}, ${after})`;
    return spansNode(planner, { ...kept, scoredPath: kept.path, source, text }, boost);
  },
};
