// Mappings as they are printed, and the mapping of single fields for `_mapping/field/{fields}`, by full name, multi-fields included.

import { isObject, type JsonObject, type JsonValue } from '@octavo/engine';
import { double } from '../../json/number-text.ts';
import type { ReplyObject, ReplyValue } from '../../json/reply-value.ts';
import { Wildcards } from '../../patterns/wildcard.ts';
import { isDerivedType, subFields } from '../source/stored-fields.ts';

/** Metadata fields, which a pattern matches too. */
const METADATA = [
  ...['_data_stream_timestamp', '_doc_count', '_feature', '_field_names', '_id', '_ignored', '_index'],
  ...['_nested_path', '_routing', '_seq_no', '_source', '_version'],
];

const DERIVED = (): ReplyObject => ({
  boost: double(1),
  index: true,
  doc_values: false,
  store: false,
  meta: {},
});

/** The presets of a field by its type. */
const PRESETS: Readonly<Record<string, () => ReplyObject>> = {
  text: () => ({
    boost: double(1),
    index: true,
    store: false,
    meta: {},
    index_options: 'positions',
    term_vector: 'no',
    norms: true,
    analyzer: 'default',
    search_analyzer: 'default',
    search_quote_analyzer: 'default',
    similarity: null,
    eager_global_ordinals: false,
    position_increment_gap: -1,
    fielddata: false,
    fielddata_frequency_filter: { min: double(0), max: double(2147483647), min_segment_size: 0 },
    index_prefixes: null,
    index_phrases: false,
  }),
  keyword: () => ({
    index: true,
    doc_values: true,
    store: false,
    null_value: null,
    eager_global_ordinals: false,
    ignore_above: 2147483647,
    index_options: 'docs',
    norms: false,
    similarity: null,
    normalizer: 'default',
    use_similarity: false,
    split_queries_on_whitespace: false,
    boost: double(1),
    meta: {},
  }),
  boolean: () => ({
    index: true,
    doc_values: true,
    store: false,
    null_value: null,
    boost: double(1),
    meta: {},
  }),
  date: () => ({
    index: true,
    doc_values: true,
    store: false,
    format: 'strict_date_time_no_millis||strict_date_optional_time||epoch_millis',
    locale: '',
    ignore_malformed: false,
    null_value: null,
    boost: double(1),
    meta: {},
  }),
  prefix: DERIVED,
  phrase: DERIVED,
  ip: () => ({ index: true, doc_values: true, store: false, ignore_malformed: false, null_value: null }),
};

const NUMBERS = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'unsigned_long',
  'scaled_float',
]);

function presetsOf(type: JsonValue | undefined): ReplyObject {
  if (typeof type !== 'string') return {};
  if (NUMBERS.has(type)) {
    return {
      index: true,
      doc_values: true,
      store: false,
      ignore_malformed: false,
      coerce: true,
      null_value: null,
      meta: {},
    };
  }
  return Object.hasOwn(PRESETS, type) ? PRESETS[type]!() : {};
}

/** `{full name: {full_name, mapping: {leaf name: …}}}` for the fields that fit. */
export function* fieldMappings(
  mappings: JsonObject,
  patterns: readonly string[],
  withPresets: boolean,
): Generator<void, ReplyObject, undefined> {
  const wanted = new Wildcards(patterns);
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const name of METADATA) if (wanted.matches(name)) out[name] = { full_name: name, mapping: {} };
  function* visit(properties: JsonValue | undefined, prefix: string): Generator<void, void, undefined> {
    if (!isObject(properties)) return;
    for (const leaf of Object.keys(properties)) {
      const field = properties[leaf];
      if (!isObject(field)) continue;
      const full = prefix === '' ? leaf : `${prefix}.${leaf}`;
      const isTree =
        field['properties'] !== undefined || field['type'] === undefined || field['type'] === 'nested';
      if (!isTree && wanted.matches(full)) {
        const name = isDerivedType(field['type']) ? full : leaf;
        out[full] = {
          full_name: full,
          mapping: { [name]: withPresets ? filledIn(field) : shownMappings(field) },
        };
      }
      yield;
      yield* visit(field['properties'], full);
      yield* visit(subFields(field), full);
    }
  }
  yield* visit(mappings['properties'], '');
  return out;
}

const REAL_TYPES: ReadonlySet<unknown> = new Set(['double', 'float', 'half_float', 'scaled_float']);

/** A mapping as it is printed: scaling factors, and what stands for null in real numbers, are doubles. */
export function shownMappings(mapping: JsonObject): ReplyObject {
  const out: ReplyObject = Object.create(null) as ReplyObject;
  for (const [name, value] of Object.entries(mapping)) {
    const isReal = (name === 'scaling_factor' || name === 'null_value') && REAL_TYPES.has(mapping['type']);
    if (isReal && typeof value === 'number') out[name] = double(value);
    else out[name] = isObject(value) ? shownMappings(value) : value;
  }
  return out;
}

/** A field with its presets; multi-fields too. */
function filledIn(field: JsonObject): ReplyValue {
  const out: ReplyObject = { type: field['type'], ...presetsOf(field['type']), ...shownMappings(field) };
  if (field['type'] === 'text') {
    out['search_analyzer'] = field['search_analyzer'] ?? out['analyzer'];
    out['search_quote_analyzer'] = field['search_quote_analyzer'] ?? out['search_analyzer'];
  }
  if (isObject(field['fields'])) {
    const fields: ReplyObject = {};
    for (const name of Object.keys(field['fields'])) {
      const below = field['fields'][name];
      if (isObject(below)) fields[name] = filledIn(below);
    }
    out['fields'] = fields;
  }
  return out;
}
