// term: documents whose field has exactly this value. `{"term": {"user": "kim"}}` or `{"term": {"user":
// {"value": "kim"}}}`.

import { illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { parsingError } from '../errors.ts';
import { termNode } from '../field/term.ts';
import {
  isObject,
  missingFieldError,
  objectBody,
  readBooleanParameter,
  readParameters,
  singleField,
} from '../parameters.ts';
import type { Query } from '../query.ts';
import type { QueryKind } from './kind.ts';

interface TermQuery extends Query {
  readonly kind: 'term';
  readonly field: string;
  readonly value: JsonValue;
  readonly insensitive: boolean;
}

export const term: QueryKind<TermQuery> = {
  name: 'term',
  isNone: ({ field }, planner) => planner.isUnmapped(field),
  parse(json) {
    const body = objectBody('term', json);
    const field = singleField('term', body);
    if (field === undefined || field === '' || body[field] === null) throw missingFieldError();
    const inner = body[field]!;
    if (Array.isArray(inner)) throw parsingError('[term] query does not support array of values');
    if (!isObject(inner)) {
      return Object.freeze({
        kind: 'term',
        field,
        value: inner,
        insensitive: false,
        boost: 1,
        name: undefined,
      });
    }
    let value: JsonValue = null;
    let insensitive = false;
    const common = readParameters('term', inner, {
      value: (v) => (value = v),
      term: (v) => (value = v),
      case_insensitive: (v) => (insensitive = readBooleanParameter(v, 'term', 'case_insensitive')),
    });
    if (value === null) throw illegalArgument('value cannot be null');
    if (isObject(value)) {
      throw parsingError(`[term] query does not support [${Object.keys(value as object)[0] ?? 'value'}]`);
    }
    return Object.freeze({ kind: 'term', field, value, insensitive, ...common });
  },
  plan: (query, planner, boost) => termNode(planner, query.field, query.value, boost, query.insensitive),
};
