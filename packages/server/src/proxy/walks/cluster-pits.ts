// Points in time over a cluster, in both dialects. The caller gets a sealed id; a search over it finds only
// what the caller may see now, and only the caller can close it.

import { randomUUID } from 'node:crypto';
import { illegalArgument, isObject, type JsonObject, type JsonValue } from '@octavo/engine';
import { validationError } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { RawJson } from '../../json/reply-value.ts';
import { parseMillis } from '../../wire/router/query-params.ts';
import type { Reply } from '../../wire/router/route.ts';
import { readIds } from '../../wire/search/leases/scroll.ts';
import { rawMembers, wholeRange } from '../client/raw-json.ts';
import type { ResolvedIndices } from '../request/cluster-caller.ts';
import { forward, type ProxyRequest } from '../request/forward.ts';
import { checkPitKeepAlive, closePits, openPit } from './pit-calls.ts';
import { openId, type SealedWalkId, sealId } from './sealed-id.ts';

const SEARCH = 'indices:data/read/search';
/** Parameters of the request that are forwarded. */
const OPEN_PARAMS = [
  'routing',
  'preference',
  'allow_partial_pit_creation',
  'allow_partial_search_results',
] as const;

/** `POST /{index}/_search/point_in_time`, and `/{index}/_pit`. */
export async function openPointInTime(request: ProxyRequest): Promise<Reply> {
  const { call, services, caller, cluster, quota, route } = request;
  caller.require('read', SEARCH, call.path['index']);
  const keepAlive = call.params.string('keep_alive');
  const life = call.params.millis('keep_alive');
  if (keepAlive === undefined || life === undefined) throw validationError(['keep alive not specified']);
  checkPitKeepAlive(life, services);
  quota.require(services.principal.id, Date.now());
  const indices = await caller.resolveIndices(call.path['index'], call.params);
  const path = indices.path ?? encodeURIComponent(call.path['index'] ?? '_all').replaceAll('%2C', ',');
  const params = OPEN_PARAMS.flatMap((name) => {
    const value = call.params.string(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { id, answer } = await openPit(cluster, path, keepAlive, Object.fromEntries(params));
  const state: SealedWalkId = { name: randomUUID(), pit: id, path, narrowing: indices.narrowing };
  quota.add(services.principal.id, state.name, Date.now() + life);
  const sealed = await sealId('pit', state, services);
  const { id: _, pit_id: __, creation_time, ...rest } = rawMembers(answer.body, wholeRange(answer.body));
  return route.endsWith('_pit')
    ? { body: { id: sealed, ...rest } }
    : { body: { pit_id: sealed, ...rest, creation_time: creation_time ?? Date.now() } };
}

/** A search over a point in time, as it is sent to the cluster. */
interface PitSearch {
  readonly body: JsonObject;
  readonly indices: ResolvedIndices;
  /** Puts the caller's id into the reply. */
  withCallerId(reply: Reply): Promise<Reply>;
}

/** Opens the sealed id that a body names. */
export async function searchOverPit(
  request: ProxyRequest,
  body: JsonObject,
  pit: JsonValue,
): Promise<PitSearch> {
  const { call, caller, services } = request;
  if (!isObject(pit) || typeof pit['id'] !== 'string') throw illegalArgument('[pit] needs an [id]');
  if (call.path['index'] !== undefined)
    throw validationError(['[indices] cannot be used with point in time']);
  if (call.params.has('scroll'))
    throw validationError(['using [point in time] is not allowed in a scroll context']);
  const keepAlive = pit['keep_alive'];
  if (keepAlive !== undefined) checkPitKeepAlive(parseMillis(String(keepAlive), 'keep_alive'), services);
  const text = pit['id'];
  const state = await openId('pit', text, services);
  // The key's rights may have changed since the point in time was opened.
  if (!caller.seesAll) for (const name of namesOf(state)) caller.rules.requireIndex(name, SEARCH);
  if (keepAlive !== undefined)
    request.quota.add(
      services.principal.id,
      state.name,
      Date.now() + parseMillis(String(keepAlive), 'keep_alive'),
    );
  return {
    body: { ...body, pit: { ...pit, id: state.pit } },
    indices: { path: undefined, pitPath: state.path, narrowing: caller.narrow(state.narrowing) },
    async withCallerId(reply) {
      const found =
        reply.body instanceof RawJson
          ? rawMembers(reply.body.bytes, wholeRange(reply.body.bytes))
          : reply.body;
      if (!isObjectReply(found) || !('pit_id' in found)) return reply;
      return { ...reply, body: { ...found, pit_id: text } };
    },
  };
}

function isObjectReply(value: unknown): value is ReplyObject {
  return typeof value === 'object' && value !== null;
}

function namesOf({ path }: SealedWalkId): string[] {
  return path === undefined || path === '*,-*' ? [] : decodeURIComponent(path).split(',');
}

/** `DELETE /_search/point_in_time`. */
export async function closePointsInTime(request: ProxyRequest): Promise<Reply> {
  const { call, services, caller, cluster, quota } = request;
  caller.require('read', SEARCH);
  const texts = readIds(call, 'pit_id', undefined);
  if (texts.length === 0) throw validationError(['no pit ids specified']);
  const states = await Promise.all(texts.map((text) => openId('pit', text, services)));
  await closePits(
    cluster,
    states.map(({ pit }) => pit),
  );
  for (const { name } of states) quota.remove(name);
  return { body: { pits: texts.map((pit_id) => ({ successful: true, pit_id })) } };
}

/** `DELETE /_pit`. */
export async function closeElasticPit(request: ProxyRequest): Promise<Reply> {
  const { call, services, caller, cluster, quota } = request;
  caller.require('read', SEARCH);
  const [text] = readIds(call, 'id', undefined);
  if (text === undefined) throw illegalArgument('Required [id]');
  const state = await openId('pit', text, services);
  const [freed] = await closePits(cluster, [state.pit]);
  quota.remove(state.name);
  return { status: freed ? 200 : 404, body: { succeeded: true, num_freed: freed ? 1 : 0 } };
}

/**
 * `_search/point_in_time/_all`, for callers that see everything: the cluster knows nothing of our callers.
 */
export async function listPointsInTime(request: ProxyRequest): Promise<Reply> {
  request.caller.require('admin', SEARCH);
  request.caller.requireAll(SEARCH);
  return await forward(request, { repeatable: true });
}
