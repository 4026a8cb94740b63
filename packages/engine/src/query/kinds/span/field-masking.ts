// field_masking_span: the spans of a query under the name of another field, so that clauses on several fields
// can be combined.

import { parsingError } from '../../errors.ts';
import { spansNode } from '../../field/span-node.ts';
import { isObject, objectBody, readParameters, readText } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';
import { planClause, readClause } from './span-query.ts';

/** The name in errors, which is the peer's other name of the query. */
const KIND = 'span_field_masking';

interface FieldMaskingQuery extends Query {
  readonly kind: 'field_masking_span';
  readonly query: Query;
  readonly field: string;
}

export const fieldMaskingSpan: QueryKind<FieldMaskingQuery> = {
  name: 'field_masking_span',
  aliases: [KIND],
  parse(json, parser) {
    let query: Query | undefined;
    let field: string | undefined;
    const common = readParameters(KIND, objectBody(KIND, json), {
      query: (v) => {
        if (!isObject(v)) throw parsingError(`[${KIND}] query does not support [query]`);
        query = readClause(v, parser, `[${KIND}] query`);
      },
      field: (v) => (field = readText(v, KIND, 'field')),
    });
    if (query === undefined) throw parsingError(`${KIND} must have [query] span query clause`);
    if (field === undefined) throw parsingError(`${KIND} must have [field] set for it`);
    return Object.freeze({ kind: 'field_masking_span', query, field, ...common });
  },
  plan({ query, field }, planner, boost) {
    const inner = planClause(planner, query);
    const path = planner.field(field)?.path ?? field;
    return spansNode(planner, { ...inner, path, text: `mask(${inner.text}) as ${path}` }, boost);
  },
};
