// wrapper: a query that carries another one as base64.

import { EngineError } from '../../../errors.ts';
import { bytesOf } from '../../../json/bytes.ts';
import { parseJson } from '../../../json/parse.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { parsingError } from '../../errors.ts';
import { NONE } from '../../node/clauses/match-all-node.ts';
import { isObject, objectBody } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { QueryKind } from '../kind.ts';

/** Parses to the query inside it, so that nothing is left to plan. */
export const wrapper: QueryKind<Query> = {
  name: 'wrapper',
  parse(json, parser) {
    const body: JsonObject = objectBody('wrapper', json);
    const text = body['query'];
    if (Object.keys(body).length !== 1 || typeof text !== 'string') {
      throw parsingError('[wrapper] query malformed, expected `query` but was something else');
    }
    const bytes = Buffer.from(text, 'base64');
    let inner: JsonValue;
    try {
      inner = parseJson(bytesOf(bytes.toString('utf8')));
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw parsingError('[wrapper] query does not contain valid JSON');
    }
    if (!isObject(inner)) throw parsingError('[_na] query malformed, must start with start_object');
    return parser.query(inner);
  },
  plan: () => NONE,
};
