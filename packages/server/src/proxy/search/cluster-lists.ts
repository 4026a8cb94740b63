// Pages of a search over a cluster, by token or by number. Tokens hold sort values and the id, in the same
// format as those of the embedded store. Pages beyond the index window are found by counting
// (cluster-jump.ts).

import { EngineError, type JsonObject, type JsonValue } from '@octavo/engine';
import { indexNames, type Tuple } from '@octavo/paging';
import type { ReplyObject } from '../../json/reply-value.ts';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import type { Reply } from '../../wire/router/route.ts';
import { readSearch, windowOf } from '../../wire/search/body/search-request.ts';
import {
  fingerprintOf,
  isScored,
  readPageToken,
  refuseOtherPositions,
  sealPosition,
  searchValue,
  tokenOwner,
  usesTokens,
} from '../../wire/search/page/search-tokens.ts';
import { ClusterErrorAnswer } from '../client/peer-cluster.ts';
import { notOnCluster } from '../empty-engine.ts';
import type { ResolvedIndices } from '../request/cluster-caller.ts';
import { clusterRequestOf, type ProxyRequest, replyFrom } from '../request/forward.ts';
import { type ClusterHit, ClusterPage } from '../walks/cluster-page.ts';
import { printSort, type SortEntry, sortEntries, withTiebreak } from '../walks/cluster-sort.ts';
import { findAnchor } from './cluster-jump.ts';
import { clusterSearchBody, type ListSearch, OCTAVO_MEMBERS, WINDOW } from './list-search.ts';

/** Members of a body that are read here; the others are only forwarded. */
const READ = [
  ...['query', 'post_filter', 'min_score', 'sort', 'from', 'size', 'search_after', 'collapse', 'slice'],
  ...OCTAVO_MEMBERS,
] as const;
/** Parameters that are forwarded in the body. */
const IN_BODY = [...OCTAVO_MEMBERS, ...QUERY_PARAMS, 'from', 'size', 'sort', 'track_scores'];
/** Sorts after every id and every index name. */
const LAST = '\u{10ffff}';

/** True for a page that the cluster cannot answer by itself. */
export function needsListPage(body: JsonObject, params: ProxyRequest['call']['params']): boolean {
  if (OCTAVO_MEMBERS.some((name) => name in body || params.has(name))) return true;
  const number = (name: 'from' | 'size'): number => {
    const value = params.integer(name) ?? body[name];
    // The cluster refuses what is no number.
    return typeof value === 'object' ? 0 : Number(value ?? 0);
  };
  return number('from') > 0 && number('from') + number('size') > WINDOW;
}

/** The page, with tokens if the request uses them. */
export async function listPage(
  request: ProxyRequest,
  body: JsonObject,
  indices: ResolvedIndices,
): Promise<Reply> {
  const { call, services } = request;
  const read: Record<string, JsonValue> = {};
  for (const name of READ) if (body[name] !== undefined) read[name] = body[name];
  const spec = readSearch(read, call.params, services);
  if (spec.asOf !== undefined)
    throw notOnCluster('[as_of], a commit of the embedded store,', 'open a point in time');
  refuseOtherPositions(spec);
  // `_doc` asks for any order. The order of ids can be continued and is the same on every shard copy.
  const callerSort = sortEntries(spec.sort)
    .filter(({ field }) => field !== '_doc')
    .map(withoutFormat);
  const list: ListSearch = {
    request,
    indices,
    body,
    spec,
    callerSort,
    sort: withTiebreak(callerSort),
  };
  const token = spec.nextToken || spec.prevToken || undefined;
  return token === undefined ? await pageByNumber(list) : await pageByToken(list, token);
}

/** A formatted value can be coarser than the value; a token must point at its document, not at its day. */
function withoutFormat({ options: { format: _, ...options }, ...entry }: SortEntry): SortEntry {
  return { ...entry, options };
}

/** The page a token points at. */
async function pageByToken(list: ListSearch, token: string): Promise<Reply> {
  const { request, spec, sort } = list;
  const position = readPageToken(token, spec, { expression: expressionOf(list) }, request.services);
  if (position.snapshot !== undefined) {
    throw new EngineError(
      'cursor_expired',
      'the token belongs to a snapshot of the embedded store, whose scores do not apply here; start again',
    );
  }
  const { backwards } = position;
  // A token without an id, as callers build them, stands after all documents that tie with it.
  const edge = backwards ? '' : LAST;
  const index = position.index ?? singleIndex(request.call.path['index']) ?? edge;
  const after = [...position.tuple.map(searchValue), position.id ?? edge, index];
  if (after.length !== sort.length)
    throw new EngineError('cursor_mismatch', 'the token has other sort values');
  return await fetchPage(list, { after, backwards, from: 0, hasOtherSide: true, queries: 1 });
}

