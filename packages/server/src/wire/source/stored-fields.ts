// `stored_fields`, and values of a source by dotted path. The source holds every value, so a field that the
// mapping stores is read from it.

import { isObject, type JsonObject, type JsonValue, parseJson } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';

/** The values of those of the named fields that are stored, each as a list; undefined if there are none. */
export function storedFields(
  mappings: JsonObject,
  source: Uint8Array,
  names: readonly string[],
): ReplyObject | undefined {
  const stored = names.filter((name) => fieldMapping(mappings, name)?.['store'] === true);
  if (stored.length === 0) return undefined;
  const tree = parseJson(source);
  const out: ReplyObject = {};
  for (const name of stored) {
    const values = valuesAt(tree, name);
    if (values.length > 0) out[name] = values;
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

/** The mapping of a field by its dotted path, multi-fields included. */
export function fieldMapping(mappings: JsonObject, path: string): JsonObject | undefined {
  let node: JsonObject = mappings;
  for (const part of path.split('.')) {
    const { properties } = node;
    const next = (isObject(properties) ? properties[part] : undefined) ?? subFields(node)[part];
    if (!isObject(next)) return undefined;
    node = next;
  }
  return node;
}

/** The multi-fields of a field, and those that it has for `index_prefixes` and `index_phrases`. */
export function subFields(field: JsonObject): JsonObject {
  const own = isObject(field['fields']) ? field['fields'] : {};
  const hasPrefixes = isObject(field['index_prefixes']);
  const hasPhrases = field['index_phrases'] === true;
  if (!hasPrefixes && !hasPhrases) return own;
  return {
    ...own,
    ...(hasPrefixes ? { _index_prefix: { type: 'prefix', doc_values: false } } : {}),
    ...(hasPhrases ? { _index_phrase: { type: 'phrase', doc_values: false } } : {}),
  };
}

/** True for the types of fields that the mapping does not name. */
export function isDerivedType(type: JsonValue | undefined): boolean {
  return type === 'prefix' || type === 'phrase';
}

/**
 * All values of a source at a dotted path. Arrays are flattened; member names may contain points. `nullValue` stands
 * in for null, which is left out without it.
 */
export function valuesAt(value: JsonValue, path: string, nullValue?: JsonValue): JsonValue[] {
  const flat = (each: JsonValue): JsonValue[] => {
    if (Array.isArray(each)) return each.flatMap(flat);
    const shown = each ?? nullValue;
    return shown === undefined || shown === null ? [] : [shown];
  };
  return wholeValuesAt(value, path).flatMap(flat);
}

/** The values of a source at a dotted path, with their arrays: a pair of numbers is one point. */
export function wholeValuesAt(value: JsonValue, path: string): JsonValue[] {
  if (path === '') return [value];
  if (Array.isArray(value)) return value.flatMap((each) => wholeValuesAt(each, path));
  if (!isObject(value)) return [];
  const out: JsonValue[] = [];
  for (let at = path.length; at > 0; at = path.lastIndexOf('.', at - 1)) {
    const inner = value[path.slice(0, at)];
    if (inner !== undefined) out.push(...wholeValuesAt(inner, path.slice(at + 1)));
  }
  return out;
}
