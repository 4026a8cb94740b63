// Values of a query as a field stores them: term bytes for texts and keywords. Also checks which fields can
// be searched.

import { EngineError, illegalArgument } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { isFeature } from '../../mapping/types/features.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { Planner } from '../plan/planner.ts';

const encoder = new TextEncoder();

/** UTF-8 of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A scalar as the peer's `toString` gives it. */
export function plainString(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(plainString).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, v]) => `${key}=${plainString(v)}`)
      .join(', ')}}`;
  }
  return String(value);
}

/** Whether terms of the field are analysed words. */
export function isTextField(field: FieldType): boolean {
  return field.kind === 'text' || field.kind === 'match_only_text';
}

/** Whether terms of the field are strings. */
export function isStringField(field: FieldType): boolean {
  return (
    isTextField(field) ||
    field.kind === 'keyword' ||
    field.kind === 'constant_keyword' ||
    field.kind === 'wildcard' ||
    field.kind === 'flat_object'
  );
}

/** Whether the values of a field are indexed, or in a column that queries read instead. */
export function isSearchable(field: FieldType): boolean {
  return field.searchable || (field.hasDocValues && !isTextField(field));
}

/** Throws when the field cannot be searched. */
export function checkSearchable(planner: Planner, field: FieldType): void {
  if (field.kind === 'binary') throw planner.misfit('Binary fields do not support searching');
  if (field.kind === 'geo_point') {
    throw planner.misfit(
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${field.path}]`,
    );
  }
  if (isFeature(field.kind)) throw illegalArgument(`Queries on [${field.kind}] fields are not supported`);
  if (field.kind === 'unsupported' || field.kind === 'object') {
    throw planner.misfit(`Field [${field.path}] of type [${typeName(field)}] is not supported in queries`);
  }
  if (isSearchable(field)) return;
  throw illegalArgument(
    isTextField(field)
      ? `Cannot search on field [${field.path}] since it is not indexed.`
      : `Cannot search on field [${field.path}] since it is both not indexed, and does not have doc_values enabled.`,
  );
}

/** The type of a field as its mapping names it. */
export function typeName(field: FieldType): string {
  const type = field.params['type'];
  return typeof type === 'string' ? type : field.kind;
}

/** The bytes of a value in a field of strings or ips. */
export function termBytes(field: FieldType, value: JsonValue): Uint8Array {
  return field.bytes === undefined || isTextField(field)
    ? utf8(plainString(value))
    : field.bytes.encode(value);
}

/** Plans one field. With `lenient`, values that do not fit the field give undefined. */
export function leniently<T>(lenient: boolean, work: () => T): T | undefined {
  if (!lenient) return work();
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