/** The page that `from`, `page` or `search_after` names. */
async function pageByNumber(list: ListSearch): Promise<Reply> {
  const { spec } = list;
  const { from, size } = windowOf(spec, list.request.services.limits);
  const after = spec.searchAfter;
  if (after !== undefined) {
    // The caller's own position: documents that tie with it come before it, as with the peer.
    return await fetchPage(list, {
      after: [...after, LAST, LAST],
      backwards: false,
      from: 0,
      hasOtherSide: true,
      queries: 1,
    });
  }
  if (from + size <= WINDOW)
    return await fetchPage(list, {
      after: undefined,
      backwards: false,
      from,
      hasOtherSide: from > 0,
      queries: 1,
    });
  const { anchor, queries } = await findAnchor(list, from);
  if (anchor === undefined) return await pageBeyondEnd(list, queries);
  return await fetchPage(list, {
    after: anchor,
    backwards: false,
    from: 0,
    hasOtherSide: true,
    queries: queries + 1,
  });
}

/** An empty page beyond the end, with the total and aggregations of the search. */
async function pageBeyondEnd(list: ListSearch, queries: number): Promise<Reply> {
  const empty = { ...list, spec: { ...list.spec, size: 0 } };
  return await fetchPage(empty, {
    after: undefined,
    backwards: false,
    from: 0,
    hasOtherSide: false,
    queries: queries + 1,
  });
}

interface PageStart {
  readonly after: readonly JsonValue[] | undefined;
  readonly backwards: boolean;
  readonly from: number;
  /** True if there is a page on the side the walk came from. */
  readonly hasOtherSide: boolean;
  readonly queries: number;
}

async function fetchPage(list: ListSearch, place: PageStart): Promise<Reply> {
  const { request, spec, callerSort } = list;
  const { size } = windowOf(spec, request.services.limits);
  const { after, backwards } = place;
  const answer = await request.cluster.request(
    clusterRequestOf(request, {
      index: list.indices.path,
      body: clusterSearchBody(list, {
        from: place.from,
        size: size === 0 ? 0 : size + 1,
        sort: printSort(list.sort, backwards),
        ...(after === undefined ? {} : { search_after: [...after] }),
      }),
      without: IN_BODY,
      params: {
        // A partial page is no page: the walk would never return to what it lacks.
        ...(request.call.params.has('allow_partial_search_results')
          ? {}
          : { allow_partial_search_results: 'false' }),
        ...(isScored(spec) && list.body['pit'] === undefined && !request.call.params.has('preference')
          ? { preference: preferenceOf(list) }
          : {}),
      },
      repeatable: true,
    }),
  );
  if (answer.status >= 400) throw new ClusterErrorAnswer(answer);
  const found = new ClusterPage(answer.body);
  const more = found.hits.length > size;
  const hits = found.hits.slice(0, size);
  if (backwards) hits.reverse();
  const tokens = usesTokens(spec)
    ? tokensOf(
        list,
        hits,
        backwards ? { next: place.hasOtherSide, prev: more } : { next: more, prev: place.hasOtherSide },
      )
    : {};
  const shown = spec.sort === undefined ? 0 : callerSort.length;
  const reply = replyFrom(answer, request.call);
  return {
    ...reply,
    headers: { ...reply.headers, 'octavo-queries': String(place.queries) },
    body: found.print(hits, shown, tokens),
  };
}

function tokensOf(
  list: ListSearch,
  hits: readonly ClusterHit[],
  there: { readonly next: boolean; readonly prev: boolean },
): ReplyObject {
  const { request, spec, callerSort } = list;
  const { services } = request;
  const [first, last] = [hits[0], hits.at(-1)];
  if (first === undefined || last === undefined) return {};
  const token = (hit: ClusterHit, backwards: boolean): string =>
    sealPosition(
      {
        mode: isScored(spec) ? 'score' : 'sort',
        tuple: hit.sort.slice(0, callerSort.length) as Tuple,
        id: hit.id,
        ...(singleIndex(request.call.path['index']) === hit.index ? {} : { index: hit.index }),
        backwards,
        fingerprint: fingerprintOf(spec, { expression: expressionOf(list) }),
        ...tokenOwner(services),
      },
      services,
    );
  return {
    ...(there.next ? { next_token: token(last, false) } : {}),
    ...(there.prev ? { prev_token: token(first, true) } : {}),
  };
}

function expressionOf({ request }: ListSearch): string[] {
  return indexNames(request.call.path['index']);
}

/**
 * The expression, if it is the name of one index. An alias also passes; then hits carry the name of their
 * index.
 */
function singleIndex(expression: string | undefined): string | undefined {
  return expression === undefined || expression === '_all' || /[,*<]/.test(expression)
    ? undefined
    : expression;
}

/** Scores differ slightly between shard copies: one walk always asks the same copies. */
function preferenceOf(list: ListSearch): string {
  const hashes = Object.values(fingerprintOf(list.spec, { expression: expressionOf(list) }));
  return `octavo-${hashes.join('-')}`;
}
