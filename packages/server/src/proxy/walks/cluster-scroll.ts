// How is a cluster scrolled? Over a point in time, by the sort values of the last hit, so that asking for a page again gives
// the same page. The id holds where the walk stands: a reply, a node or this server may be lost, and it goes on. Where the
// point is lost with its node, another is opened behind the last hit, and the page says so.

import { randomUUID } from 'node:crypto';
import { illegalArgument, type JsonObject, type JsonValue, stringifyJson } from '@octavo/engine';
import { SearchPhaseError } from '../../errors/body.ts';
import { invalid, refuseInvalid } from '../../errors/validation.ts';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import { QueryParams } from '../../wire/router/query-params.ts';
import type { Call, Reply } from '../../wire/router/route.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { readSearch } from '../../wire/search/body/search-request.ts';
import { contextMissing } from '../../wire/search/leases/lease-id.ts';
import { readClearIds, scrollComplaints, readScroll, readSequence } from '../../wire/search/leases/scroll.ts';
import type { Reach } from '../caller.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import type { NodeAnswer } from '../client/send.ts';
import { type ClusterServices, type Forwarded, replyOf } from '../forward.ts';
import { ClusterPage } from '../search/cluster-hits.ts';
import { printed, sortEntries, withTiebreak } from '../search/cluster-order.ts';
import { narrowedQuery } from '../search/restricted-search.ts';
import { checkLife } from './lease-life.ts';
import { closePits, hasLost, openPit } from './pit-calls.ts';
import { openId, type SealedState, sealId } from './sealed-id.ts';

const SEARCH = 'indices:data/read/search';
/** Parameters that are said in the body, or to the point in time. */
const TAKEN: ReadonlySet<string> = new Set([
  ...QUERY_PARAMS,
  ...['scroll', 'scroll_seq', 'from', 'size', 'sort', 'track_total_hits', 'routing', 'preference', 'pretty'],
  ...['filter_path', 'format', 'source', 'source_content_type', 'ignore_unavailable', 'allow_no_indices'],
  ...['expand_wildcards', 'ignore_throttled', 'search_type', 'request_cache', 'allow_partial_search_results'],
]);
/** Only the first page of a scroll has them. */
const FIRST_ONLY = ['aggs', 'aggregations', 'suggest'] as const;
/** Waits before a lost point in time is opened again: until copies of other nodes have taken over. */
const WAITS_MS = [0, 500, 1_000, 2_000, 4_000, 8_000];

/** What is kept of a scroll in its id. */
interface Walk {
  /** The body as the caller sent it, but for what `order` and `size` say. */
  readonly body: JsonObject;
  /** Parameters that say what is shown. */
  readonly query: string;
  readonly size: number;
  /** Sort values that the caller sees. */
  readonly shown: number;
  readonly sort: JsonValue[];
  /** Pages that were given out, and the values behind the last of them. */
  readonly seq: number;
  readonly after: JsonValue[];
  readonly total: JsonValue;
  readonly keepAlive: string;
  /** Milliseconds since 1970 at which it runs out. */
  readonly until: number;
}

