// Reads the members of a search body, by one reader for each. A member that is unknown, or not supported, is
// an error that names it.

import {
  attachPlace,
  EngineError,
  flagMember,
  illegalArgument,
  integerMember,
  isObject,
  type JsonObject,
  type JsonValue,
  numberMember,
  plainText,
  readHighlight,
  unknownField,
  unknownKey,
} from '@octavo/engine';
import { firstTokenName } from '../../../json/json-body.ts';
import { parseSourceFilter } from '../../source/source-filter.ts';
import { readRescore } from './rescore.ts';
import { millisMember, tokenMember, wholeMember } from './scalar-members.ts';
import { readScriptFields } from './script-fields.ts';
import {
  emptySpec,
  type FieldRequest,
  type InnerSpec,
  type PitSpec,
  type SearchSpec,
} from './search-spec.ts';
import { sliceMember } from './slice.ts';

type Reader = (spec: SearchSpec, value: JsonValue, name: string) => void;

/** Members of the peers that this server does not support. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'knn',
  'runtime_mappings',
  'derived',
  'search_pipeline',
  'retriever',
  'rank',
  'sub_searches',
]);

/** Of these, members that ask for nothing where they are empty objects. */
const EMPTY_ALLOWED: ReadonlySet<string> = new Set(['aggs', 'aggregations', 'derived']);

/** Hits of each group where `inner_hits` gives no `size`. */
export const INNER_SIZE = 3;

function nextTokenMember(spec: SearchSpec, value: JsonValue, name: string): void {
  spec.nextToken = tokenMember(name, textMember(name, value));
}

function prevTokenMember(spec: SearchSpec, value: JsonValue, name: string): void {
  spec.prevToken = tokenMember(name, textMember(name, value));
}

function readAggregations(spec: SearchSpec, value: JsonValue, name: string): void {
  const aggregations = objectMember(name, value);
  spec.aggregations = Object.keys(aggregations).length === 0 ? undefined : aggregations;
}

const READERS: Readonly<Record<string, Reader>> = {
  query: (spec, value, name) => {
    spec.query = objectMember(name, value);
  },
  post_filter: (spec, value, name) => {
    spec.postFilter = objectMember(name, value);
  },
  from: (spec, value, name) => {
    refuseBoolean(name, value);
    spec.from = integerMember(name, value);
  },
  size: (spec, value, name) => {
    spec.size = intMember(name, value);
  },
  sort: (spec, value, name) => {
    spec.sort = sortMember(name, value);
  },
  search_after: (spec, value, name) => {
    spec.searchAfter = searchAfterMember(name, value);
  },
  track_scores: (spec, value, name) => {
    spec.trackScores = flagMember(name, value);
  },
  track_total_hits: (spec, value, name) => {
    spec.trackTotalHits = totalHitsMember(name, value);
  },
  min_score: (spec, value, name) => {
    spec.minScore = numberMember(name, value);
  },
  terminate_after: (spec, value, name) => {
    spec.terminateAfter = intMember(name, value);
  },
  timeout: (spec, value, name) => {
    spec.timeoutMs = millisMember(name, value);
  },
  _source: (spec, value) => {
    spec.source = parseSourceFilter(value);
  },
  version: (spec, value, name) => {
    spec.version = flagMember(name, value);
  },
  seq_no_primary_term: (spec, value, name) => {
    spec.seqNoPrimaryTerm = flagMember(name, value);
  },
  explain: (spec, value, name) => {
    spec.explain = flagMember(name, value);
  },
  include_named_queries_score: (_spec, value, name) => {
    // Only the parameter of the URL changes what the peer prints.
    void flagMember(name, value);
  },
  stored_fields: (spec, value, name) => {
    spec.storedFields = namesMember(name, value);
  },
  docvalue_fields: (spec, value, name) => {
    spec.docvalueFields = fieldsMember(name, value);
  },
  fields: (spec, value, name) => {
    spec.fields = fieldsMember(name, value);
  },
  collapse: (spec, value, name) => {
    const { field, inner } = readCollapse(objectMember(name, value));
    spec.collapse = field;
    spec.innerHits = inner;
  },
  highlight: (spec, value, name) => {
    spec.highlight = readHighlight(objectMember(name, value));
  },
  script_fields: (spec, value, name) => {
    spec.scriptFields = readScriptFields(objectMember(name, value));
  },
  rescore: (spec, value) => {
    spec.rescore = readRescore(value);
  },
  aggs: readAggregations,
  aggregations: readAggregations,
  suggest: (spec, value, name) => {
    spec.suggest = objectMember(name, value);
  },
  indices_boost: (spec, value, name) => {
    spec.indicesBoost = boostMember(name, value);
  },
  pit: (spec, value, name) => {
    spec.pit = pitMember(name, value);
  },
  slice: (spec, value, name) => {
    spec.slice = sliceMember(name, value);
  },
  page: (spec, value, name) => {
    spec.page = wholeMember(name, value);
  },
  tokens: (spec, value, name) => {
    spec.tokens = flagMember(name, value);
  },
  next_token: nextTokenMember,
  nextToken: nextTokenMember,
  prev_token: prevTokenMember,
  prevToken: prevTokenMember,
  as_of: (spec, value, name) => {
    spec.asOf = integerMember(name, value);
  },
  profile: (spec, value, name) => {
    spec.profile = flagMember(name, value);
  },
  // Groups of the peer's statistics, and a place for its plug-ins: both without effect here.
  stats: () => undefined,
  ext: () => undefined,
};

