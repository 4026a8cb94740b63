// How are pages of a search walked and reached over a cluster? By tokens that hold sort values and the id, the same that
// the embedded store makes and reads; and by numbers, beyond the window of the index by counting.

import { EngineError, type JsonObject, type JsonValue } from '@octavo/engine';
import { indexNames, type Tuple } from '@octavo/paging';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import type { Reply, ReplyObject } from '../../wire/router/route.ts';
import { readSearch, windowOf } from '../../wire/search/body/request.ts';
import {
  boundTo,
  listOf,
  readChecked,
  refuseOthers,
  scored,
  sealed,
  searchValue,
  usesTokens,
} from '../../wire/search/page/search-tokens.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { notOnCluster } from '../empty-engine.ts';
import type { Reach } from '../request/cluster-caller.ts';
import { type Forwarded, replyOf, requestOf } from '../request/forward.ts';
import { type ClusterHit, ClusterPage } from '../walks/cluster-page.ts';
import { printed, type SortEntry, sortEntries, withTiebreak } from '../walks/cluster-sort.ts';
import { farAnchor } from './cluster-jump.ts';
import { type ListSearch, OWN, searchBody, WINDOW } from './list-search.ts';

/** What is read here of a body; the rest goes on to the cluster. */
const READ = [
  ...['query', 'post_filter', 'min_score', 'sort', 'from', 'size', 'search_after', 'collapse', 'slice'],
  ...OWN,
] as const;
/** Parameters that are said in the body of the request to the cluster. */
const IN_BODY = [...OWN, ...QUERY_PARAMS, 'from', 'size', 'sort', 'track_scores'];
/** Behind every id and every index. */
const LAST = '\u{10ffff}';

/** True for what the cluster cannot answer by itself. */
export function isList(body: JsonObject, params: Forwarded['call']['params']): boolean {
  if (OWN.some((name) => name in body || params.has(name))) return true;
  const number = (name: 'from' | 'size'): number => {
    const value = params.integer(name) ?? body[name];
    // What is none is for the cluster to refuse.
    return typeof value === 'object' ? 0 : Number(value ?? 0);
  };
  return number('from') > 0 && number('from') + number('size') > WINDOW;
}

/** The page, with tokens where they are asked for. */
export async function listPage(asked: Forwarded, body: JsonObject, reach: Reach): Promise<Reply> {
  const { call, services } = asked;
  const read: Record<string, JsonValue> = {};
  for (const name of READ) if (body[name] !== undefined) read[name] = body[name];
  const spec = readSearch(read, call.params, services);
  if (spec.asOf !== undefined)
    throw notOnCluster('[as_of], a commit of the embedded store,', 'open a point in time');
  refuseOthers(spec);
  // Any order will do: that of the ids can be gone on with, and is the same on every copy.
  const own = sortEntries(spec.sort)
    .filter(({ field }) => field !== '_doc')
    .map(unformatted);
  const list: ListSearch = {
    asked,
    reach,
    body,
    spec,
    own,
    order: withTiebreak(own),
  };
  const token = spec.nextToken || spec.prevToken || undefined;
  return token === undefined ? await numbered(list) : await continued(list, token);
}

/** A value in a format may be less than the value: a token must stand on its document, not on its day. */
function unformatted({ options: { format: _, ...options }, ...entry }: SortEntry): SortEntry {
  return { ...entry, options };
}

/** The page that a token points at. */
async function continued(list: ListSearch, token: string): Promise<Reply> {
  const { asked, spec, order } = list;
  const position = readChecked(token, spec, { expression: expressionOf(list) }, asked.services);
  if (position.snapshot !== undefined) {
    throw new EngineError(
      'cursor_expired',
      'the token stands on a snapshot of the embedded store, by whose scores nothing here is ordered; start again',
    );
  }
  const { backwards } = position;
  // A token without an id, as callers build them, stands behind all that ties with it.
  const edge = backwards ? '' : LAST;
  const index = position.index ?? oneName(asked.call.path['index']) ?? edge;
  const after = [...position.tuple.map(searchValue), position.id ?? edge, index];
  if (after.length !== order.length)
    throw new EngineError('cursor_mismatch', 'the token has other sort values');
  return await page(list, { after, backwards, from: 0, came: true, queries: 1 });
}

