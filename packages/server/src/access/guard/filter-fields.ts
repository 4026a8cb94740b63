// The values of a field in a document that is not written yet, and how they are indexed, read from source and
// mapping. Undecidable for mappings that index anything else.

import type { JsonObject, JsonValue } from '@octavo/engine';

/** The outcome cannot be known before the write; the message says why. */
export class Undecidable extends Error {
  override readonly name = 'Undecided';
}

/** A field as its mapping defines it. */
interface MappedField {
  readonly type: string;
  /** The path of its values: a multi-field has those of its parent. */
  readonly path: string;
  readonly ignoreAbove: number | undefined;
}

/** Parameters that do not change which terms are indexed. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['type', 'fields', 'doc_values', 'store', 'norms', 'index_options', 'meta', 'eager_global_ordinals'],
  ...['fielddata', 'term_vector', 'position_increment_gap', 'similarity', 'ignore_above', 'analyzer'],
]);
const TYPES: ReadonlySet<string> = new Set([
  ...['keyword', 'text', 'boolean'],
  ...['long', 'integer', 'short', 'byte', 'double'],
]);

/**
 * The field at a path; undefined if it is unmapped. Throws Undecidable if its terms do not follow from its
 * values.
 */
export function mappedField(mappings: JsonObject, path: string): MappedField | undefined {
  if ('runtime' in mappings || /"copy_to"/.test(JSON.stringify(mappings))) {
    throw new Undecidable('the mapping derives fields from others');
  }
  let node: JsonObject | undefined = mappings;
  let values = '';
  for (const part of path.split('.')) {
    const properties: JsonObject | undefined = objectAt(node, 'properties');
    const child: JsonObject | undefined = objectAt(properties, part);
    if (child === undefined) {
      const multi = objectAt(objectAt(node, 'fields'), part);
      if (multi === undefined) return undefined;
      if (!path.endsWith(`.${part}`)) throw new Undecidable(`[${path}] is below a multi-field`);
      return describeField(multi, path, values);
    }
    if (child['type'] === 'nested' || 'enabled' in child) {
      throw new Undecidable(`[${path}] is in an object that is not indexed with the document`);
    }
    node = child;
    values = values === '' ? part : `${values}.${part}`;
  }
  if (objectAt(node, 'properties') !== undefined) throw new Undecidable(`[${path}] is an object`);
  return describeField(node, path, values);
}

function describeField(node: JsonObject, path: string, values: string): MappedField {
  const type = String(node['type']);
  const odd = Object.keys(node).find((name) => !HARMLESS.has(name));
  if (!TYPES.has(type) || odd !== undefined) {
    throw new Undecidable(`fields like [${path}] (${odd ?? type}) cannot be checked`);
  }
  const above = node['ignore_above'];
  return { type, path: values, ignoreAbove: above === undefined ? undefined : Number(above) };
}

/**
 * All values at a path: arrays flattened, nulls left out, dotted keys allowed. `prefixes` includes values at
 * a prefix of the path, which could get multi-fields. Throws Undecidable for an object at the path.
 * O(document).
 */
export function sourceValues(node: JsonValue | undefined, path: string, prefixes: boolean): JsonValue[] {
  if (node === undefined || node === null) return [];
  if (Array.isArray(node)) {
    return (node as readonly JsonValue[]).flatMap((each) => sourceValues(each, path, prefixes));
  }
  if (typeof node !== 'object') return prefixes || path === '' ? [node] : [];
  if (path === '') throw new Undecidable('the filter asks for a value where the document has an object');
  const out: JsonValue[] = [];
  for (const [key, value] of Object.entries(node as JsonObject)) {
    if (key === path) out.push(...sourceValues(value, '', prefixes));
    else if (path.startsWith(`${key}.`))
      out.push(...sourceValues(value, path.slice(key.length + 1), prefixes));
  }
  return out;
}

function objectAt(node: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = node !== undefined && Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}
