// Which index and shard does an error come from? Some say so, as with the peer.

import { EngineError } from '../../errors.ts';

const PLACED = new Set(['version_conflict_engine_exception', 'document_missing_exception']);

/** The error of a write to an index, with its place where it is one that says it. */
export function placedIn(
  info: { readonly name: string; readonly uuid: string },
  error: EngineError,
): EngineError {
  if (!PLACED.has(error.type)) return error;
  const { status, causedBy } = error;
  const details = { ...error.details, index: info.name, shard: '0', index_uuid: info.uuid };
  return new EngineError(error.type, error.message, {
    ...{ status, details },
    ...(causedBy !== undefined && { causedBy }),
  });
}
