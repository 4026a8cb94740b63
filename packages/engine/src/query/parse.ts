// Parses the JSON of a query. Each object holds one kind, and each kind parses its own body (kinds/).

import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { attachPlace } from '../place.ts';
import { didYouMean } from './did-you-mean.ts';
import { parsingError } from './errors.ts';
import type { Parser, QueryKind } from './kinds/kind.ts';
import { QUERY_KINDS } from './kinds/registry.ts';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from './limits.ts';
import { isObject, jsonToken } from './parameters.ts';
import type { Query } from './query.ts';
import { UNSUPPORTED_QUERIES } from './unsupported.ts';

class QueryParser implements Parser {
  readonly limits: QueryLimits;
  #depth = 0;

  constructor(limits: QueryLimits) {
    this.limits = limits;
  }

  query(json: JsonValue): Query {
    if (!isObject(json)) throw parsingError('[_na] query malformed, must start with start_object');
    const keys = Object.keys(json);
    const name = keys[0];
    if (name === undefined)
      throw attachPlace(illegalArgument('query malformed, empty clause found'), { holder: json, at: 'end' });
    const body = json[name]!;
    if (!isObject(body)) {
      const error = parsingError(`[${name}] query malformed, no start_object after query name`);
      throw attachPlace(error, { holder: json, key: name, at: 'value' });
    }
    const kind = QUERY_KINDS.get(name);
    if (kind === undefined) throw unknownQuery(name, json);
    if (++this.#depth > this.limits.maxDepth) {
      throw illegalArgument(
        `The nested depth of the query exceeds the maximum nested depth for queries, ${this.limits.maxDepth}, set in [indices.query.bool.max_nested_depth]`,
      );
    }
    const query = this.#body(kind, body);
    this.#depth--;
    if (keys.length > 1) {
      const error = parsingError(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
      throw attachPlace(error, { holder: json, key: keys[1]!, at: 'key' });
    }
    return query;
  }

  /** Parses a body. Errors without a location, such as a missing parameter, point to its end. */
  #body(kind: QueryKind, body: JsonObject): Query {
    try {
      return kind.parse(body, this);
    } catch (error) {
      throw error instanceof EngineError ? attachPlace(error, { holder: body, at: 'end' }) : error;
    }
  }
}

function unknownQuery(name: string, json: JsonObject): EngineError {
  const place = { holder: json, key: name, at: 'value' } as const;
  const why = UNSUPPORTED_QUERIES.get(name);
  if (why !== undefined) return attachPlace(parsingError(`[${name}] query is not supported: ${why}`), place);
  const suggestion = didYouMean(name, [...QUERY_KINDS.keys(), ...UNSUPPORTED_QUERIES.keys()]);
  const causedBy = attachPlace(
    new EngineError('named_object_not_found_exception', `unknown field [${name}]`),
    place,
  );
  return attachPlace(
    new EngineError('parsing_exception', `unknown query [${name}]${suggestion}`, { causedBy }),
    place,
  );
}

/**
 * Parses the value of a `query` element. Throws parsing_exception and what else the peer does; 4xx always.
 */
export function parseQuery(json: JsonObject, limits: QueryLimits = DEFAULT_QUERY_LIMITS): Query {
  if (!isObject(json)) throw parsingError(`Unknown key for a ${jsonToken(json)} in [query].`);
  return new QueryParser(limits).query(json);
}
