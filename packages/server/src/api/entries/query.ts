// Which page of a list is asked for? The parameters that all lists of items and messages have, and what they mean
// together.

import type { EntryFilter, ListOrder, ListRequest, ListSection, PagePlace, Pin } from '@octavo/records';
import type { TSchema } from 'typebox';
import { Problem } from '../../errors/problem.ts';
import type { Limits } from '../../limits.ts';
import { tokenIn } from '../accounts/schema.ts';
import { Type } from '../http/json-schema.ts';
import { Format, ID_PATTERN, Resolve, USER_PATTERN } from './schema.ts';

/** Items of a page, where the caller does not say. */
export const DEFAULT_PAGE_SIZE = 20;

/** Far beyond any list, and exact when multiplied by a page size. */
const LAST_PAGE = 1_000_000_000_000;

/** What a query string of a list can hold. */
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

/** The parameters with their schemas. */
export function listQuery(limits: Limits): Record<keyof ListQuery, TSchema> {
  const token = (description: string): TSchema => tokenIn(limits, description);
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.feedPageSize,
        default: Math.min(DEFAULT_PAGE_SIZE, limits.feedPageSize),
        description: 'How many of a page.',
      }),
    ),
    order: Type.Optional(
      Type.Enum(['desc', 'asc'], { default: 'desc', description: 'Newest first, or oldest first.' }),
    ),
    max_id: cursor('Ids up to this one, itself included; it need not exist any more.'),
    since_id: cursor('Ids above this one.'),
    min_id: cursor('The page just above this id, however many lie above that: to fill a gap from below.'),
    around: cursor('Half a page up to this id, half a page above it.'),
    next_token: token('`next` of an earlier reply.'),
    prev_token: token('`prev` of an earlier reply.'),
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LAST_PAGE,
        description: 'A page by its number; any page costs what page 1 costs.',
      }),
    ),
    as_of: token(
      '`as_of` of the reply that a walk by page numbers began with: it then neither repeats nor skips.',
    ),
    author: Type.Optional(Type.String({ pattern: USER_PATTERN, description: 'Written by this user.' })),
    mention: Type.Optional(Type.String({ pattern: USER_PATTERN, description: 'Mentioning this user.' })),
    topic: Type.Optional(
      Type.String({
        pattern: USER_PATTERN,
        description: 'On this topic: its id or, where it has none, its text without `#`; either case.',
      }),
    ),
    format: Format,
    resolve: Resolve,
  };
}

/** What tells lists apart, beside their path; tokens are bound to it. */
export function filtersOf(query: ListQuery): EntryFilter & { readonly order: ListOrder } {
  const { author, mention, topic, order = 'desc' } = query;
  return {
    ...(author === undefined ? {} : { author }),
    ...(mention === undefined ? {} : { mention }),
    ...(topic === undefined ? {} : { topic }),
    order,
  };
}

/** What tokens said, once opened. */
export interface OpenedTokens {
  readonly stretch: ListSection | undefined;
  readonly pin: Pin | undefined;
}

/** The request of the store. Throws Problem for parameters that contradict each other. */
export function listRequest(query: ListQuery, tokens: OpenedTokens): ListRequest {
  const { order, ...filter } = filtersOf(query);
  return { filter, order, limit: query.limit ?? DEFAULT_PAGE_SIZE, place: placeOf(query, tokens) };
}

/** Parameters that say where a page is; those of one group may stand together. */
const GROUPS: readonly (readonly (keyof ListQuery)[])[] = [
  ['page', 'as_of'],
  ['around'],
  ['next_token'],
  ['prev_token'],
  ['max_id', 'since_id'],
  ['max_id', 'min_id'],
];

/** Refuses places that exclude each other. */
export function checkPlace(query: ListQuery): void {
  const all: readonly (keyof ListQuery)[] = [...new Set(GROUPS.flat())];
  const given = all.filter((name) => query[name] !== undefined);
  if (!GROUPS.some((group) => given.every((name) => group.includes(name)))) {
    throw new Problem(
      'conflicting-parameters',
      `${given.join(' and ')} each say where the page is: send one of them (max_id may stand with since_id or min_id).`,
      { field: given.at(-1)! },
    );
  }
  if (query.as_of !== undefined && query.page === undefined) {
    throw new Problem('conflicting-parameters', 'as_of pins a walk by page numbers: send page as well.', {
      field: 'as_of',
    });
  }
}

function placeOf(query: ListQuery, { stretch, pin }: OpenedTokens): PagePlace {
  const { page, around, max_id: maxId, since_id: sinceId, min_id: minId } = query;
  if (page !== undefined) return { by: 'page', page, pin };
  if (around !== undefined) return { by: 'around', id: around };
  if (stretch !== undefined) return { by: 'stretch', stretch };
  return { by: 'id', maxId, sinceId, minId };
}
