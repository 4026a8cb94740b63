// How are pages of a search walked and reached over a cluster? By tokens that hold sort values and the id, the same that
// the embedded store makes and reads; and by numbers, beyond the window of the index by counting.

import { EngineError, illegalArgument, type JsonObject, type JsonValue } from '@octavo/engine';
import { indexNames, type Tuple } from '@octavo/paging';
import { QUERY_PARAMS } from '../../wire/resolve/target.ts';
import type { Reply } from '../../wire/router/route.ts';
import type { ReplyObject } from '../../json/reply-value.ts';
import { readSearch, windowOf } from '../../wire/search/body/search-request.ts';
import type { SearchSpec } from '../../wire/search/body/search-spec.ts';
import { tokenOwner, fingerprintOf, readPageToken, refuseOtherPositions, isScored, sealPosition, searchValue, usesTokens } from '../../wire/search/page/search-tokens.ts';
import type { Reach } from '../caller.ts';
import { ClusterAnswered } from '../client/cluster.ts';
import { notOnCluster } from '../empty-engine.ts';
import { type Forwarded, replyOf, requestOf } from '../forward.ts';
import { type ClusterHit, ClusterPage } from './cluster-hits.ts';
import { farAnchor } from './cluster-jump.ts';
import { printed, sortEntries, type SortEntry, withTiebreak } from './cluster-order.ts';
import { narrowedQuery } from './restricted-search.ts';

/** Members and parameters that only Octavo knows. */
const OWN = ['page', 'tokens', 'next_token', 'prev_token', 'as_of'] as const;
/** What is read here of a body; the rest goes on to the cluster. */
const READ = [
  ...['query', 'post_filter', 'min_score', 'sort', 'from', 'size', 'search_after', 'collapse', 'slice'],
  ...OWN,
] as const;
/** Parameters that are said in the body of the request to the cluster. */
const IN_BODY = [...OWN, ...QUERY_PARAMS, 'from', 'size', 'sort', 'track_scores'];
/** The window of an index, unless it is set otherwise: what lies beyond is reached by counting. */
export const WINDOW = 10_000;
/** Behind every id and every index. */
const LAST = '\u{10ffff}';

/** A search that is walked here. */
export interface ListSearch {
  readonly asked: Forwarded;
  readonly reach: Reach;
  readonly body: JsonObject;
  readonly spec: SearchSpec;
  /** The caller's own sort, and with what breaks its ties. */
  readonly own: readonly SortEntry[];
  readonly order: readonly SortEntry[];
}

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
  refuseOtherPositions(spec);
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
  const position = readPageToken(token, spec, { expression: expressionOf(list) }, asked.services);
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
        ...(isScored(spec) && list.body['pit'] === undefined && !asked.call.params.has('preference')
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

/** The body as the cluster gets it. */
export function searchBody(list: ListSearch, changes: JsonObject): JsonObject {
  const { asked, body, spec, reach } = list;
  const out: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!(OWN as readonly string[]).includes(name)) out[name] = value;
  }
  const query = narrowedQuery(body, asked.call.params, reach.narrowing);
  return {
    ...out,
    ...(query === undefined ? {} : { query }),
    // Sorted by what it would be sorted by anyhow, a search still shows its scores.
    ...(spec.sort === undefined || spec.trackScores ? { track_scores: true } : {}),
    ...changes,
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
    sealPosition(
      {
        mode: isScored(spec) ? 'score' : 'sort',
        tuple: hit.sort.slice(0, own.length) as Tuple,
        id: hit.id,
        ...(oneName(asked.call.path['index']) === hit.index ? {} : { index: hit.index }),
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
  const hashes = Object.values(fingerprintOf(list.spec, { expression: expressionOf(list) }));
  return `octavo-${hashes.join('-')}`;
}

/** Throws for a page that cannot be counted to. */
export function refuseUncounted(what: string): never {
  throw illegalArgument(
    `pages beyond the first ${WINDOW} hits are found by counting, which cannot be done ${what}; ` +
      'walk there by [next_token], or sort by fields that hold one number, date or keyword',
  );
}
