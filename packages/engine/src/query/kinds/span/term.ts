// span_term: the places of one term, which is not analysed.

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import { isStringField, plainString, termBytes, typeName, utf8 } from '../../field/field-value.ts';
import { isMeta } from '../../field/metadata.ts';
import { requirePositions, spansNode } from '../../field/span-node.ts';
import { termSpans } from '../../node/spans/simple-spans.ts';
import { isObject, missingFieldError, objectBody, readParameters, singleField } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';

const KIND = 'span_term';

interface SpanTermQuery extends Query {
  readonly kind: 'span_term';
  readonly field: string;
  readonly value: JsonValue;
}

export const spanTerm: QueryKind<SpanTermQuery> = {
  name: KIND,
  parse(json) {
    const body = objectBody(KIND, json);
    const field = singleField(KIND, body);
    if (field === undefined || field === '') throw missingFieldError();
    const inner = body[field]!;
    if (Array.isArray(inner)) {
      throw parsingError(`[${KIND}] query doesn't support multiple fields, found [${field}] and [null]`);
    }
    let value: JsonValue = isObject(inner) ? null : inner;
    const take = (v: JsonValue): void => {
      if (v !== null && typeof v === 'object') throw parsingError(`[${KIND}] [value] has to be one value`);
      value = v;
    };
    const common = readParameters(KIND, isObject(inner) ? inner : {}, { value: take, term: take });
    if (value === null) throw illegalArgument('value cannot be null');
    return Object.freeze({ kind: KIND, field, value, ...common });
  },
  plan({ field: name, value }, planner, boost) {
    if (isMeta(name)) throw illegalArgument(`Cannot extract a term from a query on [${name}]`);
    const field = planner.field(name);
    const path = field?.path ?? name;
    if (field !== undefined && !isStringField(field)) {
      throw illegalArgument(
        `Cannot extract a term from a query on [${path}] which is of type [${typeName(field)}]`,
      );
    }
    const bytes = field === undefined ? utf8(plainString(value)) : termBytes(field, value);
    requirePositions(planner, path, plainString(value));
    const source = termSpans(path, [bytes]);
    const text = `${path}:${plainString(value)}`;
    return spansNode(planner, { path, scoredPath: path, source, terms: [{ path, bytes }], text }, boost);
  },
};
