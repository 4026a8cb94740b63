// Compound queries beside `bool`: constant_score gives the matches of a filter one score, dis_max counts the
// best of several queries, boosting lowers the score of what a second query matches.

import type { JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import { BoostingNode } from '../../node/clauses/boosting-node.ts';
import { constantNode } from '../../node/clauses/constant-score-node.ts';
import { isObject, objectBody, readNumber, readParameters } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';

interface ConstantScoreQuery extends Query {
  readonly kind: 'constant_score';
  readonly filter: Query;
}

export const constantScore: QueryKind<ConstantScoreQuery> = {
  name: 'constant_score',
  isNone: ({ filter }, planner) => planner.isNone(filter),
  parse(json, parser) {
    let filter: Query | undefined;
    const common = readParameters('constant_score', objectBody('constant_score', json), {
      filter: (v) => {
        if (Array.isArray(v)) throw parsingError('unexpected token [START_ARRAY]');
        if (!isObject(v)) throw parsingError('[constant_score] query does not support [filter]');
        filter = parser.query(v);
      },
    });
    if (filter === undefined) throw parsingError("[constant_score] requires a 'filter' element");
    return Object.freeze({ kind: 'constant_score', filter, ...common });
  },
  plan: (query, planner, boost) => constantNode(planner.filter(query.filter), boost),
};

interface DisMaxQuery extends Query {
  readonly kind: 'dis_max';
  readonly queries: readonly Query[];
  readonly tieBreaker: number;
}

export const disMax: QueryKind<DisMaxQuery> = {
  name: 'dis_max',
  parse(json, parser) {
    let queries: Query[] | undefined;
    let tieBreaker = 0;
    const common = readParameters('dis_max', objectBody('dis_max', json), {
      queries: (v) => {
        const list: JsonValue[] = Array.isArray(v) ? v : [v];
        if (list.length === 0) throw parsingError('[_na] query malformed, must start with start_object');
        queries = list.map((each) => parser.query(each));
      },
      tie_breaker: (v) => (tieBreaker = readNumber(v, 'dis_max', 'tie_breaker')),
    });
    if (queries === undefined) {
      throw parsingError("[dis_max] requires 'queries' field with at least one clause");
    }
    return Object.freeze({ kind: 'dis_max', queries, tieBreaker, ...common });
  },
  plan(query, planner, boost) {
    planner.countClauses(query.queries.length);
    const nodes = query.queries.map((each) => planner.plan(each, boost));
    return planner.disMax(nodes, query.tieBreaker);
  },
};

interface BoostingQuery extends Query {
  readonly kind: 'boosting';
  readonly positive: Query;
  readonly negative: Query;
  readonly negativeBoost: number;
}

export const boosting: QueryKind<BoostingQuery> = {
  name: 'boosting',
  isNone: ({ positive }, planner) => planner.isNone(positive),
  parse(json, parser) {
    let positive: Query | undefined;
    let negative: Query | undefined;
    let negativeBoost = -1;
    const clause = (v: JsonValue, parameter: string): Query => {
      if (!isObject(v)) throw parsingError(`[boosting] query does not support [${parameter}]`);
      return parser.query(v);
    };
    const common = readParameters('boosting', objectBody('boosting', json), {
      positive: (v) => (positive = clause(v, 'positive')),
      negative: (v) => (negative = clause(v, 'negative')),
      negative_boost: (v) => (negativeBoost = readNumber(v, 'boosting', 'negative_boost')),
    });
    if (positive === undefined) throw parsingError("[boosting] query requires 'positive' query to be set'");
    if (negative === undefined) throw parsingError("[boosting] query requires 'negative' query to be set'");
    if (negativeBoost < 0) {
      throw parsingError("[boosting] query requires 'negative_boost' to be set to be a positive value'");
    }
    return Object.freeze({ kind: 'boosting', positive, negative, negativeBoost, ...common });
  },
  plan(query, planner, boost) {
    const positive = planner.plan(query.positive, 1);
    const negative = planner.filter(query.negative);
    return planner.scores && (boost !== 1 || !negative.matchesNone)
      ? new BoostingNode(positive, negative, query.negativeBoost, boost)
      : positive;
  },
};
