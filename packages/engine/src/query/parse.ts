// What does the JSON of a query say? One kind per object; each kind parses its own body (kinds/).

import { EngineError, illegalArgument } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { parsing } from './errors.ts';
import { KINDS } from './kinds/registry.ts';
import { UNSUPPORTED } from './kinds/unsupported.ts';
import { DEFAULT_LIMITS, type QueryLimits } from './limits.ts';
import { meant } from './meant.ts';
import { isObject, tokenOf } from './parameters.ts';
import type { Parser, Query } from './query.ts';

class QueryParser implements Parser {
  readonly limits: QueryLimits;
  #depth = 0;

  constructor(limits: QueryLimits) {
    this.limits = limits;
  }

  query(json: JsonValue): Query {
    if (!isObject(json)) throw parsing('[_na] query malformed, must start with start_object');
    const keys = Object.keys(json);
    const name = keys[0];
    if (name === undefined) throw illegalArgument('query malformed, empty clause found');
    const kind = KINDS.get(name);
    if (kind === undefined) throw unknownQuery(name);
    const body = json[name]!;
    if (!isObject(body)) throw parsing(`[${name}] query malformed, no start_object after query name`);
    if (++this.#depth > this.limits.maxDepth) {
      throw illegalArgument(
        `The nested depth of the query exceeds the maximum nested depth for queries, ${this.limits.maxDepth}, set in [indices.query.bool.max_nested_depth]`,
      );
    }
    const query = kind.parse(body, this);
    this.#depth--;
    if (keys.length > 1) {
      throw parsing(`[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
    }
    return query;
  }
}

function unknownQuery(name: string): EngineError {
  const why = UNSUPPORTED.get(name);
  if (why !== undefined) return parsing(`[${name}] query is not supported: ${why}`);
  const suggestion = meant(name, [...KINDS.keys(), ...UNSUPPORTED.keys()]);
  const causedBy = new EngineError('named_object_not_found_exception', `unknown field [${name}]`);
  return new EngineError('parsing_exception', `unknown query [${name}]${suggestion}`, { causedBy });
}

/** Parses the value of a `query` element. Throws parsing_exception and what else the peer does; 4xx always. */
export function parseQuery(json: JsonObject, limits: QueryLimits = DEFAULT_LIMITS): Query {
  if (!isObject(json)) throw parsing(`Unknown key for a ${tokenOf(json)} in [query].`);
  return new QueryParser(limits).query(json);
}
