// Points in time: leases on snapshots without a position, in the endpoints of OpenSearch
// (`_search/point_in_time`) and Elasticsearch (`_pit`).

import { illegalArgument, type JsonObject, type JsonValue, type Lease, refuseBlocked } from '@octavo/engine';
import { SearchPhaseError } from '../../../errors/error-body.ts';
import { throwIfInvalid, validationError } from '../../../errors/validation-error.ts';
import type { MaybePromise } from '../../../sync-first.ts';
import { RESOLVE_PARAMS } from '../../resolve/resolve.ts';
import { searchShards } from '../../resolve/shards.ts';
import { searchTarget, type Target } from '../../resolve/target.ts';
import type { Call, Reply, Route, Services } from '../../router/route.ts';
import { atPosition } from '../body/search-request.ts';
import type { PitSpec, SearchCall, SearchSpec } from '../body/search-spec.ts';
import { sliceOf } from '../body/slice.ts';
import { searchReply } from '../page/search-reply.ts';
import { translateSearch } from '../translated-searches.ts';
import { checkKeepAlive, contextMissing, findOpenLease, leaseId, readLeaseId } from './lease-id.ts';
import { readIds } from './scroll.ts';

const OPEN_PARAMS = [
  ...RESOLVE_PARAMS,
  'allow_partial_pit_creation',
  'allow_partial_search_results',
  'keep_alive',
  'preference',
  'routing',
];
const MAX_KEEP_ALIVE = 'point_in_time.max_keep_alive';

/** The rows of this family. */
export const pitRoutes: readonly Route[] = [
  { methods: ['POST'], path: '/{index}/_search/point_in_time', params: OPEN_PARAMS, handle: open },
  { methods: ['DELETE'], path: '/_search/point_in_time', params: [], handle: close },
  { methods: ['DELETE'], path: '/_search/point_in_time/_all', params: [], handle: closeAll },
  { methods: ['GET'], path: '/_search/point_in_time/_all', params: [], handle: list },
  { methods: ['POST'], path: '/{index}/_pit', params: OPEN_PARAMS, handle: openElastic },
  { methods: ['DELETE'], path: '/_pit', params: [], handle: closeElastic },
];

/** The state of a point in time in its lease. */
interface PitState {
  readonly indices: string[];
  readonly filters: [string, JsonObject][];
  readonly createdAt: number;
  keepAliveMs: number;
  /** True if it was opened by `_pit`: Elasticsearch requires the tiebreak in `search_after`. */
  readonly elastic: boolean;
}

function open(call: Call, services: Services): Reply {
  const { lease, state, target } = openPit(call, services, false);
  return {
    body: {
      pit_id: leaseId('pit', lease.id),
      _shards: searchShards(target.infos),
      creation_time: state.createdAt,
    },
  };
}

function openElastic(call: Call, services: Services): Reply {
  const { lease, target } = openPit(call, services, true);
  return { body: { id: leaseId('pit', lease.id), _shards: searchShards(target.infos) } };
}

function openPit(
  call: Call,
  services: Services,
  elastic: boolean,
): { lease: Lease; state: PitState; target: Target } {
  const keepAliveMs = call.params.millis('keep_alive');
  if (keepAliveMs === undefined) throw validationError(['keep alive not specified']);
  checkKeepAlive(keepAliveMs, services, MAX_KEEP_ALIVE);
  const { engine } = services;
  const target = searchTarget(engine, call);
  for (const info of target.infos) refuseBlocked(info, 'read');
  const state: PitState = {
    indices: [...target.indices],
    filters: [...(target.filters ?? [])],
    createdAt: Date.now(),
    keepAliveMs,
    elastic,
  };
  const lease = engine.openLease({
    kind: 'pit',
    keepAliveMs,
    state: state as unknown as JsonValue,
    indices: state.indices,
  });
  return { lease, state, target };
}

