// Scrolls: a lease on a snapshot, with the request and a position. A page is found by its rank, so the last
// page costs what the first does. Only the position changes between pages: `now` and the state of the indices
// are those of the first page.

import {
  type EngineError,
  illegalArgument,
  isObject,
  type JsonObject,
  type JsonValue,
  type Lease,
} from '@octavo/engine';
import { SearchPhaseError } from '../../../errors/error-body.ts';
import { throwIfInvalid, validationError } from '../../../errors/validation-error.ts';
import { firstTokenName } from '../../../json/json-body.ts';
import type { ReplyObject } from '../../../json/reply-value.ts';
import { chain, type MaybePromise, rescue } from '../../../sync-first.ts';
import type { Target } from '../../resolve/target.ts';
import { parseMillis } from '../../router/query-params.ts';
import type { Call, Reply, Route, Services } from '../../router/route.ts';
import { atPosition } from '../body/search-request.ts';
import type { SearchCall, SearchSpec } from '../body/search-spec.ts';
import { sliceOf } from '../body/slice.ts';
import { pageReply } from '../page/search-reply.ts';
import { translateSearch } from '../translated-searches.ts';
import { infosByName, recallInfos, rememberInfos } from './index-info-memo.ts';
import { checkKeepAlive, contextMissing, findOpenLease, leaseId, readLeaseId } from './lease-id.ts';
import { readScrollList, type ScrollList, scrollListOf, withFixedLookups } from './scroll-list.ts';

const SCROLL_PARAMS = ['rest_total_hits_as_int', 'scroll', 'scroll_id', 'scroll_seq'];
const CLEAR_PARAMS = ['scroll_id'];
const METHODS = ['GET', 'POST', 'QUERY'] as const;
const MAX_KEEP_ALIVE = 'search.max_keep_alive';

/** The rows of this family. */
export const scrollRoutes: readonly Route[] = [
  { methods: METHODS, path: '/_search/scroll', params: SCROLL_PARAMS, handle: nextPage },
  { methods: METHODS, path: '/_search/scroll/{scroll_id}', params: SCROLL_PARAMS, handle: nextPage },
  { methods: ['DELETE'], path: '/_search/scroll', params: CLEAR_PARAMS, handle: clear },
  { methods: ['DELETE'], path: '/_search/scroll/{scroll_id}', params: CLEAR_PARAMS, handle: clear },
];

/** The state of a scroll in its lease. It is small, because there may be very many scrolls. */
interface ScrollState {
  /** Without the indices that failed on the first page, even if only its aggregations failed there. */
  list: ScrollList;
  /** The number of hits that were returned so far. */
  position: number;
  /** The meaning of `now` for all pages: another moment would give another list with other ranks. */
  readonly now: number;
  /**
   * Stands for the state of the indices at the first page (`rememberInfos`): their changes would give other
   * ranks, too.
   */
  readonly infosNumber: number;
}

