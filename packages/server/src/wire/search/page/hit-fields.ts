// The `fields` member of a hit: `docvalue_fields` from the columns, `fields` and `stored_fields` from the
// source, typed by the mapping.

import {
  EngineError,
  type Hit,
  type IndexInfo,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  javaDouble,
  parseJson,
} from '@octavo/engine';
import { double } from '../../../json/number-text.ts';
import { RawText, type ReplyObject, type ReplyValue } from '../../../json/reply-value.ts';
import { matchesWildcard } from '../../../patterns/wildcard.ts';
import {
  fieldMapping,
  isDerivedType,
  storedFields,
  subFields,
  valuesAt,
  wholeValuesAt,
} from '../../source/stored-fields.ts';
import type { FieldRequest, SearchSpec } from '../body/search-spec.ts';

/** The `fields` member of a hit; undefined if it would be empty. */
export function hitFields(hit: Hit, info: IndexInfo | undefined, spec: SearchSpec): ReplyObject | undefined {
  const out: ReplyObject = {};
  const mappings = info?.mappings ?? {};
  for (const each of spec.docvalueFields) addDocValues(out, hit, mappings, each);
  if (spec.fields.length > 0 && info !== undefined) requireSource(info);
  if (spec.fields.length > 0) addSourceValues(out, hit, mappings, spec.fields);
  for (const [name, values] of hit.scriptFields ?? []) out[name] = new RawText(values);
  if (spec.storedFields !== undefined) {
    const stored = storedFields(mappings, hit.source, spec.storedFields) ?? {};
    for (const name of Object.keys(stored)) out[name] = stored[name];
  }
  const collapse = spec.collapse?.['field'];
  if (typeof collapse === 'string' && out[collapse] === undefined)
    addDocValues(out, hit, mappings, { field: collapse, format: undefined });
  return Object.keys(out).length === 0 ? undefined : out;
}

/** The type of a field or of the field that it is an alias of; undefined if it is not mapped. */
export function fieldType(mappings: JsonObject, path: string): string | undefined {
  const mapping = fieldMapping(mappings, path);
  const type = mapping?.['type'];
  if (type === 'alias' && typeof mapping?.['path'] === 'string') return fieldType(mappings, mapping['path']);
  return typeof type === 'string' ? type : undefined;
}

/** True for types whose values are printed with a point. */
export function isRealType(type: string | undefined): boolean {
  return type === 'double' || type === 'float' || type === 'half_float' || type === 'scaled_float';
}

function addDocValues(out: ReplyObject, hit: Hit, mappings: JsonObject, spec: FieldRequest): void {
  for (const field of expand(mappings, spec.field)) {
    const type = fieldType(mappings, field);
    if (type === 'text' || isDerivedType(type)) {
      if (field !== spec.field) continue;
      throw textColumn(field);
    }
    const values = docValues(hit, mappings, { ...spec, field });
    const before = out[field];
    if (values.length > 0) out[field] = Array.isArray(before) ? [...before, ...values] : values;
  }
}

function docValues(hit: Hit, mappings: JsonObject, spec: FieldRequest): ReplyValue[] {
  const type = fieldType(mappings, spec.field);
  const format = spec.format === 'use_field_mapping' ? undefined : spec.format;
  const values = hit.docValues(spec.field, format ?? defaultFormat(mappings, spec.field, type));
  return values.map((value) =>
    typeof value === 'number' && isRealType(type)
      ? double(type === 'float' ? Math.fround(value) : value)
      : value,
  );
}

/** The format of a date in its mapping. */
function defaultFormat(mappings: JsonObject, field: string, type: string | undefined): string | undefined {
  if (type !== 'date' && type !== 'date_nanos' && type !== 'date_range') return undefined;
  const format = fieldMapping(mappings, field)?.['format'];
  return typeof format === 'string' ? format : 'strict_date_optional_time||epoch_millis';
}

function addSourceValues(
  out: ReplyObject,
  hit: Hit,
  mappings: JsonObject,
  specs: readonly FieldRequest[],
): void {
  const tree = parseJson(hit.source);
  for (const spec of specs) {
    for (const field of expand(mappings, spec.field)) {
      const values = sourceValues(hit, tree, mappings, { ...spec, field });
      if (values.length > 0) out[field] = values;
    }
  }
}