/** A search over a point in time. */
export function searchPit(
  call: SearchCall,
  services: Services,
  spec: SearchSpec,
  pit: PitSpec,
  started: number,
): MaybePromise<Reply> {
  const { engine, limits, nodeId } = services;
  throwIfInvalid(complaints(call));
  const { id, lease } = findOpenLease('pit', pit.id, (each) => {
    const found = engine.lease(each);
    if (found === undefined)
      throw new SearchPhaseError([{ index: undefined, error: contextMissing(each) }], nodeId);
    return found;
  });
  const state = lease.state as unknown as PitState;
  if (pit.keepAliveMs !== undefined) {
    checkKeepAlive(pit.keepAliveMs, services, MAX_KEEP_ALIVE);
    engine.lease(id, pit.keepAliveMs);
    state.keepAliveMs = Math.max(state.keepAliveMs, pit.keepAliveMs);
    lease.state = state as unknown as JsonValue;
  }
  const infos = state.indices.map((name) => engine.indices.info(name)).filter((info) => info !== undefined);
  if (infos.length < state.indices.length) {
    throw new SearchPhaseError([{ index: undefined, error: contextMissing(id) }], nodeId);
  }
  const filters = new Map(state.filters);
  const target: Target = {
    infos,
    indices: state.indices,
    expression: state.indices,
    filters: filters.size === 0 ? undefined : filters,
  };
  spec.sort = withTiebreak(spec, state);
  const { list, writer } = translateSearch(spec, target, services);
  const request = {
    ...atPosition(list, spec, call, limits),
    ...sliceOf(spec, 'pit'),
    snapshot: lease.snapshot,
  };
  return searchReply({ call, services, target, spec, request, writer, started, first: { pit_id: pit.id } });
}

function complaints(call: SearchCall): string[] {
  const out: string[] = [];
  if (call.params.has('scroll')) out.push('using [point in time] is not allowed in a scroll context');
  if (call.path['index'] !== undefined) out.push('[indices] cannot be used with point in time');
  if (call.params.has('routing')) out.push('[routing] cannot be used with point in time');
  if (call.params.has('preference')) out.push('[preference] cannot be used with point in time');
  return out;
}

const TIEBREAK = '_shard_doc';

/**
 * A sort over a point in time ends in `_shard_doc`, so that paging by `search_after` meets every document, tied or not. Clients of
 * OpenSearch 3.1 do not know the tiebreak: a `search_after` of the other values goes on after the last tie.
 */
function withTiebreak(spec: SearchSpec, { elastic, indices }: PitState): JsonValue | undefined {
  const { sort, searchAfter, collapse } = spec;
  // Collapsed hits keep their order: groups have no positions for `search_after`.
  if (sort === undefined || collapse !== undefined) return sort;
  const entries = Array.isArray(sort) ? sort : [sort];
  const fields = entries.flatMap(fieldsOf);
  if (fields.length === 0 || fields.includes(TIEBREAK)) return sort;
  if (!elastic) {
    const total = fields.includes('_doc') || (fields.includes('_id') && indices.length === 1);
    if (total || searchAfter?.length === fields.length) return sort;
  }
  return [...entries, TIEBREAK];
}

function fieldsOf(entry: JsonValue): string[] {
  return typeof entry === 'object' && entry !== null ? Object.keys(entry) : [String(entry)];
}

function close(call: Call, { engine }: Services): Reply {
  const ids = readIds(call, 'pit_id', undefined);
  if (ids.length === 0) throw validationError(['no pit ids specified']);
  if (ids.length === 1 && ids[0] === '_all') return closeAll(call, { engine });
  const leases = ids.map((text): [string, string] => [text, pitLease(text)]);
  for (const [, id] of leases) engine.closeLease(id);
  return { body: { pits: leases.map(([text]) => ({ successful: true, pit_id: text })) } };
}

function closeAll(_call: Call, { engine }: Pick<Services, 'engine'>): Reply {
  const pits = engine.leases('pit').map((lease) => {
    engine.closeLease(lease.id);
    return { successful: true, pit_id: leaseId('pit', lease.id) };
  });
  return { body: { pits } };
}

function list(_call: Call, { engine }: Services): Reply {
  const pits = engine.leases('pit').map((lease) => {
    const state = lease.state as unknown as PitState;
    return {
      pit_id: leaseId('pit', lease.id),
      creation_time: state.createdAt,
      keep_alive: state.keepAliveMs,
    };
  });
  return { body: { pits } };
}

function closeElastic(call: Call, { engine }: Services): Reply {
  const [text] = readIds(call, 'id', undefined);
  if (text === undefined) throw illegalArgument('Required [id]');
  const freed = engine.closeLease(pitLease(text));
  return { status: freed ? 200 : 404, body: { succeeded: true, num_freed: freed ? 1 : 0 } };
}

function pitLease(text: string): string {
  const id = readLeaseId('pit', text);
  if (id === undefined) throw illegalArgument(`invalid id: [${text}]`);
  return id;
}
