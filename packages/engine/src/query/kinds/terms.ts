// terms: documents whose field has any of these values. Every match scores the same. Lookups in other
// documents are not supported.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsingError, unknownParameter } from '../errors.ts';
import { termsNode } from '../field/term.ts';
import { requireFewTerms } from '../limits.ts';
import { NONE } from '../node/clauses/match-all-node.ts';
import { isObject, objectBody, readBoost, readText } from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface TermsQuery extends Query {
  readonly kind: 'terms';
  readonly field: string;
  readonly values: readonly JsonValue[];
}

export const terms: QueryKind<TermsQuery> = {
  name: 'terms',
  aliases: ['in'],
  isNone: ({ field, values }, planner) => values.length === 0 || planner.isUnmapped(field),
  parse(json, parser) {
    const body = objectBody('terms', json);
    let field: string | undefined;
    let values: readonly JsonValue[] = [];
    let boost = 1;
    let name: string | undefined;
    for (const [key, value] of Object.entries(body)) {
      if (Array.isArray(value) || isObject(value)) {
        if (field !== undefined) throw parsingError('[terms] query does not support multiple fields');
        field = key;
        if (isObject(value)) throw lookupError(key);
        values = value;
      } else if (key === 'boost') boost = readBoost('terms', value);
      else if (key === '_name') name = readText(value, 'terms', key);
      else if (key !== 'value_type') throw unknownParameter('terms', key);
    }
    if (field === undefined) {
      throw parsingError(
        '[terms] query requires a field name, followed by array of terms or a document lookup specification',
      );
    }
    for (const value of values) {
      if (value === null) throw parsingError('No value specified for terms query');
      if (typeof value === 'object') {
        const token = Array.isArray(value) ? 'END_ARRAY' : 'END_OBJECT';
        throw parsingError(`[terms] unknown token [${token}] after [${field}]`);
      }
    }
    requireFewTerms('Terms', values.length, parser.limits.maxTerms);
    return Object.freeze({ kind: 'terms', field, values: Object.freeze([...values]), boost, name });
  },
  plan: (query, planner, boost) =>
    query.values.length === 0 ? NONE : termsNode(planner, query.field, query.values, boost),
};

function lookupError(field: string): Error {
  return illegalArgument(
    `[terms] query on [${field}]: looking up terms in another document is not supported`,
  );
}
