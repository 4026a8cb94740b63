// Scrolls over a cluster. A page is a search over a point in time after the sort values of the last hit, so
// requesting a page again returns the same page. The sealed scroll id holds the position; the walk survives
// lost replies, nodes and servers. If the point in time is lost with its node, a new one is opened after the
// last hit, and the page says `renewed`.

import { randomUUID } from 'node:crypto';
import { illegalArgument, type JsonObject, type JsonValue, stringifyJson } from '@octavo/engine';
import { SearchPhaseError } from '../../errors/error-body.ts';
import { throwIfInvalid, validationError } from '../../errors/validation-error.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import { QueryParams } from '../../wire/router/query-params.ts';
import type { Call, Reply } from '../../wire/router/route.ts';
import { readSearch } from '../../wire/search/body/search-request.ts';
import { TOKEN_NAMES } from '../../wire/search/body/search-spec.ts';
import { contextMissing } from '../../wire/search/leases/lease-id.ts';
import { readClearIds, readScroll, readSequence, scrollComplaints } from '../../wire/search/leases/scroll.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import type { NodeAnswer } from '../client/send.ts';
import type { ResolvedIndices } from '../request/cluster-caller.ts';
import { type ProxyRequest, type ProxyServices, replyFrom } from '../request/forward.ts';
import { narrowQuery } from '../request/restrictions.ts';
import { ClusterPage } from './cluster-page.ts';
import { printSort, sortEntries, withTiebreak } from './cluster-sort.ts';
import { checkPitKeepAlive, closePits, isPitLost, openPit } from './pit-calls.ts';
import { openId, type SealedWalkId, sealId } from './sealed-id.ts';

const SEARCH = 'indices:data/read/search';
/** Parameters that go into the body or to the point in time. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...QUERY_PARAMS,
  ...['scroll', 'scroll_seq', 'from', 'size', 'sort', 'track_total_hits', 'routing', 'preference', 'pretty'],
  ...['filter_path', 'format', 'source', 'source_content_type', 'ignore_unavailable', 'allow_no_indices'],
  ...['expand_wildcards', 'ignore_throttled', 'search_type', 'request_cache', 'allow_partial_search_results'],
]);
/** Members that only the first page of a scroll has. */
const FIRST_ONLY = ['aggs', 'aggregations', 'suggest'] as const;
/** Waits before a lost point in time is opened again, until other nodes have taken over its shards. */
const WAITS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** The state of a scroll, stored in its id. */
interface ScrollState {
  /** The caller's body without `sort` and `size`. */
  readonly body: JsonObject;
  /** Parameters that decide what is shown. */
  readonly query: string;
  readonly size: number;
  /** The number of sort values the caller sees. */
  readonly shown: number;
  readonly sort: JsonValue[];
  /** The number of pages served, and the sort values of the last hit. */
  readonly seq: number;
  readonly after: JsonValue[];
  readonly total: JsonValue;
  readonly keepAlive: string;
  /** When the scroll expires, in milliseconds since 1970. */
  readonly until: number;
}

/** Opens a scroll and returns its first page: `_search?scroll=1m`. */
export async function openClusterScroll(
  request: ProxyRequest,
  body: JsonObject,
  indices: ResolvedIndices,
): Promise<Reply> {
  const { call, services, cluster } = request;
  const keepAlive = call.params.string('scroll') ?? '';
  const life = call.params.millis('scroll') ?? 0;
  checkPitKeepAlive(life, services);
  const read: Record<string, JsonValue> = {};
  for (const name of READ) if (body[name] !== undefined) read[name] = body[name];
  const spec = readSearch(read, call.params, services);
  throwIfInvalid(scrollComplaints(spec, call));
  if (spec.searchAfter !== undefined)
    throw illegalArgument('`search_after` cannot be used in a scroll context.');
  if (call.body.length > services.limits.leaseStateBytes) {
    throw illegalArgument(
      `the request of a scroll may have [${services.limits.leaseStateBytes}] bytes at most`,
    );
  }
  request.quota.require(services.principal.id, Date.now());
  const own = sortEntries(spec.sort);
  // `_doc` asks for any order; the order of ids can be continued.
  const entries = withTiebreak(own.filter(({ field }) => field !== '_doc'));
  const { from: _, size: __, sort: ___, track_total_hits: ____, ...rest } = body;
  const query = narrowQuery(body, call.params, undefined);
  const walk: ScrollState = {
    body: query === undefined ? rest : { ...rest, query },
    query: call.queryString
      .split('&')
      .filter((part) => !NOT_FORWARDED.has(part.split('=', 1)[0]!))
      .join('&'),
    size: spec.size ?? 10,
    shown: spec.sort === undefined ? 0 : entries.length - 2,
    sort: printSort(entries, false),
    seq: 0,
    after: [],
    total: null,
    keepAlive,
    until: Date.now() + life,
  };
  const { id } = await openPit(cluster, indices.path ?? pathOf(call), keepAlive);
  const name = randomUUID();
  request.quota.add(services.principal.id, name, Date.now() + life);
  const state: SealedWalkId = {
    name,
    pit: id,
    path: indices.path ?? pathOf(call),
    narrowing: indices.narrowing,
  };
  try {
    return await pageOf(request, state, walk, 1, undefined, keepAlive);
  } catch (error) {
    request.quota.remove(name);
    await closePits(cluster, [id]).catch(() => {});
    throw error;
  }
}