/** Answers the first page of a scroll, and opens its lease. */
export function openScroll(
  call: SearchCall,
  services: Services,
  spec: SearchSpec,
  target: Target,
  body: JsonObject,
  started: number,
): MaybePromise<Reply> {
  const { engine, limits, nodeId } = services;
  const keepAliveMs = Math.max(0, call.params.millis('scroll') ?? 0);
  throwIfInvalid(scrollComplaints(spec, call));
  try {
    checkKeepAlive(keepAliveMs, services, MAX_KEEP_ALIVE);
    if (spec.searchAfter !== undefined) {
      throw illegalArgument('`search_after` cannot be used in a scroll context.');
    }
  } catch (error) {
    throw new SearchPhaseError([{ index: target.indices[0], error: error as EngineError }], nodeId);
  }
  const size = spec.size ?? 10;
  const fixed = withFixedLookups(body, { engine, indices: target.indices }, limits.leaseStateBytes);
  const list = scrollListOf(fixed, call.queryString, target, size);
  const state: ScrollState = {
    list,
    position: size,
    now: Date.now(),
    infosNumber: rememberInfos(target.infos, engine.indices),
  };
  if (call.body.length > limits.leaseStateBytes) {
    throw illegalArgument(`the request of a scroll may have [${limits.leaseStateBytes}] bytes at most`);
  }
  if (spec.asOf !== undefined) services.snapshots.require(spec.asOf);
  const lease = engine.openLease({
    kind: 'scroll',
    keepAliveMs,
    state: state as unknown as JsonValue,
    indices: list.indices,
    ...(spec.asOf === undefined ? {} : { snapshot: spec.asOf }),
  });
  const find = (): MaybePromise<Reply> => {
    const { list, writer } = translateSearch(spec, target, services);
    const request = {
      ...atPosition(list, spec, call, limits),
      ...sliceOf(spec, 'scroll'),
      snapshot: lease.snapshot,
      now: state.now,
      as: infosByName(target.infos),
    };
    const first = { _scroll_id: leaseId('scroll', lease.id), ...sequenceMember(call, 1) };
    return pageReply({ call, services, target, spec, request, writer, started, first });
  };
  const reply = rescue(find, (thrown) => {
    engine.closeLease(lease.id);
    throw thrown;
  });
  return chain(reply, (reply) => {
    const { failedIndices } = reply;
    if (failedIndices === undefined) return reply;
    const indices = target.indices.filter((name) => !failedIndices.has(name));
    state.list = scrollListOf(fixed, call.queryString, { ...target, indices }, size);
    lease.state = state as unknown as JsonValue;
    return reply;
  });
}

/** Complaints about members that a scroll cannot have. */
export function scrollComplaints(spec: SearchSpec, call: Pick<SearchCall, 'params'>): string[] {
  const out: string[] = [];
  if ((spec.from ?? 0) > 0 || spec.page !== undefined)
    out.push('using [from] is not allowed in a scroll context');
  if (spec.size === 0) out.push('[size] cannot be [0] in a scroll context');
  if (spec.trackTotalHits === false)
    out.push('disabling [track_total_hits] is not allowed in a scroll context');
  if (call.params.boolean('request_cache') === true)
    out.push('[request_cache] cannot be used in a scroll context');
  if (spec.collapse !== undefined) out.push('cannot use `collapse` in a scroll context');
  if (spec.rescore.length > 0) out.push('using [rescore] is not allowed in a scroll context');
  if (spec.nextToken !== undefined || spec.tokens) out.push('tokens cannot be used in a scroll context');
  return out;
}

function nextPage(call: Call, services: Services): MaybePromise<Reply> {
  const started = performance.now();
  const { engine, nodeId } = services;
  const { scrollId, keepAlive } = readScroll(call);
  if (scrollId === undefined) throw validationError(['scrollId is missing']);
  const seq = readSequence(call);
  const { id, lease } = findOpenLease('scroll', scrollId, (each) => {
    const found = engine.lease(each);
    if (found === undefined) throw missing(each, nodeId);
    return found;
  });
  if (keepAlive !== undefined) {
    checkKeepAlive(keepAlive, services, MAX_KEEP_ALIVE);
    engine.lease(id, keepAlive);
  }
  const state = lease.state as unknown as ScrollState;
  const { size } = state.list;
  const from = seq === undefined ? state.position : (seq - 1) * size;
  advance(lease, state, from + size);
  const ids = keepAlive === undefined ? {} : { _scroll_id: scrollId };
  const first = { ...ids, ...sequenceMember(call, from / size + 1) };
  const reply = rescue(
    () => pageAt(call, services, lease, state, from, started, first),
    (thrown) => {
      // The page was not returned: the next request gets it.
      if (state.position === from + size) advance(lease, state, from);
      throw thrown;
    },
  );
  return chain(reply, (reply) => {
    if (keepAlive === undefined) engine.closeLease(id);
    return reply;
  });
}

function advance(lease: Lease, state: ScrollState, position: number): void {
  state.position = position;
  lease.state = state as unknown as JsonValue;
}

