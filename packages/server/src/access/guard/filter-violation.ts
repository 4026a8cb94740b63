// Does a write stay within the filter of its caller? What it would leave behind is held against the filter before it is
// written: nobody plants a document that they cannot see, or moves one out of their own sight.

import {
  type Engine,
  EngineError,
  type JsonObject,
  type JsonValue,
  parseJson,
  type StoredDoc,
  type WriteOp,
} from '@octavo/engine';
import { Undecidable } from './filter-fields.ts';
import { willMatch } from './filter-match.ts';

/** Why a write does not stay within the filter; undefined where it does. `there` is what an update changes. */
export function filterViolation(
  engine: Engine,
  filter: JsonObject,
  op: WriteOp,
  index: string,
  there: StoredDoc | undefined,
): string | EngineError | undefined {
  const info = engine.indices.info(index);
  if (info === undefined) {
    return 'the index does not exist yet, so nobody can tell whether its document filter would show the document';
  }
  try {
    const source = resultingSource(op, there);
    const candidate = { engine, index, mappings: info.mappings, id: op.id, source };
    return willMatch(filter, candidate) ? undefined : 'its document filter would hide the document';
  } catch (error) {
    if (error instanceof EngineError) return error;
    if (!(error instanceof Undecidable)) throw error;
    return `nobody can tell beforehand whether its document filter would show the document: ${error.message}`;
  }
}

/** The source as it would be. */
function resultingSource({ source, update }: WriteOp, there: StoredDoc | undefined): JsonObject {
  if (update === undefined) return objectOf(source);
  if (there === undefined) return objectOf(update.upsert ?? update.doc);
  return mergeObjects(objectOf(there.source), objectOf(update.doc));
}

function objectOf(bytes: Uint8Array | undefined): JsonObject {
  const value = bytes === undefined ? undefined : parseJson(bytes);
  if (isObject(value)) return value;
  throw new EngineError('mapper_parsing_exception', 'failed to parse: the document is not an object');
}

/** Objects into objects, everything else in the place of what was there. */
function mergeObjects(base: JsonObject, change: JsonObject): JsonObject {
  const out = new Map<string, JsonValue>(Object.entries(base));
  for (const [key, value] of Object.entries(change)) {
    const before = out.get(key);
    out.set(key, isObject(before) && isObject(value) ? mergeObjects(before, value) : value);
  }
  return Object.fromEntries(out);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
