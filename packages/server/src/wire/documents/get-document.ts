// Reads one document by id: whole or in parts (`_doc`), or its source alone (`_source`).

import { type Engine, EngineError, type IndexInfo, type StoredDoc, startSliced } from '@octavo/engine';
import { fetchDocument } from '../../access/guard/guarded-engine.ts';
import { validationError } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { resolveOne } from '../resolve/resolve.ts';
import { onSameShard } from '../resolve/shards.ts';
import type { Call, Params, Reply, Services } from '../router/route.ts';
import {
  NO_SOURCE,
  readSourceParams,
  SOURCE_PARAMS,
  type SourceFilter,
  typeMember,
  visibleSource,
  WHOLE_SOURCE,
} from '../source/source-filter.ts';
import { storedFields } from '../source/stored-fields.ts';
import { parseVersionType } from './write-params.ts';

/** Parameters of the reading endpoints. */
export const GET_PARAMS: readonly string[] = [
  ...SOURCE_PARAMS,
  'preference',
  'realtime',
  'refresh',
  'routing',
  'stored_fields',
  'version',
  'version_type',
];

/** What a reply shows of a document. */
export interface GetSpec {
  readonly source: SourceFilter;
  readonly storedFields: readonly string[];
}

/** GET and HEAD `/{index}/_doc/{id}`. */
export async function getDocument(call: Call, { engine }: Services): Promise<Reply> {
  const found = await findDocument(call, engine);
  if (found.doc === undefined) {
    const { index, id } = found;
    return {
      status: 404,
      body: { _index: index, ...typeMember(call.path['type'] ?? '_doc'), _id: id, found: false },
    };
  }
  checkVersion(found.doc, call.params, engine);
  const listed = call.params.list('stored_fields') ?? [];
  const bare = listed.length > 0 && !listed.includes('_source');
  const source = readSourceParams(call.params) ?? (bare ? NO_SOURCE : WHOLE_SOURCE);
  const spec = { source, storedFields: listed };
  return { body: await startSliced(documentBody(engine, found.doc, spec)) };
}

/** GET and HEAD `/{index}/_source/{id}`. */
export async function getSource(call: Call, { engine }: Services): Promise<Reply> {
  const source = readSourceParams(call.params) ?? WHOLE_SOURCE;
  if (!source.enabled) throw validationError(['fetching source can not be disabled']);
  const found = await findDocument(call, engine);
  if (found.doc === undefined) {
    throw new EngineError(
      'resource_not_found_exception',
      `Document not found [${found.index}]/[${found.id}]`,
    );
  }
  checkVersion(found.doc, call.params, engine);
  const visible = await startSliced(visibleSource(found.info.mappings, found.doc.source, source));
  if (visible === undefined) {
    throw new EngineError('resource_not_found_exception', `Source not found [${found.index}]/[${found.id}]`);
  }
  return { body: visible };
}

/** A document as `_doc` and `_mget` show it, in steps. */
export function* documentBody(
  engine: Engine,
  doc: StoredDoc,
  spec: GetSpec,
): Generator<void, ReplyObject, undefined> {
  const info = engine.indices.info(doc.index);
  const fields =
    spec.storedFields.length === 0 || info === undefined
      ? undefined
      : storedFields(info.mappings, doc.source, spec.storedFields);
  return {
    _index: doc.index,
    ...typeMember(doc.type),
    _id: doc.id,
    _version: doc.version,
    _seq_no: doc.seqNo,
    _primary_term: 1,
    _routing: doc.routing,
    _ignored: doc.ignored === undefined ? undefined : [...doc.ignored],
    found: true,
    _source: yield* visibleSource(info?.mappings, doc.source, spec.source),
    fields,
  };
}

interface Found {
  readonly index: string;
  readonly id: string;
  readonly doc: StoredDoc | undefined;
  readonly info: IndexInfo;
}

async function findDocument(call: Call, engine: Engine): Promise<Found> {
  const { index: name = '', id = '', type } = call.path;
  const info = resolveOne(engine, name);
  if (call.params.boolean('refresh') === true) await engine.indices.refresh([info.name]);
  const realtime = call.params.boolean('realtime') ?? true;
  const doc = await fetchDocument(engine, info.name, id, { realtime });
  const isRequested =
    doc !== undefined &&
    (type === undefined || doc.type === type) &&
    onSameShard(info, doc, call.params.string('routing'));
  return { index: info.name, id, doc: isRequested ? doc : undefined, info };
}

function checkVersion(doc: StoredDoc, params: Params, engine: Engine): void {
  parseVersionType(params.string('version_type'));
  requireVersion(doc, params.integer('version'), engine);
}

/** Throws if a version is given that is not that of the document. */
export function requireVersion(doc: StoredDoc, version: number | undefined, engine: Engine): void {
  if (version === undefined || doc.version === version) return;
  throw new EngineError(
    'version_conflict_engine_exception',
    `[${doc.id}]: version conflict, current version [${doc.version}] is different than the one provided [${version}]`,
    { details: { index: doc.index, shard: '0', index_uuid: engine.indices.info(doc.index)?.uuid ?? '_na_' } },
  );
}
