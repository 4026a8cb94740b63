// exists: documents that have a value of the field.

import { illegalArgument } from '../../errors.ts';
import { parsingError } from '../errors.ts';
import { existsNode, isNowhere } from '../field/exists.ts';
import { simpleMatch } from '../field/metadata.ts';
import { objectBody, readParameters, readText } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface ExistsQuery extends Query {
  readonly kind: 'exists';
  readonly field: string;
}

export const exists: QueryKind<ExistsQuery> = {
  name: 'exists',
  isNone: ({ field }, planner) => isNowhere(planner, field),
  parse(json) {
    let field = '';
    const common = readParameters('exists', objectBody('exists', json), {
      field: (v) => (field = readText(v, 'exists', 'field')),
    });
    if (field === '') throw parsingError('[exists] must be provided with a [field]');
    return Object.freeze({ kind: 'exists', field, ...common });
  },
  plan({ field }, planner, boost) {
    // Patterns match two fields of the peer that have no such query: those of nested objects and of features.
    if (field.includes('*') && (simpleMatch(field, '_nested_path') || simpleMatch(field, '_feature')))
      throw illegalArgument('Cannot run exists() query against the nested field path');
    return existsNode(planner, field, boost);
  },
};