/** Reads a search body. */
export function readSearchBody(body: JsonObject): SearchSpec {
  const spec = emptySpec();
  for (const name of Object.keys(body)) readSearchMember(spec, body, name);
  return spec;
}

/** Reads one member of a body into the spec. Throws for unknown members and for values of another type. */
export function readSearchMember(spec: SearchSpec, body: JsonObject, name: string): void {
  const value = body[name]!;
  try {
    if (Object.hasOwn(READERS, name)) READERS[name]!(spec, value, name);
    else if (EMPTY_ALLOWED.has(name) && isObject(value) && Object.keys(value).length === 0) return;
    else if (UNSUPPORTED.has(name)) throw notSupported(name);
    else throw unknownKey(name, value);
  } catch (error) {
    throw error instanceof EngineError ? attachPlace(error, { holder: body, key: name, at: 'value' }) : error;
  }
}

/** The error for a feature of the peers that this server does not support. */
function notSupported(name: string): EngineError {
  return illegalArgument(`[${name}] is not supported by this server`);
}

function objectMember(name: string, value: JsonValue): JsonObject {
  if (isObject(value)) return value;
  throw unknownKey(name, value);
}

function textMember(name: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  throw unknownKey(name, value);
}

function sortMember(name: string, value: JsonValue): JsonValue {
  if (value === null) throw unknownKey(name, value);
  for (const each of Array.isArray(value) ? value : []) {
    if (typeof each === 'string' || isObject(each)) continue;
    throw illegalArgument(
      'malformed sort format, within the sort array, an object, or an actual string are allowed',
    );
  }
  return value;
}

function searchAfterMember(name: string, value: JsonValue): JsonValue[] {
  if (!Array.isArray(value)) throw unknownKey(name, value);
  if (value.length === 0) throw illegalArgument('Values must contains at least one value.');
  for (const each of value) {
    if (typeof each !== 'object' || each === null) continue;
    throw new EngineError(
      'parsing_exception',
      'Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found ' +
        `[${firstTokenName(each)}] inside search_after.`,
    );
  }
  return value;
}

const MAX_INT = 2_147_483_647;

function refuseBoolean(name: string, value: JsonValue): void {
  if (typeof value === 'boolean')
    throw new EngineError(
      'json_parse_exception',
      `Current token (VALUE_${String(value).toUpperCase()}) not numeric, can not use numeric value accessors in [${name}]`,
    );
}

/** An integer of 32 bits, or its text. */
function intMember(name: string, value: JsonValue): number {
  refuseBoolean(name, value);
  const number = typeof value === 'bigint' ? Number(value) : integerMember(name, value);
  if (number >= -MAX_INT - 1 && number <= MAX_INT) return number;
  throw new EngineError(
    'input_coercion_exception',
    `Numeric value (${plainText(value)}) out of range of int (${-MAX_INT - 1} - ${MAX_INT})`,
  );
}