function pageAt(
  call: Call,
  services: Services,
  lease: Lease,
  { list, now, infosNumber }: ScrollState,
  from: number,
  started: number,
  first: ReplyObject,
): MaybePromise<Reply> {
  const read = readScrollList(list, services);
  if (read === undefined) throw missing(lease.id, services.nodeId);
  const { target, writer } = read;
  const totalAsInt = call.params.boolean('rest_total_hits_as_int') ?? false;
  const spec = totalAsInt === read.spec.totalAsInt ? read.spec : { ...read.spec, totalAsInt };
  const as = recallInfos(infosNumber);
  const request = {
    ...read.list,
    ...{ from, snapshot: lease.snapshot, now, caller: call },
    ...(as === undefined ? {} : { as }),
  };
  return pageReply({ call, services, target, spec, request, writer, started, first });
}

/** The error for a scroll that has ended, as the peer's shards report it. */
function missing(id: string, nodeId: string): EngineError {
  return new SearchPhaseError([{ index: undefined, error: contextMissing(id) }], nodeId);
}

/** `scroll_seq=n` asks for the n-th page, so that a page whose reply was lost can be requested again. */
export function readSequence(call: Call): number | undefined {
  if (!call.params.has('scroll_seq') || call.params.string('scroll_seq') === '') return undefined;
  const seq = call.params.integer('scroll_seq')!;
  if (seq < 1) throw illegalArgument(`[scroll_seq] counts pages from 1, found [${seq}]`);
  return seq;
}

function sequenceMember(call: Pick<Call, 'params'>, seq: number): ReplyObject {
  return call.params.has('scroll_seq') ? { scroll_seq: seq } : {};
}

/** The id and life of a scroll in a call; `text` is the life as it was written. */
export function readScroll(call: Call): {
  scrollId: string | undefined;
  keepAlive: number | undefined;
  text: string | undefined;
} {
  let scrollId = call.path['scroll_id'] ?? call.params.string('scroll_id');
  let keepAlive = call.params.millis('scroll');
  let text = call.params.string('scroll');
  for (const [name, value] of Object.entries(call.object())) {
    if (name === 'scroll_id' && typeof value === 'string') scrollId = value;
    else if (name === 'scroll' && typeof value === 'string') {
      keepAlive = parseMillis(value, 'scroll');
      text = value;
    } else throw unknownParameter(name, value);
  }
  return { scrollId, keepAlive, text };
}

/** The ids of the scrolls that a call closes. */
export function readClearIds(call: Call): string[] {
  const requested = readIds(call, 'scroll_id', call.path['scroll_id'] ?? call.params.string('scroll_id'));
  if (requested.length === 0) throw validationError(['no scroll ids specified']);
  return requested;
}

function clear(call: Call, { engine }: Services): Reply {
  const requested = readClearIds(call);
  const ids = requested.includes('_all')
    ? engine.leases('scroll').map((lease) => lease.id)
    : requested.map((text) => {
        const id = readLeaseId('scroll', text);
        if (id === undefined) throw illegalArgument('Cannot parse scroll id');
        return id;
      });
  let freed = 0;
  for (const id of ids) if (engine.closeLease(id)) freed++;
  return {
    status: freed > 0 || requested.includes('_all') ? 200 : 404,
    body: { succeeded: true, num_freed: freed },
  };
}

/** The ids of a body `{name: id | [ids]}`, or of the comma-separated list in path or parameter. */
export function readIds(call: Call, name: string, list: string | undefined): string[] {
  let ids = list === undefined ? [] : list.split(',').filter((each) => each !== '');
  for (const [key, value] of Object.entries(call.object())) {
    const values = Array.isArray(value) ? value : [value];
    if (key !== name || isObject(value) || !values.every((each) => typeof each === 'string')) {
      throw unknownParameter(key, value);
    }
    ids = values as string[];
  }
  return ids;
}

function unknownParameter(name: string, value: JsonValue): EngineError {
  return illegalArgument(
    `Unknown parameter [${name}] in request body or parameter is of the wrong type[${firstTokenName(value)}] `,
  );
}
