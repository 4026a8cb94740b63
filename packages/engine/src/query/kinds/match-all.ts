// match_all and match_none: every document, or none.

import { AllNode, NONE } from '../node/clauses/match-all-node.ts';
import { objectBody, readParameters, unknownFieldError, wrapErrors } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface AllQuery extends Query {
  readonly kind: 'match_all';
}

export const matchAll: QueryKind<AllQuery> = {
  name: 'match_all',
  parse(body) {
    const common = readParameters(
      'match_all',
      objectBody('match_all', body),
      wrapErrors('match_all', {}),
      unknownFieldError('match_all'),
    );
    return Object.freeze({ kind: 'match_all', ...common });
  },
  plan: (_query, _planner, boost) => new AllNode(boost),
};

interface NoneQuery extends Query {
  readonly kind: 'match_none';
}

export const matchNone: QueryKind<NoneQuery> = {
  name: 'match_none',
  isNone: () => true,
  parse(body) {
    const common = readParameters(
      'match_none',
      objectBody('match_none', body),
      wrapErrors('match_none', {}),
      unknownFieldError('match_none'),
    );
    return Object.freeze({ kind: 'match_none', ...common });
  },
  plan: () => NONE,
};
