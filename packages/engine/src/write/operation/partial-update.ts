// Merges the patch of a partial update into a source, object by object; anything that is not an object on
// both sides is replaced. A patch that changes nothing is a no-op and writes nothing.

import { EngineError } from '../../errors.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { spliceSource } from './splice-patch.ts';

const encoder = new TextEncoder();

/** The merged source, or undefined when the patch changes nothing. Bytes in, bytes out: longs stay exact. */
export function mergeSource(source: Uint8Array, patch: Uint8Array): Uint8Array | undefined {
  const spliced = spliceSource(source, patch);
  return spliced === 'unfit' ? mergeTrees(source, patch) : spliced;
}

/** Merges parsed trees: for patches that cannot be spliced. */
export function mergeTrees(source: Uint8Array, patch: Uint8Array): Uint8Array | undefined {
  const target = asObject(parseJson(source));
  return mergeInto(target, asObject(parseJson(patch))) ? encoder.encode(stringifyJson(target)) : undefined;
}

function asObject(value: JsonValue): JsonObject {
  if (!isObject(value))
    throw new EngineError('mapper_parsing_exception', 'failed to parse: a document must be an object');
  return value;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Merges patch into target, true when anything changed. Depth is bounded by the parser. */
function mergeInto(target: JsonObject, patch: JsonObject): boolean {
  let changed = false;
  for (const key of Object.keys(patch)) {
    const value = patch[key]!;
    const old = target[key];
    if (isObject(old) && isObject(value)) {
      if (mergeInto(old, value)) changed = true;
    } else if (old === undefined || !equal(old, value)) {
      target[key] = value;
      changed = true;
    }
  }
  return changed;
}

function equal(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((value, i) => equal(value, b[i]!));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const other = b[key];
    return other !== undefined && equal(a[key]!, other);
  });
}
