// The reply to a single write, and errors of writes that name their index.

import { type Engine, EngineError, JsonWriter, runToEnd, type WriteResult } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import type { Reply } from '../router/route.ts';
import { pickSource, type SourceFilter } from '../source/source-filter.ts';
import { ResultWriter, writeStatus } from './result-writer.ts';
import type { Refresh } from './write-params.ts';

/** Room for a reply without a document, with usual names and ids. */
const USUAL_BYTES = 320;

/** The reply to a single write; throws the error of a failed one. `get` is the document that an update returns. */
export function writeReply(
  engine: Engine,
  result: WriteResult,
  refresh: Refresh,
  routing: string | undefined,
  get?: ReplyObject,
): Reply {
  if (result.error !== undefined) throw withIndex(result.error, engine, result.index);
  const writer = new ResultWriter(
    engine,
    refresh === 'forced',
    new JsonWriter(Buffer.allocUnsafe(USUAL_BYTES), 0),
  );
  writer.put(undefined, result, get);
  const bytes = writer.out.bytes.subarray(0, writer.out.at);
  const status = writeStatus(result);
  if (status !== 201) return { status, bytes };
  const place = documentsPath(result.index, result.type) + encodeURIComponent(result.id);
  const query = routing === undefined ? '' : `?routing=${encodeURIComponent(routing)}`;
  return { status, bytes, headers: { Location: place + query } };
}

/** What the paths of documents begin with, for a header: the name of an index may hold half a surrogate pair. */
function documentsPath(index: string, type: string): string {
  return `/${encodeURIComponent(index.toWellFormed())}/${encodeURIComponent(type)}/`;
}

/** The `get` member of an update with `_source`; undefined without. */
export function updatedSource(result: WriteResult, spec: SourceFilter | undefined): ReplyObject | undefined {
  // A script that makes no document of an upsert leaves none.
  if (result.result === 'noop' && result.version === -1) return { found: false };
  if (spec === undefined || !spec.enabled || result.source === undefined) return undefined;
  return {
    _seq_no: result.seqNo,
    _primary_term: 1,
    found: true,
    _source: runToEnd(pickSource(result.source, spec)),
  };
}

const NAMES_INDEX: ReadonlySet<string> = new Set([
  'version_conflict_engine_exception',
  'document_missing_exception',
  'document_source_missing_exception',
]);

/** An error of a write; conflicts and missing documents name their index and shard. */
export function withIndex(error: EngineError, engine: Engine, index: string): EngineError {
  if (!NAMES_INDEX.has(error.type) || 'index' in error.details) return error;
  const uuid = engine.indices.info(index)?.uuid ?? '_na_';
  return new EngineError(error.type, error.message, {
    status: error.status,
    details: { index, shard: '0', index_uuid: uuid, ...error.details },
  });
}
