// The parameters of all lists of items and messages, and how they combine.

import type { EntryFilter, ListOrder, ListRequest, ListSection, PagePlace, Pin } from '@octavo/records';
import type { TSchema } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import type { Limits } from '../../limits.ts';
import { Type } from '../http/json-schema.ts';
import { DEFAULT_PAGE_SIZE, limitParameter, tokenParameter } from '../http/page-parameters.ts';
import { Format, ID_PATTERN, Resolve, USER_PATTERN } from './schema.ts';

/** Far beyond any list, and exact when multiplied by a page size. */
const LAST_PAGE = 1_000_000_000_000;

/** The query parameters of a list. */
export interface ListQuery {
  readonly limit?: number;
  readonly order?: ListOrder;
  readonly max_id?: string;
  readonly since_id?: string;
  readonly min_id?: string;
  readonly around?: string;
  readonly next_token?: string;
  readonly prev_token?: string;
  readonly page?: number;
  readonly as_of?: string;
  readonly author?: string;
  readonly mention?: string;
  readonly topic?: string;
  readonly format?: 'entities' | 'markup';
  readonly resolve?: boolean;
}

const cursor = (description: string): TSchema =>
  Type.Optional(Type.String({ pattern: ID_PATTERN, description }));

export function listParameters(limits: Limits): Record<keyof ListQuery, TSchema> {
  const token = (description: string): TSchema => tokenParameter(limits, description);
  return {
    limit: limitParameter(limits),
    order: Type.Optional(
      Type.Enum(['desc', 'asc'], { default: 'desc', description: 'Newest first, or oldest first.' }),
    ),
    max_id: cursor('Items up to and including this id. Its item may have been deleted.'),
    since_id: cursor('Items above this id.'),
    min_id: cursor('The page directly above this id, even if more items follow: fills a gap from below.'),
    around: cursor('Half a page up to and including this id, and half a page above it.'),
    next_token: token('`next` of an earlier reply.'),
    prev_token: token('`prev` of an earlier reply.'),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LAST_PAGE,
        description: 'A page by number; every page costs as much as page 1.',
      }),
    ),
    as_of: token(
      '`as_of` of the first reply of a walk by page number: the walk then neither repeats nor skips items.',
    ),
    author: Type.Optional(Type.String({ pattern: USER_PATTERN, description: 'Written by this user.' })),
    mention: Type.Optional(Type.String({ pattern: USER_PATTERN, description: 'Mentioning this user.' })),
    topic: Type.Optional(
      Type.String({
        pattern: USER_PATTERN,
        description: 'On this topic: its id or, if it has none, its text without `#`. Case-insensitive.',
      }),
    ),
    format: Format,
    resolve: Resolve,
  };
}

/** What distinguishes lists besides their path; tokens are bound to it. */
export function listFilters(query: ListQuery): EntryFilter & { readonly order: ListOrder } {
  const { author, mention, topic, order = 'desc' } = query;
  return {
    ...(author === undefined ? {} : { author }),
    ...(mention === undefined ? {} : { mention }),
    ...(topic === undefined ? {} : { topic }),
    order,
  };
}

/** The contents of the tokens of a query. */
export interface OpenedTokens {
  readonly stretch: ListSection | undefined;
  readonly pin: Pin | undefined;
}

/** The request for the store. Throws Problem for contradicting parameters. */
export function entryListRequest(query: ListQuery, tokens: OpenedTokens): ListRequest {
  const { order, ...filter } = listFilters(query);
  return { filter, order, limit: query.limit ?? DEFAULT_PAGE_SIZE, place: requestedPlace(query, tokens) };
}

/** Parameters that say where a page is; those of one group may be combined. */
const GROUPS: readonly (readonly (keyof ListQuery)[])[] = [
  ['page', 'as_of'],
  ['around'],
  ['next_token'],
  ['prev_token'],
  ['max_id', 'since_id'],
  ['max_id', 'min_id'],
];

/** Throws for parameters that exclude each other. */
export function checkPositionParameters(query: ListQuery): void {
  const all: readonly (keyof ListQuery)[] = [...new Set(GROUPS.flat())];
  const given = all.filter((name) => query[name] !== undefined);
  if (!GROUPS.some((group) => given.every((name) => group.includes(name)))) {
    throw new Problem(
      'conflicting-parameters',
      `${given.join(' and ')} each select the position of the page: send only one (max_id may be combined with since_id or min_id).`,
      { field: given.at(-1)! },
    );
  }
  if (query.as_of !== undefined && query.page === undefined) {
    throw new Problem('conflicting-parameters', 'as_of applies only to pages by number: send page as well.', {
      field: 'as_of',
    });
  }
}

function requestedPlace(query: ListQuery, { stretch, pin }: OpenedTokens): PagePlace {
  const { page, around, max_id: maxId, since_id: sinceId, min_id: minId } = query;
  if (page !== undefined) return { by: 'page', page, pin };
  if (around !== undefined) return { by: 'around', id: around };
  if (stretch !== undefined) return { by: 'stretch', stretch };
  return { by: 'id', maxId, sinceId, minId };
}