/** Members of a body that are read here. */
const READ = [
  ...['query', 'post_filter', 'min_score', 'sort', 'from', 'size', 'search_after', 'collapse', 'slice'],
  ...['page', 'tokens', ...TOKEN_NAMES, 'track_total_hits'],
] as const;

function pathOf({ path }: Call): string {
  return encodeURIComponent(path['index'] ?? '_all')
    .replaceAll('%2C', ',')
    .replaceAll('%2A', '*');
}

/** `_search/scroll`. */
export async function nextScrollPage(request: ProxyRequest): Promise<Reply> {
  const { call, services, scrolls } = request;
  request.caller.require('read', SEARCH);
  const { scrollId, keepAlive: life, text } = readScroll(call);
  if (scrollId === undefined) throw validationError(['scrollId is missing']);
  const seq = readSequence(call);
  if (life !== undefined) checkPitKeepAlive(life, services);
  const state = await openId('scroll', scrollId, services);
  if (!request.caller.seesAll && state.path !== undefined && state.path !== '*,-*') {
    for (const index of decodeURIComponent(state.path).split(','))
      request.caller.rules.requireIndex(index, SEARCH);
  }
  const walk = state.walk as unknown as ScrollState;
  const position = scrolls.get(state.name);
  // The expiry in an early id knows nothing of later extensions.
  if (scrolls.isClosed(state.name) || Math.max(walk.until, position?.until ?? 0) < Date.now())
    throw new SearchPhaseError([{ index: undefined, error: contextMissing(state.name) }], services.nodeId);
  const lastServed = Math.max(position?.last ?? 0, walk.seq);
  const pageNumber = seq ?? lastServed + 1;
  const before = pageNumber - 1;
  const after = before === 0 ? undefined : before === walk.seq ? walk.after : position?.endOfPage(before);
  if (before > 0 && after === undefined) {
    throw illegalArgument(
      `[scroll_seq] names page [${pageNumber}], which this server cannot begin: it has not served the page before; ` +
        'go on with the scroll id of the last page that you have',
    );
  }
  const until = life === undefined ? walk.until : Math.max(walk.until, Date.now() + life);
  if (life !== undefined) request.quota.add(services.principal.id, state.name, until);
  const present = position?.pit === undefined ? state : { ...state, pit: position.pit };
  const reply = await pageOf(
    request,
    present,
    { ...walk, until },
    pageNumber,
    after,
    life === undefined ? undefined : text,
  );
  if (life === undefined)
    await release(request, { ...present, pit: scrolls.get(state.name)?.pit ?? present.pit });
  return reply;
}

async function release({ cluster, quota, scrolls }: ProxyServices, state: SealedWalkId): Promise<boolean> {
  quota.remove(state.name);
  scrolls.close(state.name);
  const [freed = false] = await closePits(cluster, [state.pit]);
  return freed;
}

