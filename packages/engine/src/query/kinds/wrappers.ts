// nested and wrapper: queries around other queries. Nested objects are kept flat here, so that a nested query is its inner
// query; a wrapper carries its inner query as base64.

import { EngineError } from '../../errors.ts';
import { bytesOf } from '../../json/bytes.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { parsing } from '../errors.ts';
import { NONE } from '../node/all.ts';
import { booleanOf, isObject, objectBody, readParameters, textOf } from '../parameters.ts';
import type { Query, QueryKind } from '../query.ts';

interface NestedQuery extends Query {
  readonly kind: 'nested';
  readonly path: string;
  readonly query: Query;
  readonly ignoreUnmapped: boolean;
}

export const nested: QueryKind<NestedQuery> = {
  name: 'nested',
  parse(json, parser) {
    let path: string | undefined;
    let query: Query | undefined;
    let ignoreUnmapped = false;
    const common = readParameters('nested', objectBody('nested', json), {
      path: (v) => {
        path = textOf(v, 'nested', 'path');
      },
      query: (v) => {
        query = parser.query(v);
      },
      score_mode: (v) => void textOf(v, 'nested', 'score_mode'),
      ignore_unmapped: (v) => {
        ignoreUnmapped = booleanOf(v, 'nested', 'ignore_unmapped');
      },
      inner_hits: () => {
        throw parsing('[nested] query: [inner_hits] is not supported');
      },
    });
    if (path === undefined)
      throw new EngineError('illegal_argument_exception', "[nested] requires 'path' field");
    if (query === undefined)
      throw new EngineError('illegal_argument_exception', "[nested] requires 'query' field");
    return Object.freeze({ kind: 'nested', path, query, ignoreUnmapped, ...common });
  },
  plan(query, planner, boost) {
    if (planner.view.mapping.isObject(query.path)) return planner.plan(query.query, boost);
    if (query.ignoreUnmapped) return NONE;
    throw new EngineError(
      'illegal_argument_exception',
      `[nested] failed to find nested object under path [${query.path}]`,
    );
  },
};

/** A wrapper leaves no trace: it is the query inside it. */
export const wrapper: QueryKind<Query> = {
  name: 'wrapper',
  parse(json, parser) {
    const body: JsonObject = objectBody('wrapper', json);
    const text = body['query'];
    if (Object.keys(body).length !== 1 || typeof text !== 'string') {
      throw parsing('[wrapper] query malformed, expected `query` but was something else');
    }
    const bytes = Buffer.from(text, 'base64');
    let inner: JsonValue;
    try {
      inner = parseJson(bytesOf(bytes.toString('utf8')));
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw parsing('[wrapper] query does not hold JSON');
    }
    if (!isObject(inner)) throw parsing('[_na] query malformed, must start with start_object');
    return parser.query(inner);
  },
  plan: () => NONE,
};
