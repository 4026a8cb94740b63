// bool: clauses that must, should or must not match. Filters must match, without a part in the score.

import { EngineError } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { attachPlace, parserPlaceOf } from '../../../place.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { contentError } from '../../errors.ts';
import { minimumShouldMatch } from '../../minimum-should-match.ts';
import { AllNode } from '../../node/clauses/match-all-node.ts';
import type { PlanNode } from '../../node/node.ts';
import {
  isObject,
  objectBody,
  readBooleanParameter,
  readParameters,
  readText,
  unsupportedValue,
} from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { Parser, QueryKind } from '../kind.ts';

interface BoolQuery extends Query {
  readonly kind: 'bool';
  readonly must: readonly Query[];
  readonly filter: readonly Query[];
  readonly should: readonly Query[];
  readonly mustNot: readonly Query[];
  readonly minimumShouldMatch: string | undefined;
  readonly adjustPureNegative: boolean;
}

function clauses(name: string, value: JsonValue, parser: Parser): Query[] {
  if (value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (!Array.isArray(value) && !isObject(value)) {
    throw unsupportedValue('bool', name, value);
  }
  return list.map((clause, i) => {
    try {
      return parser.query(clause);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (Array.isArray(value)) attachPlace(error, { holder: value, key: String(i), at: 'value' });
      const wrapper = contentError(`[bool] failed to parse field [${name}]`, error);
      const place = parserPlaceOf(error);
      throw place === undefined ? wrapper : attachPlace(wrapper, place);
    }
  });
}

const PARAMETERS: readonly string[] = [
  ...[
    'must',
    'filter',
    'should',
    'must_not',
    'minimum_should_match',
    'adjust_pure_negative',
    'boost',
    '_name',
  ],
];

export const bool: QueryKind<BoolQuery> = {
  name: 'bool',
  isNone({ must, filter, should }, planner) {
    const needed = [...must, ...filter];
    return needed.length === 0 && should.length > 0
      ? should.every((clause) => planner.isNone(clause))
      : needed.some((clause) => planner.isNone(clause));
  },
  parse(json, parser) {
    const lists = {
      must: [] as Query[],
      filter: [] as Query[],
      should: [] as Query[],
      mustNot: [] as Query[],
    };
    let minimumShouldMatch: string | undefined;
    let adjustPureNegative = true;
    const mustNot = (v: JsonValue): void => {
      lists.mustNot = clauses('must_not', v, parser);
    };
    const common = readParameters(
      'bool',
      objectBody('bool', json),
      {
        must: (v) => (lists.must = clauses('must', v, parser)),
        filter: (v) => (lists.filter = clauses('filter', v, parser)),
        should: (v) => (lists.should = clauses('should', v, parser)),
        must_not: mustNot,
        mustNot,
        minimum_should_match: (v) => {
          if (typeof v === 'object' && v !== null) throw unsupportedValue('bool', 'minimum_should_match', v);
          minimumShouldMatch = readText(v, 'bool', 'minimum_should_match');
        },
        adjust_pure_negative: (v) =>
          (adjustPureNegative = readBooleanParameter(v, 'bool', 'adjust_pure_negative')),
      },
      (parameter) => contentError(`[bool] unknown field [${parameter}]${didYouMean(parameter, PARAMETERS)}`),
    );
    return Object.freeze({ kind: 'bool', ...lists, minimumShouldMatch, adjustPureNegative, ...common });
  },
  plan(query, planner, boost) {
    planner.countClauses(
      query.must.length + query.filter.length + query.should.length + query.mustNot.length,
    );
    const must = query.must.map((clause) => planner.plan(clause, boost));
    const mustNot = query.mustNot.map((clause) => planner.filter(clause));
    const should = query.should.map((clause) => planner.plan(clause, boost));
    const filter: PlanNode[] = query.filter.map((clause) => planner.filter(clause));
    let spec = query.minimumShouldMatch;
    if (must.length + filter.length + should.length === 0) {
      if (mustNot.length === 0) return new AllNode(boost);
      if (query.adjustPureNegative) {
        // The peer makes the query anew, without its minimum.
        filter.push(new AllNode(0));
        spec = undefined;
      }
    }
    const least = spec === undefined ? 0 : minimumShouldMatch(should.length, spec);
    return planner.combine({ must, filter, should, mustNot, least });
  },
};
