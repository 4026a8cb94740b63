// Searches on the OpenSearch wire, walked by token in both directions.

import { type Listing, listingOf } from '../listing.ts';
import { type CallOptions, encodePath, type Query, requireOptions, type Transport } from '../transport.ts';

/**
 * The body of a search: `query`, `sort`, `size`, `_source` and all other members of OpenSearch. A bigint is sent as a
 * long. `from`, `page` and `search_after` apply to the first page only; the walk continues by token.
 */
export interface SearchBody {
  readonly query?: unknown;
  readonly sort?: unknown;
  /** @default 10 */
  readonly size?: number;
  readonly [member: string]: unknown;
}

export interface SearchOptions extends CallOptions {
  /** Limits the search to documents written under this type. */
  readonly type?: string;
  /** Parameters of the query string. */
  readonly params?: Query;
}

/** A hit. Integers beyond ±(2^53 - 1) in `_source` and `sort` are bigint; all other numbers are numbers. */
export interface Hit<Source = unknown> {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
  readonly _source: Source;
  readonly _type?: string;
  readonly sort?: readonly unknown[];
  readonly [member: string]: unknown;
}

export interface SearchReply<Source = unknown> {
  readonly took: number;
  readonly timed_out: boolean;
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
    readonly max_score: number | null;
    readonly hits: readonly Hit<Source>[];
  };
  readonly next_token?: string;
  readonly prev_token?: string;
  readonly as_of?: number;
  readonly _scroll_id?: string;
  readonly scroll_seq?: number;
  readonly [member: string]: unknown;
}

/** One or several indices, aliases or patterns. An empty list means all. */
export type Index = string | readonly string[];

/** The path of an endpoint below index names. Names may contain commas and stars. */
export function indexPath(index: Index, ...parts: readonly string[]): string {
  const names = (typeof index === 'string' ? [index] : index).map(encodeURIComponent).join(',');
  return (names === '' ? '' : `/${names}`) + encodePath(parts);
}

/** The hits of a search. The reply of the `first` page has the totals. */
export function searchListing<Source>(
  transport: Transport,
  index: Index,
  body: SearchBody,
  options: SearchOptions,
): Listing<Hit<Source>, SearchReply<Source>> {
  requireOptions(options, ['type', 'params', 'signal']);
  const type = options.type === undefined ? [] : [options.type];
  return listingOf<Hit<Source>, SearchReply<Source>, Query>({
    fetch: async (position) => {
      const { from, page, search_after, ...rest } = body;
      return await transport.call({
        method: 'POST',
        path: indexPath(index, ...type, '_search'),
        query: { ...options.params },
        body: position === undefined ? { ...body, tokens: true } : { ...rest, tokens: true, ...position },
        signal: options.signal,
        safe: true,
      });
    },
    items: (reply) => reply.hits.hits,
    next: ({ next_token }) => (next_token === undefined ? undefined : { next_token }),
    prev: ({ prev_token }) => (prev_token === undefined ? undefined : { prev_token }),
  });
}
