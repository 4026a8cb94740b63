// Listings that are walked by token only: `next` and `prev` of a reply are sent back as `next_token` and
// `prev_token`.

import { type Listing, listingOf } from './listing.ts';
import type { CallOptions, Query, Transport } from './transport.ts';

/** The body of one page: the envelope of all lists. */
export interface TokenReply<Row> {
  readonly items: readonly Row[];
  /** True if there are more items in the direction of the walk. */
  readonly more: boolean;
  /** The token of the next page. */
  readonly next?: string;
  /** The token of the previous page. */
  readonly prev?: string;
}

/** The start of a list and the size of its pages. */
export interface TokenQuery extends CallOptions {
  /** @default 20 */
  readonly limit?: number;
  /** `next` of an earlier reply. */
  readonly next_token?: string;
  /** `prev` of an earlier reply: the walk then goes backwards. */
  readonly prev_token?: string;
}

/** The list at a path. Members of the query other than tokens are sent as filters with every page. */
export function tokenListing<Row>(
  transport: Transport,
  path: string,
  query: TokenQuery,
): Listing<Row, TokenReply<Row>> {
  const { signal, next_token, prev_token, ...filters } = query;
  const start = { next_token, prev_token };
  return listingOf<Row, TokenReply<Row>, Query>(
    {
      fetch: async (position = start) =>
        await transport.call({ method: 'GET', path, query: { ...filters, ...position }, signal, safe: true }),
      items: (reply) => reply.items,
      next: ({ next }) => (next === undefined ? undefined : { next_token: next }),
      prev: ({ prev }) => (prev === undefined ? undefined : { prev_token: prev }),
    },
    { backwards: prev_token !== undefined },
  );
}
