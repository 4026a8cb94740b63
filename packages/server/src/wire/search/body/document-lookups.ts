// Resolves what queries take from documents: the values of `terms` queries, and the documents that others are to be
// like. Each is read once, before the search begins.

import {
  type Engine,
  EngineError,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  plainText,
} from '@octavo/engine';
import { resolveOne } from '../../resolve/resolve.ts';
import { valuesAt } from '../../source/stored-fields.ts';

/** Where documents are looked up. */
export interface LookupSource {
  readonly engine: Engine;
  /** The indices that are searched: documents without an index are looked up in the first. */
  readonly indices: readonly string[];
}

/** The query with what all its lookups have found. Returns the same object if there is none. */
export function resolveLookups(query: JsonObject, source: LookupSource): JsonObject {
  return rewrite(query, source) as JsonObject;
}

/** The aggregations with the values of all terms lookups in their queries. Returns the same object if there is none. */
export function resolveLookupsWithin(aggregations: JsonObject, source: LookupSource): JsonObject {
  return rewriteMembers(aggregations, (definition) =>
    isObject(definition)
      ? rewriteMembers(definition, (body, type) => rewriteAggregation(body, type, source))
      : definition,
  );
}

/** Members of aggregations that hold queries. */
const QUERIES: ReadonlySet<string> = new Set(['filters', 'background_filter']);

function rewriteAggregation(body: JsonValue, type: string, source: LookupSource): JsonValue {
  if (!isObject(body)) return body;
  if (type === 'aggs' || type === 'aggregations') return resolveLookupsWithin(body, source);
  if (type === 'filter') return rewrite(body, source);
  return rewriteMembers(body, (each, name) => (QUERIES.has(name) ? rewrite(each, source) : each));
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

function rewrite(value: JsonValue, source: LookupSource): JsonValue {
  if (Array.isArray(value)) return rewriteList(value, source);
  if (!isObject(value)) return value;
  const like = value['more_like_this'] ?? value['mlt'];
  if (isObject(like)) return rewriteLike(like, source);
  return rewriteMembers(value, (each, key) =>
    key === 'terms' && isObject(each) ? rewriteTerms(each, source) : rewrite(each, source),
  );
}

function rewriteList(list: JsonValue[], source: LookupSource): JsonValue[] {
  let out: JsonValue[] | undefined;
  list.forEach((each, i) => {
    const changed = rewrite(each, source);
    if (changed === each) return;
    out ??= [...list];
    out[i] = changed;
  });
  return out ?? list;
}

function rewriteTerms(terms: JsonObject, { engine }: LookupSource): JsonObject {
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

/** more_like_this with the sources of its documents, which are not among the hits unless they are included. */
function rewriteLike(query: JsonObject, source: LookupSource): JsonObject {
  const excluded: JsonObject[] = [];
  const own = rewriteMembers(query, (value, name) => {
    if (name !== 'like' && name !== 'unlike') return value;
    const list: readonly JsonValue[] = Array.isArray(value) ? value : [value];
    return list.map((each) =>
      isObject(each) ? documentLike(each, source, name === 'like' ? excluded : []) : each,
    );
  });
  const like: JsonObject = { more_like_this: own };
  if (excluded.length === 0 || query['include'] === true || query['include'] === 'true') return like;
  return { bool: { must: [like], must_not: excluded } };
}

const LIKE_MEMBERS: ReadonlySet<string> = new Set(['_index', '_id', '_routing', 'routing', 'doc', 'fields']);

/** A document as `{doc: source}`. One that is not there has no words. */
function documentLike(
  item: JsonObject,
  { engine, indices }: LookupSource,
  excluded: JsonObject[],
): JsonObject {
  for (const name of Object.keys(item)) {
    if (!LIKE_MEMBERS.has(name))
      throw new EngineError(
        'parsing_exception',
        `failed to parse More Like This item. unknown field [${name}]`,
      );
  }
  const { _index: index, _id: id, doc } = item;
  if (isObject(doc)) return { doc };
  if (id === undefined || id === null)
    throw new EngineError(
      'parse_exception',
      'failed to parse More Like This item. either [id] or [doc] can be specified, but not both!',
    );
  const name = index === undefined ? indices[0] : resolveOne(engine, plainText(index)).name;
  if (name === undefined) return { doc: {} };
  excluded.push({ bool: { filter: [{ ids: { values: [plainText(id)] } }, { term: { _index: name } }] } });
  const found = engine.get(name, plainText(id), { realtime: false });
  const source = found === undefined ? {} : parseJson(found.source);
  return { doc: isObject(source) ? source : {} };
}

function copy(object: JsonObject): JsonObject {
  const out = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(object)) out[key] = value;
  return out;
}