/** The first page: `_search?scroll=1m`. */
export async function openScroll(asked: Forwarded, body: JsonObject, reach: Reach): Promise<Reply> {
  const { call, services, cluster } = asked;
  const keepAlive = call.params.string('scroll') ?? '';
  const life = call.params.millis('scroll') ?? 0;
  checkLife(life, services);
  const read: Record<string, JsonValue> = {};
  for (const name of READ) if (body[name] !== undefined) read[name] = body[name];
  const spec = readSearch(read, call.params, services);
  refuseInvalid(scrollComplaints(spec, call));
  if (spec.searchAfter !== undefined)
    throw illegalArgument('`search_after` cannot be used in a scroll context.');
  if (call.body.length > services.limits.leaseStateBytes) {
    throw illegalArgument(
      `the request of a scroll may have [${services.limits.leaseStateBytes}] bytes at most`,
    );
  }
  asked.quota.require(services.principal.id, Date.now());
  const own = sortEntries(spec.sort);
  // Any order will do: that of the ids can be gone on with.
  const entries = withTiebreak(own.filter(({ field }) => field !== '_doc'));
  const { from: _, size: __, sort: ___, track_total_hits: ____, ...rest } = body;
  const query = narrowedQuery(body, call.params, undefined);
  const walk: Walk = {
    body: query === undefined ? rest : { ...rest, query },
    query: call.queryString
      .split('&')
      .filter((part) => !TAKEN.has(part.split('=', 1)[0]!))
      .join('&'),
    size: spec.size ?? 10,
    shown: spec.sort === undefined ? 0 : entries.length - 2,
    sort: printed(entries, false),
    seq: 0,
    after: [],
    total: null,
    keepAlive,
    until: Date.now() + life,
  };
  const { id } = await openPit(cluster, reach.path ?? pathOf(call), keepAlive);
  const name = randomUUID();
  asked.quota.opened(services.principal.id, name, Date.now() + life);
  const state: SealedState = { name, pit: id, path: reach.path ?? pathOf(call), narrowing: reach.narrowing };
  try {
    return await pageOf(asked, state, walk, 1, undefined, keepAlive);
  } catch (error) {
    asked.quota.closed(name);
    await closePits(cluster, [id]).catch(() => {});
    throw error;
  }
}

/** Members of a body that a scroll reads itself. */
const READ = [
  ...['query', 'post_filter', 'min_score', 'sort', 'from', 'size', 'search_after', 'collapse', 'slice'],
  ...['page', 'tokens', 'next_token', 'prev_token', 'track_total_hits'],
] as const;

function pathOf({ path }: Call): string {
  return encodeURIComponent(path['index'] ?? '_all')
    .replaceAll('%2C', ',')
    .replaceAll('%2A', '*');
}

/** `_search/scroll`. */
export async function nextPage(asked: Forwarded): Promise<Reply> {
  const { call, services, walks } = asked;
  asked.caller.require('read', SEARCH);
  const { scrollId, keepAlive: life, text } = readScroll(call);
  if (scrollId === undefined) throw invalid(['scrollId is missing']);
  const seq = readSequence(call);
  if (life !== undefined) checkLife(life, services);
  const state = await openId('scroll', scrollId, services);
  if (!asked.caller.seesAll && state.path !== undefined && state.path !== '*,-*') {
    for (const index of decodeURIComponent(state.path).split(','))
      asked.caller.rules.requireIndex(index, SEARCH);
  }
  const walk = state.walk as unknown as Walk;
  const known = walks.of(state.name);
  // An id that was given out first says nothing of the life that pages have added since.
  if (walks.isClosed(state.name) || Math.max(walk.until, known?.until ?? 0) < Date.now())
    throw new SearchPhaseError([{ index: undefined, error: contextMissing(state.name) }], services.nodeId);
  const given = Math.max(known?.last ?? 0, walk.seq);
  const wanted = seq ?? given + 1;
  const before = wanted - 1;
  const after = before === 0 ? undefined : before === walk.seq ? walk.after : known?.end(before);
  if (before > 0 && after === undefined) {
    throw illegalArgument(
      `[scroll_seq] names page [${wanted}], which this server cannot begin: it has not given out the page before; ` +
        'go on with the scroll id of the last page that you have',
    );
  }
  const until = life === undefined ? walk.until : Math.max(walk.until, Date.now() + life);
  if (life !== undefined) asked.quota.opened(services.principal.id, state.name, until);
  const now = known?.pit === undefined ? state : { ...state, pit: known.pit };
  const reply = await pageOf(
    asked,
    now,
    { ...walk, until },
    wanted,
    after,
    life === undefined ? undefined : text,
  );
  if (life === undefined) await release(asked, { ...now, pit: walks.of(state.name)?.pit ?? now.pit });
  return reply;
}

async function release({ cluster, quota, walks }: ClusterServices, state: SealedState): Promise<boolean> {
  quota.closed(state.name);
  walks.forget(state.name);
  const [freed = false] = await closePits(cluster, [state.pit]);
  return freed;
}

