// `stored_fields`, and values of a source by dotted path. The source holds every value, so a field that the
// mapping stores is read from it.

import { type JsonObject, type JsonValue, parseJson } from '@octavo/engine';
import { isObject } from '../../json/json-body.ts';
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
    const next = member(node, 'properties', part) ?? member(node, 'fields', part);
    if (next === undefined) return undefined;
    node = next;
  }
  return node;
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

function member(node: JsonObject, list: string, name: string): JsonObject | undefined {
  const children = node[list];
  const child = isObject(children) ? children[name] : undefined;
  return isObject(child) ? child : undefined;
}
