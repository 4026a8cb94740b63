// Resolves `terms` queries that take their values from a document: the document is read once, before the
// search begins.

import { type Engine, EngineError, type JsonObject, type JsonValue, parseJson } from '@octavo/engine';
import { isObject } from '../../../json/json-body.ts';
import { resolveOne } from '../../resolve/resolve.ts';
import { valuesAt } from '../../source/stored-fields.ts';

/** The query with the values of all terms lookups in it. Returns the same object if there is none. */
export function resolveLookups(query: JsonObject, engine: Engine): JsonObject {
  return rewrite(query, engine) as JsonObject;
}

/** The aggregations with the values of all terms lookups in their queries. Returns the same object if there is none. */
export function resolveLookupsWithin(aggregations: JsonObject, engine: Engine): JsonObject {
  return rewriteMembers(aggregations, (definition) =>
    isObject(definition)
      ? rewriteMembers(definition, (body, type) => rewriteAggregation(body, type, engine))
      : definition,
  );
}

/** Members of aggregations that hold queries. */
const QUERIES: ReadonlySet<string> = new Set(['filters', 'background_filter']);

function rewriteAggregation(body: JsonValue, type: string, engine: Engine): JsonValue {
  if (!isObject(body)) return body;
  if (type === 'aggs' || type === 'aggregations') return resolveLookupsWithin(body, engine);
  if (type === 'filter') return rewrite(body, engine);
  return rewriteMembers(body, (each, name) => (QUERIES.has(name) ? rewrite(each, engine) : each));
}

/** The object with changed members; the same object if none changes. */
function rewriteMembers(
  object: JsonObject,
  change: (value: JsonValue, name: string) => JsonValue,
): JsonObject {
  let out: JsonObject | undefined;
  for (const [name, value] of Object.entries(object)) {
    const changed = change(value, name);
    if (changed === value) continue;
    out ??= copy(object);
    out[name] = changed;
  }
  return out ?? object;
}

function rewrite(value: JsonValue, engine: Engine): JsonValue {
  if (Array.isArray(value)) return rewriteList(value, engine);
  if (!isObject(value)) return value;
  return rewriteMembers(value, (each, key) =>
    key === 'terms' && isObject(each) ? rewriteTerms(each, engine) : rewrite(each, engine),
  );
}

function rewriteList(list: JsonValue[], engine: Engine): JsonValue[] {
  let out: JsonValue[] | undefined;
  list.forEach((each, i) => {
    const changed = rewrite(each, engine);
    if (changed === each) return;
    out ??= [...list];
    out[i] = changed;
  });
  return out ?? list;
}

function rewriteTerms(terms: JsonObject, engine: Engine): JsonObject {
  for (const [field, lookup] of Object.entries(terms)) {
    if (!isObject(lookup) || !('path' in lookup)) continue;
    const out = copy(terms);
    out[field] = lookUp(lookup, engine);
    return out;
  }
  return terms;
}

function lookUp(lookup: JsonObject, engine: Engine): JsonValue[] {
  for (const key of Object.keys(lookup)) {
    if (key === 'index' || key === 'id' || key === 'path' || key === 'routing' || key === 'store') continue;
    throw new EngineError(
      'parsing_exception',
      `[terms] query does not support [${key}] within lookup element`,
    );
  }
  const { index, id, path } = lookup;
  if (
    typeof index !== 'string' ||
    typeof path !== 'string' ||
    (typeof id !== 'string' && typeof id !== 'number')
  ) {
    throw new EngineError(
      'illegal_argument_exception',
      '[terms] query lookup element requires specifying the index, the id and the path',
    );
  }
  const doc = engine.get(resolveOne(engine, index).name, String(id), { realtime: false });
  return doc === undefined ? [] : valuesAt(parseJson(doc.source), path);
}

function copy(object: JsonObject): JsonObject {
  const out = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(object)) out[key] = value;
  return out;
}
