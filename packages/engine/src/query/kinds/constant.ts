// constant_score: the matches of a filter, all with the same score.

import { parsing } from '../errors.ts';
import { constantNode } from '../node/clauses/constant-score-node.ts';
import { isObject, objectBody, readParameters } from '../parameters.ts';
import type { Query, QueryKind } from '../query.ts';

interface ConstantScoreQuery extends Query {
  readonly kind: 'constant_score';
  readonly filter: Query;
}

export const constantScore: QueryKind<ConstantScoreQuery> = {
  name: 'constant_score',
  parse(json, parser) {
    let filter: Query | undefined;
    const common = readParameters('constant_score', objectBody('constant_score', json), {
      filter: (v) => {
        if (Array.isArray(v)) throw parsing('unexpected token [START_ARRAY]');
        if (!isObject(v)) throw parsing('[constant_score] query does not support [filter]');
        filter = parser.query(v);
      },
    });
    if (filter === undefined) throw parsing("[constant_score] requires a 'filter' element");
    return Object.freeze({ kind: 'constant_score', filter, ...common });
  },
  plan: (query, planner, boost) => constantNode(planner.filter(query.filter), boost),
};