/** A page and the id of the next one. */
async function pageOf(
  request: ProxyRequest,
  state: SealedWalkId,
  walk: ScrollState,
  seq: number,
  after: JsonValue[] | undefined,
  keepAlive: string | undefined,
): Promise<Reply> {
  const { call, services } = request;
  const life = keepAlive || walk.keepAlive;
  const { answer, pit, renewed } = await searchPit(request, state, walk, after, life);
  const page = new ClusterPage(answer.body);
  const end = (page.hits.at(-1)?.sort as JsonValue[] | undefined) ?? after ?? walk.after;
  const total = after === undefined ? (page.total() ?? null) : walk.total;
  request.scrolls.record(state.name, services.principal.id, { seq, end, pit, until: walk.until });
  const next: ScrollState = { ...walk, seq, after: end, total, keepAlive: life };
  const id = await sealId('scroll', { ...state, pit, walk: next as unknown as JsonObject }, services);
  const asInt = call.params.boolean('rest_total_hits_as_int') === true;
  const first: ReplyObject = {
    ...(keepAlive === undefined ? {} : { _scroll_id: id }),
    ...(call.params.has('scroll_seq') ? { scroll_seq: seq } : {}),
    ...(renewed ? { renewed: true } : {}),
  };
  const printedPage = page.print(page.hits, walk.shown, {}, asInt ? totalNumber(total) : total);
  const { pit_id: _, ...rest } = printedPage;
  return { ...replyFrom(answer, call), body: { ...first, ...rest } };
}

function totalNumber(total: JsonValue): JsonValue {
  return typeof total === 'object' && total !== null && 'value' in total ? (total['value'] ?? null) : total;
}

interface PitAnswer {
  readonly answer: NodeAnswer;
  readonly pit: string;
  readonly renewed: boolean;
}

/** Searches the point in time. If it is lost, opens a new one and continues after the same hit. */
async function searchPit(
  request: ProxyRequest,
  state: SealedWalkId,
  walk: ScrollState,
  after: JsonValue[] | undefined,
  life: string,
): Promise<PitAnswer> {
  let { pit } = state;
  let lost: NodeAnswer | undefined;
  for (const wait of [undefined, ...WAITS_MS]) {
    if (wait !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      try {
        pit = (await openPit(request.cluster, state.path, life)).id;
      } catch (error) {
        if (!(error instanceof ClusterErrorAnswer) || !isPitLost(error.answer)) throw error;
        lost = error.answer;
        continue;
      }
    }
    const answer = await sendSearch(request, { ...state, pit }, walk, after, life);
    if (answer.status < 400) return { answer, pit, renewed: wait !== undefined };
    // A point in time that never existed or was closed is not opened again.
    if (!isPitLost(answer) || after === undefined || request.scrolls.isClosed(state.name))
      throw new ClusterErrorAnswer(answer);
    lost = answer;
  }
  throw new ClusterErrorAnswer(lost!);
}

async function sendSearch(
  request: ProxyRequest,
  state: SealedWalkId,
  walk: ScrollState,
  after: JsonValue[] | undefined,
  life: string,
): Promise<NodeAnswer> {
  const body: Record<string, JsonValue> = { ...walk.body };
  if (after !== undefined) for (const name of FIRST_ONLY) delete body[name];
  const query = narrowQuery(walk.body, NO_PARAMS, request.caller.narrow(state.narrowing));
  const whole: JsonObject = {
    ...body,
    ...(query === undefined ? {} : { query }),
    size: walk.size,
    sort: walk.sort,
    track_total_hits: after === undefined,
    ...(walk.shown === 0 ? { track_scores: true } : {}),
    ...(after === undefined ? {} : { search_after: after }),
    pit: { id: state.pit, keep_alive: life },
  };
  const extra = walk.query === '' ? '' : `&${walk.query}`;
  return await request.cluster.request({
    method: 'POST',
    // A partial page is no page.
    path: `/_search?allow_partial_search_results=false${extra}`,
    body: Buffer.from(stringifyJson(whole), 'utf8'),
    repeatable: true,
    signal: request.call.signal,
  });
}

const NO_PARAMS = new QueryParams('');

/** `DELETE _search/scroll`. */
export async function clearScrolls(request: ProxyRequest): Promise<Reply> {
  const { call, services, caller, scrolls } = request;
  caller.require('read', SEARCH);
  const texts = readClearIds(call);
  if (texts.includes('_all')) {
    const names = scrolls.ofCaller(services.principal.id);
    for (const { name, pit } of names) await release(request, { name, pit });
    return { body: { succeeded: true, num_freed: names.length } };
  }
  let freed = 0;
  for (const text of texts) {
    const state = await openId('scroll', text, services);
    const pit = scrolls.get(state.name)?.pit ?? state.pit;
    if (!scrolls.isClosed(state.name) && (await release(request, { ...state, pit }))) freed++;
  }
  return { status: freed > 0 ? 200 : 404, body: { succeeded: true, num_freed: freed } };
}
