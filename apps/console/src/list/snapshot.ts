// The searches of a list. All pages come from one point in time, so nothing moves while documents arrive.

import { client } from '../frame/session.ts';

/** How long the server keeps a snapshot that nobody looks at. */
const KEEP_ALIVE = '15m';

/** A hit as the list shows it. */
export interface ListHit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source: unknown;
  readonly sort?: readonly unknown[];
}

export interface ListReply {
  readonly as_of?: number;
  readonly hits: {
    readonly total?: { readonly value: number };
    readonly hits: readonly ListHit[];
  };
}

/** What a list shows, without its position. */
export interface ListQuery {
  readonly query: object;
  readonly sort: readonly object[] | undefined;
  /** Members of the source to fetch; undefined for all. */
  readonly source: readonly string[] | undefined;
}

export async function openSnapshot(index: string, signal?: AbortSignal): Promise<string> {
  const path = `/${encodeURIComponent(index)}/_pit`;
  const { id } = await client().call<{ id: string }>({
    ...{ method: 'POST', path, query: { keep_alive: KEEP_ALIVE }, signal, safe: true },
  });
  return id;
}

/** A page of a snapshot. */
export async function searchSnapshot(
  snapshot: string,
  { query, sort, source }: ListQuery,
  page: { readonly from: number; readonly size: number },
  signal?: AbortSignal,
): Promise<ListReply> {
  return await client().call<ListReply>({
    ...{ method: 'POST', path: '/_search', signal, safe: true },
    body: {
      ...page,
      query,
      pit: { id: snapshot, keep_alive: KEEP_ALIVE },
      track_total_hits: true,
      ...(sort === undefined ? {} : { sort, track_scores: false }),
      ...(source === undefined ? {} : { _source: source }),
    },
  });
}

/** The number of documents that match in a snapshot. */
export async function countIn(snapshot: string, query: object, signal?: AbortSignal): Promise<number> {
  const list = { query, sort: undefined, source: undefined };
  const { hits } = await searchSnapshot(snapshot, list, { from: 0, size: 0 }, signal);
  return hits.total?.value ?? 0;
}

/** The number of documents that match now. */
export async function countNow(index: string, query: object, signal?: AbortSignal): Promise<number> {
  const path = `/${encodeURIComponent(index)}/_count`;
  const { count } = await client().call<{ count: number }>({
    ...{ method: 'POST', path, body: { query }, signal, safe: true },
  });
  return count;
}

/** Rank of the first document at or behind a value of the sorted field: the number of those before it. */
export async function rankOf(
  snapshot: string,
  query: object,
  sort: { readonly field: string; readonly descending: boolean },
  value: string,
): Promise<number> {
  const before = { range: { [sort.field]: { [sort.descending ? 'gt' : 'lt']: value } } };
  return await countIn(snapshot, { bool: { must: [query], filter: [before] } });
}
