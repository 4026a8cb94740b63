// Pages of the ledger's lists: sealed tokens hold the key of the item at the edge of a page.

import { CursorError } from '@octavo/paging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../errors/problem.ts';
import { setLinks } from '../http/links.ts';
import { openListToken, sealListToken, type TokenListing } from '../http/list-tokens.ts';
import type { ApiServices } from '../resource.ts';

/** The paging parameters of a query string. */
export interface PageQuery {
  readonly limit?: number;
  readonly next_token?: string;
  readonly prev_token?: string;
}

/** Where a page begins. All that is known of the key is that it comes from a token of this list. */
export interface TokenPosition {
  readonly after: unknown;
  readonly backwards: boolean;
}

/** A page with tokens to its neighbours. */
export interface LedgerPage<Item> {
  readonly items: readonly Item[];
  readonly more_available: boolean;
  readonly next?: string;
  readonly prev?: string;
}

/** Opens the token, if there is one. Throws CursorError, and Problem if there are two. */
export async function openPageToken(
  { sealer }: ApiServices,
  listing: TokenListing,
  { next_token: next, prev_token: prev }: PageQuery,
): Promise<TokenPosition | undefined> {
  if (next !== undefined && prev !== undefined)
    throw new Problem('conflicting-parameters', 'Send next_token or prev_token, not both.', {
      field: 'prev_token',
    });
  const token = next ?? prev;
  if (token === undefined) return undefined;
  const { tuple, backwards } = await openListToken(sealer, listing, token);
  if (backwards !== (prev !== undefined)) throw new CursorError('cursor-invalid');
  return { after: tuple[0], backwards };
}

/** Builds the answer and sets its `Link` header. `keyOf` returns the key that a token holds of an item. */
export async function ledgerPage<Row, Item>(
  { sealer }: ApiServices,
  listing: TokenListing,
  page: { readonly rows: readonly Row[]; readonly hasNext: boolean; readonly hasPrev: boolean },
  keyOf: (row: Row) => string | bigint,
  view: (row: Row) => Item,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<LedgerPage<Item>> {
  const { rows } = page;
  const token = async (row: Row | undefined, backwards: boolean): Promise<string | undefined> =>
    row === undefined ? undefined : await sealListToken(sealer, listing, { tuple: [keyOf(row)], backwards });
  const next = page.hasNext ? await token(rows.at(-1), false) : undefined;
  const prev = page.hasPrev ? await token(rows[0], true) : undefined;
  setLinks(http.request, http.reply, {
    next: next === undefined ? undefined : { next_token: next, prev_token: undefined },
    prev: prev === undefined ? undefined : { next_token: undefined, prev_token: prev },
  });
  return {
    items: rows.map(view),
    more_available: next !== undefined,
    ...(next === undefined ? {} : { next }),
    ...(prev === undefined ? {} : { prev }),
  };
}
