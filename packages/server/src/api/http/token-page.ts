// Lists that are walked by key, in both directions: sealed tokens hold the key of the item at the edge of a page.

import { CursorError, type Tuple } from '@octavo/paging';
import type { KeysetPage, KeysetRequest } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TInteger, TOptional, TString } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import type { Limits } from '../../limits.ts';
import type { ApiServices } from '../resource.ts';
import { setLinks } from './links.ts';
import { openListToken, sealListToken, type TokenListing } from './list-tokens.ts';
import { type PageEnvelope, pageEnvelope } from './page-envelope.ts';
import { DEFAULT_PAGE_SIZE, limitParameter, tokenParameter } from './page-parameters.ts';

/** The paging parameters of a query string. */
export interface TokenQuery {
  readonly limit?: number;
  readonly next_token?: string;
  readonly prev_token?: string;
}

/** The schemas of TokenQuery. */
export function tokenParameters(limits: Limits): {
  limit: TOptional<TInteger>;
  next_token: TOptional<TString>;
  prev_token: TOptional<TString>;
} {
  return {
    limit: limitParameter(limits),
    next_token: tokenParameter(limits, '`next` of an earlier reply.'),
    prev_token: tokenParameter(limits, '`prev` of an earlier reply.'),
  };
}

/** A list: how its pages are read, and what a token holds of an item. */
interface KeyedList<Row, Key> {
  read(request: KeysetRequest<Key>): Promise<KeysetPage<Row>>;
  tupleOf(row: Row): Tuple;
  /** The key in a token; undefined if it is none of this list. */
  keyOf(tuple: Tuple): Key | undefined;
}

/** Answers the page that a request asks for, and sets the `Link` header. Throws CursorError, and Problem for two tokens. */
export async function tokenPage<Row, Key, Item>(
  { sealer }: ApiServices,
  listing: TokenListing,
  list: KeyedList<Row, Key>,
  view: (row: Row) => Item,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<PageEnvelope<Item>> {
  const { limit = DEFAULT_PAGE_SIZE, next_token, prev_token } = request.query as TokenQuery;
  if (next_token !== undefined && prev_token !== undefined)
    throw new Problem('conflicting-parameters', 'Send next_token or prev_token, not both.', {
      field: 'prev_token',
    });
  const token = next_token ?? prev_token;
  const backwards = prev_token !== undefined;
  let after: Key | undefined;
  if (token !== undefined) {
    const position = await openListToken(sealer, listing, token);
    after = list.keyOf(position.tuple);
    if (after === undefined || position.backwards !== backwards) throw new CursorError('cursor-invalid');
  }
  const { rows, hasNext, hasPrev } = await list.read({ after, backwards, limit });
  const seal = async (row: Row | undefined, towardsStart: boolean): Promise<string | undefined> =>
    row === undefined
      ? undefined
      : await sealListToken(sealer, listing, { tuple: list.tupleOf(row), backwards: towardsStart });
  const next = hasNext ? await seal(rows.at(-1), false) : undefined;
  const prev = hasPrev ? await seal(rows[0], true) : undefined;
  setLinks(request, reply, {
    next: next === undefined ? undefined : { next_token: next, prev_token: undefined },
    prev: prev === undefined ? undefined : { next_token: undefined, prev_token: prev },
  });
  return pageEnvelope(rows.map(view), next !== undefined, { next, prev });
}

/** The text in a token that holds one. */
export function tokenText([key]: Tuple): string | undefined {
  return typeof key === 'string' ? key : undefined;
}