function totalHitsMember(name: string, value: JsonValue): boolean | number {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return totalHitsCap(intMember(name, value));
}

/** The cap of `track_total_hits`; -1 stands for false. */
export function totalHitsCap(value: number): boolean | number {
  if (value === -1) return false;
  if (value < -1)
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${value}`);
  return value;
}

function namesMember(name: string, value: JsonValue): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((each) => textMember(name, each));
}

function fieldsMember(name: string, value: JsonValue): FieldRequest[] {
  if (!Array.isArray(value)) throw unknownKey(name, value);
  return value.map((each) => {
    if (each === null || Array.isArray(each))
      throw new EngineError(
        'x_content_parse_exception',
        `[${name}] takes names of fields and objects, not ${firstTokenName(each)}`,
      );
    if (!isObject(each)) return { field: plainText(each), format: undefined };
    for (const [key, own] of Object.entries(each)) {
      if (key !== 'field' && key !== 'format') throw unknownField('fieldAndFormat', each, key);
      if (typeof own === 'string' || (key === 'format' && own === null)) continue;
      const reason = `[${name}] ${key} doesn't support values of type: ${firstTokenName(own)}`;
      throw attachPlace(new EngineError('x_content_parse_exception', reason), {
        ...{ holder: each, key, at: 'value' },
      });
    }
    const { field, format } = each as { field?: string; format?: string | null };
    if (field === undefined) throw illegalArgument('Required [field]');
    return { field, format: format ?? undefined };
  });
}

function boostMember(name: string, value: JsonValue): [string, number][] {
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => {
    if (!isObject(each)) throw unknownKey(name, value);
    return Object.entries(each).map(([index, boost]): [string, number] => [index, numberMember(name, boost)]);
  });
}

function pitMember(name: string, value: JsonValue): PitSpec {
  if (!isObject(value)) throw unknownKey(name, value);
  let id: string | undefined;
  let keepAliveMs: number | undefined;
  for (const [key, each] of Object.entries(value)) {
    if (key === 'id') id = textMember(key, each);
    else if (key === 'keep_alive') keepAliveMs = millisMember(key, each);
    else throw unknownField('pit', value, key);
  }
  if (id === undefined) throw illegalArgument('point in time id is not provided');
  return { id, keepAliveMs };
}

/** Reads `collapse`: its field, and its inner hits apart. */
function readCollapse(collapse: JsonObject): { field: JsonObject; inner: InnerSpec[] } {
  const field: JsonObject = {};
  let inner: InnerSpec[] = [];
  for (const [key, value] of Object.entries(collapse)) {
    if (key === 'field') {
      if (typeof value !== 'string')
        throw attachPlace(
          new EngineError(
            'x_content_parse_exception',
            `[collapse] field doesn't support values of type: ${firstTokenName(value)}`,
          ),
          { holder: collapse, key, at: 'value' },
        );
      field['field'] = value;
    } else if (key === 'inner_hits') {
      inner = (Array.isArray(value) ? value : [value]).map(readInner);
      // The field must be one that groups can be searched by.
      field['inner_hits'] = {};
    } else if (key !== 'max_concurrent_group_searches') {
      throw unknownField('collapse', collapse, key);
    }
  }
  return { field, inner };
}

function readInner(value: JsonValue): InnerSpec {
  if (!isObject(value)) throw new EngineError('parsing_exception', '[inner_hits] must be an object');
  const { name, ignore_unmapped: _ignored, ...body } = value;
  const { collapse } = body;
  if (isObject(collapse) && ('inner_hits' in collapse || 'collapse' in collapse)) {
    throw new EngineError(
      'parse_exception',
      'a [collapse] within [inner_hits] has a [field] and nothing else',
    );
  }
  const spec = readSearchBody(body);
  return {
    name: typeof name === 'string' ? name : undefined,
    spec: { ...spec, size: spec.size ?? INNER_SIZE },
  };
}
