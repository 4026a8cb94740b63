// The endpoints of single documents: `_doc`, `_create`, `_update` and `_source`, and the same under a type of
// the caller.

import { type Engine, illegalArgument, type WriteOp } from '@octavo/engine';
import { fetchDocument } from '../../access/guard/guarded-engine.ts';
import { onSameShard } from '../resolve/shards.ts';
import { requireBody } from '../router/request-body.ts';
import type { Call, Reply, Route, Services } from '../router/route.ts';
import { SOURCE_PARAMS } from '../source/source-filter.ts';
import { GET_PARAMS, getDocument, getSource } from './get-document.ts';
import { updateDocument } from './update.ts';
import {
  applyRefresh,
  parseRefresh,
  refuseContradictions,
  WRITE_PARAMS,
  writeConditions,
} from './write-params.ts';
import { writeReply } from './write-reply.ts';

const DELETE_PARAMS = WRITE_PARAMS.filter((name) => name !== 'pipeline' && name !== 'require_alias');
const INDEX_PARAMS = [...WRITE_PARAMS, 'op_type'];
const UPDATE_PARAMS = [...WRITE_PARAMS, ...SOURCE_PARAMS, 'retry_on_conflict', 'lang'];

/** The rows of this family. */
export const documentRoutes: readonly Route[] = [
  { methods: ['POST'], path: '/{index}/_doc', params: INDEX_PARAMS, handle: indexDocument },
  { methods: ['PUT', 'POST'], path: '/{index}/_doc/{id}', params: INDEX_PARAMS, handle: indexDocument },
  { methods: ['PUT', 'POST'], path: '/{index}/_create/{id}', params: WRITE_PARAMS, handle: createDocument },
  { methods: ['DELETE'], path: '/{index}/_doc/{id}', params: DELETE_PARAMS, handle: deleteDocument },
  { methods: ['GET', 'HEAD'], path: '/{index}/_doc/{id}', params: GET_PARAMS, handle: getDocument },
  { methods: ['GET', 'HEAD'], path: '/{index}/_source/{id}', params: GET_PARAMS, handle: getSource },
  { methods: ['POST'], path: '/{index}/_update/{id}', params: UPDATE_PARAMS, handle: updateDocument },
  { methods: ['POST'], path: '/{index}/{type}', params: INDEX_PARAMS, handle: indexDocument },
  { methods: ['PUT', 'POST'], path: '/{index}/{type}/{id}', params: INDEX_PARAMS, handle: indexDocument },
  {
    methods: ['PUT', 'POST'],
    path: '/{index}/{type}/{id}/_create',
    params: WRITE_PARAMS,
    handle: createDocument,
  },
  { methods: ['DELETE'], path: '/{index}/{type}/{id}', params: DELETE_PARAMS, handle: deleteDocument },
  { methods: ['GET', 'HEAD'], path: '/{index}/{type}/{id}', params: GET_PARAMS, handle: getDocument },
  { methods: ['GET', 'HEAD'], path: '/{index}/{type}/{id}/_source', params: GET_PARAMS, handle: getSource },
  { methods: ['POST'], path: '/{index}/{type}/{id}/_update', params: UPDATE_PARAMS, handle: updateDocument },
];

async function indexDocument(call: Call, services: Services): Promise<Reply> {
  const opType = call.params.string('op_type')?.toLowerCase() ?? 'index';
  if (opType !== 'index' && opType !== 'create') {
    throw illegalArgument(`opType must be 'create' or 'index', found: [${opType}]`);
  }
  requireBody(call);
  // An id that the engine makes is new, so nothing can be overwritten.
  return await write(call, services, call.path['id'] === undefined ? 'create' : opType);
}

async function createDocument(call: Call, services: Services): Promise<Reply> {
  requireBody(call);
  return await write(call, services, 'create');
}

async function deleteDocument(call: Call, services: Services): Promise<Reply> {
  return await write(call, services, 'delete');
}

async function write(
  call: Call,
  { engine, limits }: Services,
  kind: 'index' | 'create' | 'delete',
): Promise<Reply> {
  const { id, type, index = '' } = call.path;
  const conditions = writeConditions(call.params);
  const refresh = parseRefresh(call.params);
  const op: WriteOp = {
    kind,
    index,
    ...(id === undefined ? {} : { id }),
    ...(type === undefined ? {} : { type }),
    ...(kind === 'delete' ? {} : { source: call.body }),
    ...conditions,
  };
  refuseContradictions(op, limits);
  if (kind === 'delete' && (await isOnOtherShard(engine, index, op.id!, conditions.routing))) {
    return notFoundReply(engine, index, op.id!);
  }
  const [result] = await engine.write([op]);
  if (result!.error === undefined) await applyRefresh(engine, refresh, [result!.index]);
  return writeReply(engine, result!, refresh, conditions.routing);
}

/** True if the peer would look for the document on another shard than its own. */
async function isOnOtherShard(
  engine: Engine,
  name: string,
  id: string,
  routing: string | undefined,
): Promise<boolean> {
  const info = engine.indices.info(name);
  if (info === undefined || Number(info.settings['index.number_of_shards'] ?? 1) === 1) return false;
  const doc = await fetchDocument(engine, name, id);
  return doc !== undefined && !onSameShard(info, doc, routing);
}

function notFoundReply(engine: Engine, index: string, id: string): Reply {
  const nothing = { index, id, type: '_doc', version: 1, seqNo: 0, error: undefined, source: undefined };
  return writeReply(engine, { ...nothing, result: 'not_found' }, 'none', undefined);
}
