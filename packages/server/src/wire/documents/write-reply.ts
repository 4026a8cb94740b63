// How is the fate of one write told? The members of a single write's reply and of a bulk item are the same.

import { type Engine, EngineError, type WriteResult } from '@octavo/engine';
import type { ReplyObject } from '../../json/reply-value.ts';
import { writeShards } from '../resolve/shards.ts';
import type { Reply } from '../router/route.ts';
import { type SourceSpec, sourceOf, typeMember } from '../source/source-spec.ts';
import type { Refresh } from './write-params.ts';

/** Members of a successful write. */
export function writeBody(engine: Engine, result: WriteResult, forced: boolean): ReplyObject {
  return {
    _index: result.index,
    ...typeMember(result.type),
    _id: result.id,
    _version: result.version,
    result: result.result,
    forced_refresh: forced ? true : undefined,
    _shards: writeShards(engine.indices.info(result.index)),
    _seq_no: result.seqNo,
    _primary_term: 1,
  };
}

/** 201, 404 or 200. */
export function writeStatus(result: WriteResult): number {
  return result.result === 'created' ? 201 : result.result === 'not_found' ? 404 : 200;
}

/** The reply to a single write; throws the error of a failed one. */
export function writeReply(
  engine: Engine,
  result: WriteResult,
  refresh: Refresh,
  routing: string | undefined,
): Reply {
  if (result.error !== undefined) throw placed(result.error, engine, result.index);
  const status = writeStatus(result);
  const body = writeBody(engine, result, refresh === 'forced');
  if (status !== 201) return { status, body };
  const place = documentsPath(result.index, result.type) + encodeURIComponent(result.id);
  const query = routing === undefined ? '' : `?routing=${encodeURIComponent(routing)}`;
  return { status, body, headers: { Location: place + query } };
}

/** What the paths of documents begin with, for a header: an index may be called anything, also half a character. */
export function documentsPath(index: string, type: string): string {
  return `/${encodeURIComponent(index.toWellFormed())}/${encodeURIComponent(type)}/`;
}

/** The `get` member of an update that asked for `_source`. */
export function updatedSource(result: WriteResult, spec: SourceSpec | undefined): ReplyObject | undefined {
  if (spec === undefined || !spec.enabled || result.source === undefined) return undefined;
  return { _seq_no: result.seqNo, _primary_term: 1, found: true, _source: sourceOf(result.source, spec) };
}

const PLACED: ReadonlySet<string> = new Set([
  'version_conflict_engine_exception',
  'document_missing_exception',
  'document_source_missing_exception',
]);

/** Conflicts and missing documents name their index and shard. */
export function placed(error: EngineError, engine: Engine, index: string): EngineError {
  if (!PLACED.has(error.type) || 'index' in error.details) return error;
  const uuid = engine.indices.info(index)?.uuid ?? '_na_';
  return new EngineError(error.type, error.message, {
    status: error.status,
    details: { index, shard: '0', index_uuid: uuid, ...error.details },
  });
}
