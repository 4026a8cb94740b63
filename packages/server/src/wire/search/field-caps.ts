// The `_field_caps` endpoints: the types of fields over several indices, and which operations they allow;
// where types differ, in which indices.

import {
  EngineError,
  type IndexInfo,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  plainText,
  startSliced,
} from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { Wildcards } from '../../patterns/wildcard.ts';
import { RESOLVE_PARAMS } from '../resolve/resolve.ts';
import { searchTarget } from '../resolve/target.ts';
import type { Call, Reply, ReplySteps, Route, Services } from '../router/route.ts';
import { fieldMapping, subFields } from '../source/stored-fields.ts';

/** Comparisons of a name with a pattern in one request: half a second. */
const MOST_COMPARISONS = 10_000_000;

const PARAMS = [...RESOLVE_PARAMS, 'fields', 'include_unmapped'];

/** The rows of this family. */
export const fieldCapsRoutes: readonly Route[] = ['/_field_caps', '/{index}/_field_caps'].map((path) => ({
  methods: ['GET', 'POST', 'QUERY'],
  path,
  params: PARAMS,
  handle: fieldCaps,
}));

/** One type of a field, over the indices that have it. */
interface Caps {
  readonly type: string;
  readonly searchable: string[];
  readonly notSearchable: string[];
  readonly aggregatable: string[];
  readonly notAggregatable: string[];
  readonly meta: Map<string, Set<string>>;
}

/** Fields of every index: whether queries and aggregations can use them. */
const METADATA: Readonly<Record<string, { readonly index: boolean; readonly doc_values: boolean }>> = {
  _id: { index: true, doc_values: true },
  _index: { index: true, doc_values: true },
  _routing: { index: true, doc_values: false },
  _seq_no: { index: true, doc_values: true },
  _source: { index: false, doc_values: false },
  _version: { index: false, doc_values: false },
  _ignored: { index: true, doc_values: false },
  _field_names: { index: true, doc_values: false },
  _nested_path: { index: true, doc_values: false },
  _feature: { index: false, doc_values: false },
  _data_stream_timestamp: { index: false, doc_values: false },
  _doc_count: { index: false, doc_values: false },
};

async function fieldCaps(call: Call, services: Services): Promise<Reply> {
  const body = call.object();
  for (const key of Object.keys(body)) {
    if (key === 'index_filter' || key === 'fields') continue;
    throw new EngineError('x_content_parse_exception', `[field_caps_request] unknown field [${key}]`);
  }
  const patterns = call.params.list('fields') ?? namesIn(body['fields']);
  if (patterns.length === 0) throw illegalArgument("specified fields can't be null or empty");
  const target = searchTarget(services.engine, call);
  const infos = await matchingIndices(services, target.infos, body['index_filter'], call.signal);
  return await startSliced(
    fieldCapsSteps(infos, new Wildcards(patterns), call.params.boolean('include_unmapped') === true),
  );
}

/** The reply about these indices. Yields after each field. Throws if there are too many patterns for so many fields. */
export function* fieldCapsSteps(
  infos: readonly IndexInfo[],
  patterns: Wildcards,
  includeUnmapped: boolean,
): ReplySteps {
  const fields = new Map<string, Map<string, Caps>>();
  let comparisons = 0;
  for (const info of infos) {
    const mapped = [...mappedFields(info.mappings)];
    comparisons += mapped.length * patterns.comparisons;
    if (comparisons > MOST_COMPARISONS)
      throw illegalArgument(
        `[fields] has [${patterns.comparisons}] patterns: comparing the fields of these indices with them takes more than [${MOST_COMPARISONS}] comparisons`,
      );
    const matches = yield* withObjects(mapped, patterns);
    for (const [name, mapping] of mapped) {
      if (!matches.has(name)) continue;
      add(fields, name, mapping, info.name);
      yield;
    }
  }
  const names = infos.map((info) => info.name);
  if (includeUnmapped) yield* addUnmapped(fields, names);
  const shownFields: ReplyObject = Object.create(null) as ReplyObject;
  for (const [name, types] of fields) {
    shownFields[name] = shown(types, names.length);
    yield;
  }
  return { body: { indices: names, fields: shownFields } };
}

/** The names that a pattern matches, and the objects that they lie in. */
function* withObjects(
  mapped: readonly (readonly [string, JsonObject])[],
  patterns: Wildcards,
): Generator<void, Set<string>, undefined> {
  const isObjectType = (mapping: JsonObject): boolean =>
    mapping['type'] === 'object' || mapping['type'] === 'nested';
  const objects = new Set(mapped.filter(([, mapping]) => isObjectType(mapping)).map(([name]) => name));
  const names = new Set<string>();
  for (const [name, mapping] of mapped) {
    yield;
    if (isObjectType(mapping) || !patterns.matches(name)) continue;
    names.add(name);
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1))
      if (objects.has(name.slice(0, dot))) names.add(name.slice(0, dot));
  }
  return names;
}