/** The page that `from` or `page` names. */
async function numbered(list: ListSearch): Promise<Reply> {
  const { spec } = list;
  const { from, size } = windowOf(spec, list.asked.services.limits);
  const after = spec.searchAfter;
  if (after !== undefined) {
    // A position of the caller's own: what ties with it lies before it, as with the peer.
    return await page(list, {
      after: [...after, LAST, LAST],
      backwards: false,
      from: 0,
      came: true,
      queries: 1,
    });
  }
  if (from + size <= WINDOW)
    return await page(list, { after: undefined, backwards: false, from, came: from > 0, queries: 1 });
  const { anchor, queries } = await farAnchor(list, from);
  if (anchor === undefined) return await beyondEnd(list, queries);
  return await page(list, { after: anchor, backwards: false, from: 0, came: true, queries: queries + 1 });
}

/** Behind the last page there is nothing, with the total and the groups of the whole search. */
async function beyondEnd(list: ListSearch, queries: number): Promise<Reply> {
  const empty = { ...list, spec: { ...list.spec, size: 0 } };
  return await page(empty, {
    after: undefined,
    backwards: false,
    from: 0,
    came: false,
    queries: queries + 1,
  });
}

interface Place {
  readonly after: readonly JsonValue[] | undefined;
  readonly backwards: boolean;
  readonly from: number;
  /** There is something on the side that the walk came from. */
  readonly came: boolean;
  readonly queries: number;
}

async function page(list: ListSearch, place: Place): Promise<Reply> {
  const { asked, spec, own } = list;
  const { size } = windowOf(spec, asked.services.limits);
  const { after, backwards } = place;
  const answer = await asked.cluster.ask(
    requestOf(asked, {
      index: list.reach.path,
      body: searchBody(list, {
        from: place.from,
        size: size === 0 ? 0 : size + 1,
        sort: printed(list.order, backwards),
        ...(after === undefined ? {} : { search_after: [...after] }),
      }),
      without: IN_BODY,
      params: {
        // Part of a page is no page: what a walk passes over it never sees.
        ...(asked.call.params.has('allow_partial_search_results')
          ? {}
          : { allow_partial_search_results: 'false' }),
        ...(scored(spec) && list.body['pit'] === undefined && !asked.call.params.has('preference')
          ? { preference: copyOf(list) }
          : {}),
      },
      repeatable: true,
    }),
  );
  if (answer.status >= 400) throw new ClusterAnswered(answer);
  const found = new ClusterPage(answer.body);
  const more = found.hits.length > size;
  const hits = found.hits.slice(0, size);
  if (backwards) hits.reverse();
  const tokens = usesTokens(spec)
    ? tokensOf(list, hits, backwards ? { next: place.came, prev: more } : { next: more, prev: place.came })
    : {};
  const shown = spec.sort === undefined ? 0 : own.length;
  const reply = replyOf(answer, asked.call);
  return {
    ...reply,
    headers: { ...reply.headers, 'octavo-queries': String(place.queries) },
    body: found.printed(hits, shown, tokens),
  };
}

function tokensOf(
  list: ListSearch,
  hits: readonly ClusterHit[],
  there: { readonly next: boolean; readonly prev: boolean },
): ReplyObject {
  const { asked, spec, own } = list;
  const { services } = asked;
  const [first, last] = [hits[0], hits.at(-1)];
  if (first === undefined || last === undefined) return {};
  const token = (hit: ClusterHit, backwards: boolean): string =>
    sealed(
      {
        mode: scored(spec) ? 'score' : 'sort',
        tuple: hit.sort.slice(0, own.length) as Tuple,
        id: hit.id,
        ...(oneName(asked.call.path['index']) === hit.index ? {} : { index: hit.index }),
        backwards,
        fingerprint: listOf(spec, { expression: expressionOf(list) }),
        ...boundTo(services),
      },
      services,
    );
  return {
    ...(there.next ? { next_token: token(last, false) } : {}),
    ...(there.prev ? { prev_token: token(first, true) } : {}),
  };
}

function expressionOf({ asked }: ListSearch): string[] {
  return indexNames(asked.call.path['index']);
}

/** The name, where one stands for itself: an alias is none, and the hits of its indices say where they are. */
function oneName(expression: string | undefined): string | undefined {
  return expression === undefined || expression === '_all' || /[,*<]/.test(expression)
    ? undefined
    : expression;
}

/** Scores differ a little from copy to copy: one walk keeps to one of each. */
function copyOf(list: ListSearch): string {
  const hashes = Object.values(listOf(list.spec, { expression: expressionOf(list) }));
  return `octavo-${hashes.join('-')}`;
}
