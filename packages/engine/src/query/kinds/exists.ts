// exists: documents that have a value of the field.

import { parsingError } from '../errors.ts';
import { existsNode } from '../field/exists.ts';
import { objectBody, readParameters, readText } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface ExistsQuery extends Query {
  readonly kind: 'exists';
  readonly field: string;
}

export const exists: QueryKind<ExistsQuery> = {
  name: 'exists',
  parse(json) {
    let field = '';
    const common = readParameters('exists', objectBody('exists', json), {
      field: (v) => (field = readText(v, 'exists', 'field')),
    });
    if (field === '') throw parsingError('[exists] must be provided with a [field]');
    return Object.freeze({ kind: 'exists', field, ...common });
  },
  plan: (query, planner, boost) => existsNode(planner, query.field, boost),
};