function sourceValues(hit: Hit, tree: JsonValue, mappings: JsonObject, spec: FieldRequest): ReplyValue[] {
  const type = fieldType(mappings, spec.field);
  if (type === undefined || type === 'object' || type === 'nested') return [];
  if (type === 'geo_point') return pointValues(hit, tree, mappings, spec);
  const isDate = type === 'date' || type === 'date_nanos' || type === 'date_range';
  if (spec.format !== undefined && !isDate && !NUMBERS.has(type)) {
    throw illegalArgument(`Field [${spec.field}] of type [${type}] doesn't support formats.`);
  }
  const { path, nullValue } = sourcePath(mappings, spec.field);
  const format = isDate ? (spec.format ?? defaultFormat(mappings, spec.field, type)) : undefined;
  const values = hit.indexedValues(spec.field, valuesAt(tree, path, nullValue), format);
  const isReal = isRealType(type.replace(/_range$/, '')) || type === 'rank_feature';
  return isReal ? values.map(realValue) : values;
}

/** A number, or a range of numbers, as they are printed with a point. */
function realValue(value: JsonValue): ReplyValue {
  if (typeof value === 'number') return double(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, bound]) => [name, typeof bound === 'number' ? double(bound) : bound]),
  );
}

/** The points of a source: as GeoJSON, or in the form that the peer calls wkt. */
function pointValues(hit: Hit, tree: JsonValue, mappings: JsonObject, spec: FieldRequest): ReplyValue[] {
  const { field, format = 'geojson' } = spec;
  if (format !== 'geojson' && format !== 'wkt')
    throw illegalArgument(`Unrecognized geometry format [${format}].`);
  const values = wholeValuesAt(tree, sourcePath(mappings, field).path);
  return (hit.indexedValues(field, values) as { readonly lat: number; readonly lon: number }[]).map(
    ({ lat, lon }) =>
      format === 'wkt'
        ? `POINT (${javaDouble(lon)} ${javaDouble(lat)})`
        : { coordinates: [double(lon), double(lat)], type: 'Point' },
  );
}

/**
 * The path of the values of a field in the source, and what null stands for there. A multi-field has the values of its
 * parent field.
 */
function sourcePath(mappings: JsonObject, field: string): { path: string; nullValue: JsonValue | undefined } {
  const mapping = fieldMapping(mappings, field);
  if (mapping?.['type'] === 'alias' && typeof mapping['path'] === 'string') {
    return sourcePath(mappings, mapping['path']);
  }
  const nullValue = mapping?.['null_value'];
  const dot = field.lastIndexOf('.');
  if (dot < 0) return { path: field, nullValue };
  const parent = fieldMapping(mappings, field.slice(0, dot));
  const isMulti = parent !== undefined && Object.hasOwn(subFields(parent), field.slice(dot + 1));
  return { path: isMulti ? field.slice(0, dot) : field, nullValue };
}

/** The mapped fields that a pattern matches. */
function expand(mappings: JsonObject, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  return fieldNames(mappings).filter((name) => matchesWildcard(pattern, name));
}

/** All leaf fields of a mapping by dotted path, multi-fields included. */
export function fieldNames(mappings: JsonObject, prefix: string = ''): string[] {
  const out: string[] = [];
  for (const children of [mappings['properties'], subFields(mappings)]) {
    if (!isObject(children)) continue;
    for (const [name, child] of Object.entries(children)) {
      if (!isObject(child)) continue;
      const path = prefix + name;
      if (typeof child['type'] === 'string' && child['type'] !== 'object' && child['type'] !== 'nested')
        out.push(path);
      out.push(...fieldNames(child, `${path}.`));
    }
  }
  return out;
}

/** Throws if the mapping drops the source, from which `fields` are read. */
function requireSource(info: IndexInfo): void {
  const own = info.mappings['_source'];
  if (!isObject(own) || own['enabled'] !== false) return;
  throw illegalArgument(
    `Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [${info.name}]`,
  );
}

const NUMBERS: ReadonlySet<string> = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'scaled_float',
  'unsigned_long',
]);

function textColumn(field: string): EngineError {
  return new EngineError(
    'illegal_argument_exception',
    'Text fields are not optimised for operations that require per-document field data like aggregations and ' +
      `sorting, so these operations are disabled. Please use a keyword field instead of [${field}]; [fielddata] ` +
      'changes nothing here.',
  );
}