/** The names of a list, or one name, as Elasticsearch's client sends it. */
function namesIn(fields: JsonValue | undefined): string[] {
  if (Array.isArray(fields)) return fields.map(plainText);
  return typeof fields === 'string' ? [fields] : [];
}

/** The indices in which at least one document matches the filter. */
async function matchingIndices(
  { engine }: Services,
  infos: readonly IndexInfo[],
  filter: JsonValue | undefined,
  signal: AbortSignal,
): Promise<IndexInfo[]> {
  if (!isObject(filter)) return [...infos];
  const out: IndexInfo[] = [];
  for (const info of infos) {
    if ((await engine.count({ indices: [info.name], query: filter, signal })) > 0) out.push(info);
  }
  return out;
}

function* mappedFields(mappings: JsonObject): Generator<[string, JsonObject]> {
  for (const [name, uses] of Object.entries(METADATA)) {
    yield [name, { type: name === '_doc_count' ? 'long' : name, ...uses }];
  }
  yield* childrenOf(mappings, '', mappings);
}

function* childrenOf(
  node: JsonObject,
  prefix: string,
  mappings: JsonObject,
): Generator<[string, JsonObject]> {
  for (const children of [node['properties'], subFields(node)]) {
    if (!isObject(children)) continue;
    for (const [name, child] of Object.entries(children)) {
      if (!isObject(child)) continue;
      const type = typeof child['type'] === 'string' ? child['type'] : 'object';
      const aliased = type === 'alias' ? fieldMapping(mappings, plainText(child['path'])) : undefined;
      yield [prefix + name, aliased ?? { ...child, type }];
      yield* childrenOf(child, `${prefix}${name}.`, mappings);
    }
  }
}

const NO_COLUMN: ReadonlySet<string> = new Set([
  'text',
  'rank_feature',
  'rank_features',
  'completion',
  'match_only_text',
  'object',
  'nested',
  'binary',
]);
const UNSEARCHABLE: ReadonlySet<string> = new Set(['object', 'nested', 'rank_features']);

function add(fields: Map<string, Map<string, Caps>>, name: string, mapping: JsonObject, index: string): void {
  const type = plainText(mapping['type']);
  const types = fields.get(name) ?? new Map<string, Caps>();
  fields.set(name, types);
  const caps: Caps = types.get(type) ?? {
    type,
    searchable: [],
    notSearchable: [],
    aggregatable: [],
    notAggregatable: [],
    meta: new Map(),
  };
  types.set(type, caps);
  const searchable = mapping['index'] !== false && !UNSEARCHABLE.has(type);
  const aggregatable = mapping['doc_values'] !== false && !NO_COLUMN.has(type);
  (searchable ? caps.searchable : caps.notSearchable).push(index);
  (aggregatable ? caps.aggregatable : caps.notAggregatable).push(index);
  const { meta } = mapping;
  for (const [key, value] of isObject(meta) ? Object.entries(meta) : []) {
    const values = caps.meta.get(key) ?? new Set<string>();
    caps.meta.set(key, values.add(plainText(value)));
  }
}

function* addUnmapped(
  fields: Map<string, Map<string, Caps>>,
  names: readonly string[],
): Generator<void, void, undefined> {
  for (const types of fields.values()) {
    yield;
    const having = new Set(
      [...types.values()].flatMap((caps) => [...caps.searchable, ...caps.notSearchable]),
    );
    const missing = names.filter((name) => !having.has(name));
    if (missing.length === 0) continue;
    types.set('unmapped', {
      type: 'unmapped',
      searchable: [],
      notSearchable: missing,
      aggregatable: [],
      notAggregatable: missing,
      meta: new Map(),
    });
  }
}

function shown(types: ReadonlyMap<string, Caps>, indexCount: number): ReplyObject {
  const several = types.size > 1;
  const out: ReplyObject = {};
  for (const [type, caps] of types) {
    const indices = [...caps.searchable, ...caps.notSearchable].sort();
    const mixedSearch = caps.searchable.length > 0 && caps.notSearchable.length > 0;
    const mixedAggs = caps.aggregatable.length > 0 && caps.notAggregatable.length > 0;
    const meta = Object.fromEntries([...caps.meta].map(([key, values]) => [key, [...values].sort()]));
    out[type] = {
      type,
      searchable: caps.notSearchable.length === 0,
      aggregatable: caps.notAggregatable.length === 0,
      indices: several && indexCount > 0 ? indices : undefined,
      non_searchable_indices: mixedSearch ? caps.notSearchable : undefined,
      non_aggregatable_indices: mixedAggs ? caps.notAggregatable : undefined,
      meta: caps.meta.size > 0 ? meta : undefined,
    };
  }
  return out;
}
