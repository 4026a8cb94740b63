// Pages of entries: ways onward as id and as token and, for pages by number, the place among all pages.

import { toMarkup } from '@octavo/mention';
import { type Entry, type EntryPage, type EntryView, entryView } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Type } from '../http/json-schema.ts';
import { type Links, setLinks } from '../http/links.ts';
import type { TokenListing } from '../http/list-tokens.ts';
import { type PageEnvelope, pageEnvelope, pageSchema } from '../http/page-envelope.ts';
import type { ApiServices } from '../resource.ts';
import type { ListQuery } from './list-query.ts';
import { sealPin, sealStretch } from './position-tokens.ts';
import { EntryId } from './schema.ts';

/** An entry in one of the two formats. */
export type FormattedEntry =
  | EntryView
  | (Omit<EntryView, 'text' | 'entities' | 'unit'> & { readonly markup: string });

export function formatEntry(entry: Entry, format: ListQuery['format']): FormattedEntry {
  const view = entryView(entry);
  if (format !== 'markup') return view;
  const { id, author, text, entities, unit, ...rest } = view;
  return { id, author, markup: toMarkup({ text, entities, unit }), ...rest };
}

/** The query in its own and in the other format: an ETag may be of either. */
export function bothFormats<Query extends Pick<ListQuery, 'format'>>(query: Query): readonly Query[] {
  return [query, { ...query, format: query.format === 'markup' ? 'entities' : 'markup' }];
}

export interface ListReply<Item> extends PageEnvelope<Item> {
  readonly next_max_id?: string;
  readonly next_min_id?: string;
  readonly page?: number;
  readonly page_count?: number;
  readonly total?: number;
  readonly total_counted?: boolean;
  readonly as_of?: string;
  readonly deleted?: readonly string[];
}

export function listReplySchema(item: TSchema): TSchema {
  return pageSchema(item, {
    next_max_id: Type.Optional({
      ...EntryId,
      description: 'The id of the first item after the page: send it as `max_id`. Absent at the end.',
    }),
    next_min_id: Type.Optional({
      ...EntryId,
      description:
        'For walks to newer items (`order=asc`, `min_id`): send it as `min_id`. Absent at the end.',
    }),
    page: Type.Optional(Type.Integer({ description: 'With `page`: its number.' })),
    page_count: Type.Optional(Type.Integer({ description: 'With `page`: how many pages there are.' })),
    total: Type.Optional(
      Type.Integer({
        description:
          'The exact number of items: with `page`, and on the first page of a list without filters, where it is known.',
      }),
    ),
    total_counted: Type.Optional(
      Type.Boolean({
        description: 'With `page`: true if `total` was counted, as with filters; false if it was known.',
      }),
    ),
    as_of: Type.Optional(
      Type.String({
        description:
          'With `page`: the state of the list. Send it with the other pages of the walk. Valid for 24 hours.',
      }),
    ),
    deleted: Type.Optional(
      Type.Array(EntryId, {
        description:
          'With `page`: ids on this page that were deleted after `as_of`. Each still counts towards the page size.',
      }),
    ),
  });
}

/** Builds the answer and sets its `Link` header. */
export async function listReply<Item>(
  services: ApiServices,
  listing: TokenListing,
  query: ListQuery,
  page: EntryPage,
  format: (entry: Entry) => Item,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<ListReply<Item>> {
  const { paged } = page;
  const next = page.next && (await sealStretch(services, listing, page.next));
  const prev = page.prev && (await sealStretch(services, listing, page.prev));
  const asOf = paged && (query.as_of ?? (await sealPin(services, listing, paged.pin)));
  setLinks(http.request, http.reply, paged ? pageLinks(paged, asOf) : cursorLinks(page, next, prev));
  return {
    ...pageEnvelope(page.entries.map(format), page.more, { next, prev }),
    ...(page.nextMaxId === undefined ? {} : { next_max_id: page.nextMaxId }),
    ...(page.nextMinId === undefined ? {} : { next_min_id: page.nextMinId }),
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(paged === undefined || asOf === undefined
      ? {}
      : {
          page: paged.page,
          page_count: paged.pageCount,
          total_counted: paged.counted,
          as_of: asOf,
          deleted: paged.deleted,
        }),
  };
}

function pageLinks({ page, pageCount }: NonNullable<EntryPage['paged']>, asOf: string | undefined): Links {
  const at = (n: number): Links['next'] => ({ page: n, as_of: asOf });
  return {
    ...(page < pageCount ? { next: at(page + 1) } : {}),
    ...(page > 1 && pageCount > 0 ? { prev: at(Math.min(page - 1, pageCount)) } : {}),
    ...(pageCount > 0 ? { first: at(1), last: at(pageCount) } : {}),
  };
}

/** Removes the parameters that say where this page is. */
const NOWHERE = {
  max_id: undefined,
  since_id: undefined,
  min_id: undefined,
  around: undefined,
  next_token: undefined,
  prev_token: undefined,
};

function cursorLinks(page: EntryPage, next: string | undefined, prev: string | undefined): Links {
  // A link by id where that suffices: it is readable and never expires.
  const unbounded = page.next?.towards === 'older' && page.next.until === undefined;
  const nextParams =
    unbounded && page.nextMaxId !== undefined ? { max_id: page.nextMaxId } : { next_token: next };
  return {
    ...(next === undefined ? {} : { next: { ...NOWHERE, ...nextParams } }),
    ...(prev === undefined ? {} : { prev: { ...NOWHERE, prev_token: prev } }),
  };
}
