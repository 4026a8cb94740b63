// Checks a write against its caller's document filter before it happens. A caller can neither create a
// document that it would not see, nor move one out of its sight.

import {
  type Engine,
  EngineError,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  type StoredDoc,
  type WriteOp,
} from '@octavo/engine';
import { Undecidable } from './filter-fields.ts';
import { willMatch } from './filter-match.ts';

/**
 * The reason why a write violates the filter; undefined if it does not. `there` is the document an update
 * changes.
 */
export function filterViolation(
  engine: Engine,
  filter: JsonObject,
  op: WriteOp,
  index: string,
  there: StoredDoc | undefined,
): string | EngineError | undefined {
  const info = engine.indices.info(index);
  if (info === undefined) {
    return 'the index does not exist yet, so it is unknown whether its document filter would match the document';
  }
  try {
    const source = resultingSource(op, there);
    const candidate = { engine, index, mappings: info.mappings, id: op.id, source };
    return willMatch(filter, candidate) ? undefined : 'its document filter would not match the document';
  } catch (error) {
    if (error instanceof EngineError) return error;
    if (!(error instanceof Undecidable)) throw error;
    return `it is unknown before the write whether its document filter would match the document: ${error.message}`;
  }
}

/** The source after the write. */
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

/** Merges objects recursively; other values replace. */
function mergeObjects(base: JsonObject, change: JsonObject): JsonObject {
  const out = new Map<string, JsonValue>(Object.entries(base));
  for (const [key, value] of Object.entries(change)) {
    const before = out.get(key);
    out.set(key, isObject(before) && isObject(value) ? mergeObjects(before, value) : value);
  }
  return Object.fromEntries(out);
}
