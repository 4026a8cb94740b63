// What is left of a source under includes and excludes? Interim: through a parsed tree.

import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@octavo/engine';
import { matchesName } from './filter-path.ts';
import { isObject } from './json-body.ts';

/** The source with only the included and without the excluded paths. A pattern also means what lies below it. */
export function filterSource(
  source: Uint8Array,
  includes: readonly string[],
  excludes: readonly string[],
): Uint8Array {
  const value = parseJson(source);
  const kept = isObject(value) ? filterObject(value, '', includes, excludes, includes.length === 0) : value;
  return Buffer.from(stringifyJson(kept ?? {}), 'utf8');
}

function filterObject(
  object: JsonObject,
  prefix: string,
  includes: readonly string[],
  excludes: readonly string[],
  included: boolean,
): JsonObject {
  const out: JsonObject = Object.create(null) as JsonObject;
  for (const [key, value] of Object.entries(object)) {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    if (excludes.some((pattern) => matchesName(pattern, path))) continue;
    const inside = included || includes.some((pattern) => matchesName(pattern, path));
    const kept = filterValue(value, path, includes, excludes, inside);
    if (kept !== undefined) out[key] = kept;
  }
  return out;
}

function filterValue(
  value: JsonValue,
  path: string,
  includes: readonly string[],
  excludes: readonly string[],
  included: boolean,
): JsonValue | undefined {
  if (isObject(value)) {
    const kept = filterObject(value, path, includes, excludes, included);
    return !included && Object.keys(kept).length === 0 ? undefined : kept;
  }
  if (Array.isArray(value)) {
    const kept = value
      .map((each) => filterValue(each, path, includes, excludes, included))
      .filter((each) => each !== undefined);
    return !included && kept.length === 0 ? undefined : kept;
  }
  return included ? value : undefined;
}
