// ids: documents with the given ids.

import { parsingError } from '../errors.ts';
import { requireFewTerms } from '../limits.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { idsNode } from '../node/values/documents-node.ts';
import { isObject, jsonToken, objectBody, readParameters, unknownFieldError } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface IdsQuery extends Query {
  readonly kind: 'ids';
  readonly values: readonly string[];
}

export const ids: QueryKind<IdsQuery> = {
  name: 'ids',
  isNone: ({ values }) => values.length === 0,
  parse(json, parser) {
    let values: string[] = [];
    const common = readParameters(
      'ids',
      objectBody('ids', json),
      {
        values: (value) => {
          if (value === null || isObject(value)) {
            throw parsingError(`[ids] values doesn't support values of type: ${jsonToken(value)}`);
          }
          values = (Array.isArray(value) ? value : [value]).map((id) => {
            if (id === null || typeof id === 'object')
              throw parsingError('[ids] failed to parse field [values]');
            return String(id);
          });
        },
      },
      unknownFieldError('ids', ['values']),
    );
    requireFewTerms('Ids', values.length, parser.limits.maxTerms);
    return Object.freeze({ kind: 'ids', values: Object.freeze(values), ...common });
  },
  plan: (query, _planner, boost) => (query.values.length === 0 ? NONE : idsNode(query.values, boost)),
};
