// Points in time over a cluster: opened in either dialect, known to the caller by sealed ids, searched within what it may
// see now, and closed by it alone.

import { randomUUID } from 'node:crypto';
import { illegalArgument, type JsonObject, type JsonValue } from '@octavo/engine';
import { invalid } from '../../errors/validation.ts';
import { isObject } from '../../json/json-body.ts';
import { parseMillis } from '../../wire/router/query-params.ts';
import { RawJson, type ReplyObject } from '../../json/reply-value.ts';
import type { Reply } from '../../wire/router/route.ts';
import { readIds } from '../../wire/search/leases/scroll.ts';
import type { Reach } from '../caller.ts';
import { rawMembers, wholeOf } from '../client/raw-json.ts';
import { forward, type Forwarded } from '../forward.ts';
import { checkLife } from './lease-life.ts';
import { closePits, openPit } from './pit-calls.ts';
import { openId, type SealedState, sealId } from './sealed-id.ts';

const SEARCH = 'indices:data/read/search';
/** Parameters of opening that the cluster is told. */
const OPENING = [
  'routing',
  'preference',
  'allow_partial_pit_creation',
  'allow_partial_search_results',
] as const;

/** `POST /{index}/_search/point_in_time`, and `/{index}/_pit`. */
export async function openPoint(asked: Forwarded): Promise<Reply> {
  const { call, services, caller, cluster, quota, route } = asked;
  caller.require('read', SEARCH, call.path['index']);
  const keepAlive = call.params.string('keep_alive');
  const life = call.params.millis('keep_alive');
  if (keepAlive === undefined || life === undefined) throw invalid(['keep alive not specified']);
  checkLife(life, services);
  quota.require(services.principal.id, Date.now());
  const reach = await caller.reach(call.path['index'], call.params);
  const path = reach.path ?? encodeURIComponent(call.path['index'] ?? '_all').replaceAll('%2C', ',');
  const params = OPENING.flatMap((name) => {
    const value = call.params.string(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const { id, answer } = await openPit(cluster, path, keepAlive, Object.fromEntries(params));
  const state: SealedState = { name: randomUUID(), pit: id, path, narrowing: reach.narrowing };
  quota.opened(services.principal.id, state.name, Date.now() + life);
  const sealed = await sealId('pit', state, services);
  const { id: _, pit_id: __, creation_time, ...rest } = rawMembers(answer.body, wholeOf(answer.body));
  return route.endsWith('_pit')
    ? { body: { id: sealed, ...rest } }
    : { body: { pit_id: sealed, ...rest, creation_time: creation_time ?? Date.now() } };
}

/** A search over a point in time as the cluster is asked it, and how its reply goes out. */
export interface OverPoint {
  readonly body: JsonObject;
  readonly reach: Reach;
  /** The reply with the caller's own id. */
  wrap(reply: Reply): Promise<Reply>;
}

/** Opens the id that a body names. */
export async function overPoint(asked: Forwarded, body: JsonObject, pit: JsonValue): Promise<OverPoint> {
  const { call, caller, services } = asked;
  if (!isObject(pit) || typeof pit['id'] !== 'string') throw illegalArgument('[pit] needs an [id]');
  if (call.path['index'] !== undefined) throw invalid(['[indices] cannot be used with point in time']);
  if (call.params.has('scroll')) throw invalid(['using [point in time] is not allowed in a scroll context']);
  const keepAlive = pit['keep_alive'];
  if (keepAlive !== undefined) checkLife(parseMillis(String(keepAlive), 'keep_alive'), services);
  const text = pit['id'];
  const state = await openId('pit', text, services);
  // What the key may see can have changed since the point was opened.
  if (!caller.seesAll) for (const name of namesOf(state)) caller.rules.requireIndex(name, SEARCH);
  if (keepAlive !== undefined)
    asked.quota.opened(
      services.principal.id,
      state.name,
      Date.now() + parseMillis(String(keepAlive), 'keep_alive'),
    );
  return {
    body: { ...body, pit: { ...pit, id: state.pit } },
    reach: { path: undefined, names: state.path, narrowing: caller.narrowed(state.narrowing) },
    async wrap(reply) {
      const found =
        reply.body instanceof RawJson ? rawMembers(reply.body.bytes, wholeOf(reply.body.bytes)) : reply.body;
      if (!isObjectReply(found) || !('pit_id' in found)) return reply;
      return { ...reply, body: { ...found, pit_id: text } };
    },
  };
}

function isObjectReply(value: unknown): value is ReplyObject {
  return typeof value === 'object' && value !== null;
}

function namesOf({ path }: SealedState): string[] {
  return path === undefined || path === '*,-*' ? [] : decodeURIComponent(path).split(',');
}

/** `DELETE /_search/point_in_time`. */
export async function closePoints(asked: Forwarded): Promise<Reply> {
  const { call, services, caller, cluster, quota } = asked;
  caller.require('read', SEARCH);
  const texts = readIds(call, 'pit_id', undefined);
  if (texts.length === 0) throw invalid(['no pit ids specified']);
  const states = await Promise.all(texts.map((text) => openId('pit', text, services)));
  await closePits(
    cluster,
    states.map(({ pit }) => pit),
  );
  for (const { name } of states) quota.closed(name);
  return { body: { pits: texts.map((pit_id) => ({ successful: true, pit_id })) } };
}

/** `DELETE /_pit`. */
export async function closeElastic(asked: Forwarded): Promise<Reply> {
  const { call, services, caller, cluster, quota } = asked;
  caller.require('read', SEARCH);
  const [text] = readIds(call, 'id', undefined);
  if (text === undefined) throw illegalArgument('Required [id]');
  const state = await openId('pit', text, services);
  const [freed] = await closePits(cluster, [state.pit]);
  quota.closed(state.name);
  return { status: freed ? 200 : 404, body: { succeeded: true, num_freed: freed ? 1 : 0 } };
}

/** `_search/point_in_time/_all`: the cluster knows no callers, so it is for those who may see everything. */
export async function allPoints(asked: Forwarded): Promise<Reply> {
  asked.caller.require('admin', SEARCH);
  asked.caller.requireAll(SEARCH);
  return await forward(asked, { repeatable: true });
}