/** A page and the id behind it. */
async function pageOf(
  asked: Forwarded,
  state: SealedState,
  walk: Walk,
  seq: number,
  after: JsonValue[] | undefined,
  keepAlive: string | undefined,
): Promise<Reply> {
  const { call, services } = asked;
  const life = keepAlive || walk.keepAlive;
  const { answer, pit, renewed } = await searched(asked, state, walk, after, life);
  const page = new ClusterPage(answer.body);
  const end = (page.hits.at(-1)?.sort as JsonValue[] | undefined) ?? after ?? walk.after;
  const total = after === undefined ? (page.total() ?? null) : walk.total;
  asked.walks.gave(state.name, services.principal.id, { seq, end, pit, until: walk.until });
  const next: Walk = { ...walk, seq, after: end, total, keepAlive: life };
  const id = await sealId('scroll', { ...state, pit, walk: next as unknown as JsonObject }, services);
  const asInt = call.params.boolean('rest_total_hits_as_int') === true;
  const first: ReplyObject = {
    ...(keepAlive === undefined ? {} : { _scroll_id: id }),
    ...(call.params.has('scroll_seq') ? { scroll_seq: seq } : {}),
    ...(renewed ? { renewed: true } : {}),
  };
  const printedPage = page.printed(page.hits, walk.shown, {}, asInt ? totalNumber(total) : total);
  const { pit_id: _, ...rest } = printedPage;
  return { ...replyOf(answer, call), body: { ...first, ...rest } };
}

function totalNumber(total: JsonValue): JsonValue {
  return typeof total === 'object' && total !== null && 'value' in total ? (total['value'] ?? null) : total;
}

interface Searched {
  readonly answer: NodeAnswer;
  readonly pit: string;
  readonly renewed: boolean;
}

/** Asks the point in time, and where it is lost a new one: the walk goes on behind the same hit. */
async function searched(
  asked: Forwarded,
  state: SealedState,
  walk: Walk,
  after: JsonValue[] | undefined,
  life: string,
): Promise<Searched> {
  let { pit } = state;
  let lost: NodeAnswer | undefined;
  for (const wait of [undefined, ...WAITS_MS]) {
    if (wait !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      try {
        pit = (await openPit(asked.cluster, state.path, life)).id;
      } catch (error) {
        if (!(error instanceof ClusterAnswered) || !hasLost(error.answer)) throw error;
        lost = error.answer;
        continue;
      }
    }
    const answer = await ask(asked, { ...state, pit }, walk, after, life);
    if (answer.status < 400) return { answer, pit, renewed: wait !== undefined };
    // What was never there, or was closed, is not opened again behind its caller's back.
    if (!hasLost(answer) || after === undefined || asked.walks.isClosed(state.name))
      throw new ClusterAnswered(answer);
    lost = answer;
  }
  throw new ClusterAnswered(lost!);
}

async function ask(
  asked: Forwarded,
  state: SealedState,
  walk: Walk,
  after: JsonValue[] | undefined,
  life: string,
): Promise<NodeAnswer> {
  const body: Record<string, JsonValue> = { ...walk.body };
  if (after !== undefined) for (const name of FIRST_ONLY) delete body[name];
  const query = narrowedQuery(walk.body, NO_PARAMS, asked.caller.narrowed(state.narrowing));
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
  return await asked.cluster.ask({
    method: 'POST',
    // Part of a page is no page.
    path: `/_search?allow_partial_search_results=false${extra}`,
    body: Buffer.from(stringifyJson(whole), 'utf8'),
    repeatable: true,
    signal: asked.call.signal,
  });
}

const NO_PARAMS = new QueryParams('');

/** `DELETE _search/scroll`. */
export async function clearScrolls(asked: Forwarded): Promise<Reply> {
  const { call, services, caller, walks } = asked;
  caller.require('read', SEARCH);
  const texts = readClearIds(call);
  if (texts.includes('_all')) {
    const names = walks.ofCaller(services.principal.id);
    for (const { name, pit } of names) await release(asked, { name, pit });
    return { body: { succeeded: true, num_freed: names.length } };
  }
  let freed = 0;
  for (const text of texts) {
    const state = await openId('scroll', text, services);
    const pit = walks.of(state.name)?.pit ?? state.pit;
    if (!walks.isClosed(state.name) && (await release(asked, { ...state, pit }))) freed++;
  }
  return { status: freed > 0 ? 200 : 404, body: { succeeded: true, num_freed: freed } };
}
