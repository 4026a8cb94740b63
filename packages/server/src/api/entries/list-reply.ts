// What does a page look like? Entries, the ways onward as id and as token, and in page mode where it is among all.

import { toMarkup } from '@octavo/mention';
import { type Entry, type EntryPage, type EntryView, entryView } from '@octavo/records';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { Type } from '../http/json-schema.ts';
import { type Links, setLinks } from '../http/links.ts';
import type { TokenListing } from '../http/list-tokens.ts';
import type { ApiServices } from '../resource.ts';
import type { ListQuery } from './list-query.ts';
import { sealPin, sealStretch } from './position-tokens.ts';
import { EntryId } from './schema.ts';

/** An entry as one of the two formats gives it. */
export type FormattedEntry =
  | EntryView
  | (Omit<EntryView, 'text' | 'entities' | 'unit'> & { readonly markup: string });

/** An entry in an answer. */
export function formatEntry(entry: Entry, format: ListQuery['format']): FormattedEntry {
  const view = entryView(entry);
  if (format !== 'markup') return view;
  const { id, author, text, entities, unit, ...rest } = view;
  return { id, author, markup: toMarkup({ text, entities, unit }), ...rest };
}

/** A query with its own format, and with the other: an ETag may be of either. */
export function bothFormats<Query extends Pick<ListQuery, 'format'>>(query: Query): readonly Query[] {
  return [query, { ...query, format: query.format === 'markup' ? 'entities' : 'markup' }];
}

/** A page. */
export interface ListReply<Item> {
  readonly items: readonly Item[];
  readonly next_max_id?: string;
  readonly next_min_id?: string;
  readonly more_available: boolean;
  readonly next?: string;
  readonly prev?: string;
  readonly page?: number;
  readonly page_count?: number;
  readonly total?: number;
  readonly total_counted?: boolean;
  readonly as_of?: string;
  readonly deleted?: readonly string[];
}

export function listReplySchema(item: TSchema): TSchema {
  return Type.Object(
    {
      items: Type.Array(item),
      next_max_id: Type.Optional({
        ...EntryId,
        description: 'The id of the first one beyond the page: send it as `max_id`. Absent at the end.',
      }),
      next_min_id: Type.Optional({
        ...EntryId,
        description:
          'Where the walk goes to newer ones (`order=asc`, `min_id`): send it as `min_id`. Absent at the end.',
      }),
      more_available: Type.Boolean({ description: 'Whether there are more in the direction of the walk.' }),
      next: Type.Optional(
        Type.String({
          description: 'The next page of the list: send it as `next_token`. Absent at the end.',
        }),
      ),
      prev: Type.Optional(
        Type.String({ description: 'The page before: send it as `prev_token`. Absent at the start.' }),
      ),
      page: Type.Optional(Type.Integer({ description: 'With `page`: its number.' })),
      page_count: Type.Optional(Type.Integer({ description: 'With `page`: how many pages there are.' })),
      total: Type.Optional(Type.Integer({ description: 'With `page`: how many there are in all; exact.' })),
      total_counted: Type.Optional(
        Type.Boolean({
          description: 'With `page`: whether `total` was counted one by one, as filters need, or was known.',
        }),
      ),
      as_of: Type.Optional(
        Type.String({
          description:
            'With `page`: the state that total and pages belong to. Send it with the other pages of a walk; good for 24 hours.',
        }),
      ),
      deleted: Type.Optional(
        Type.Array(EntryId, {
          description:
            'With `page`: ids of this page that were deleted since `as_of`; they keep their slots.',
        }),
      ),
    },
    { description: 'A page.' },
  );
}

/** Makes the answer and sets its `Link` header. */
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
    items: page.entries.map(format),
    ...(page.nextMaxId === undefined ? {} : { next_max_id: page.nextMaxId }),
    ...(page.nextMinId === undefined ? {} : { next_min_id: page.nextMinId }),
    more_available: page.more,
    ...(next === undefined ? {} : { next }),
    ...(prev === undefined ? {} : { prev }),
    ...(paged === undefined || asOf === undefined
      ? {}
      : {
          page: paged.page,
          page_count: paged.pageCount,
          total: paged.total,
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

/** What said where this page is gives way to where the other one is. */
const NOWHERE = {
  max_id: undefined,
  since_id: undefined,
  min_id: undefined,
  around: undefined,
  next_token: undefined,
  prev_token: undefined,
};

function cursorLinks(page: EntryPage, next: string | undefined, prev: string | undefined): Links {
  // The next page by its id where that says it all: such a link can be read, and never grows old.
  const unbounded = page.next?.towards === 'older' && page.next.until === undefined;
  const nextParams =
    unbounded && page.nextMaxId !== undefined ? { max_id: page.nextMaxId } : { next_token: next };
  return {
    ...(next === undefined ? {} : { next: { ...NOWHERE, ...nextParams } }),
    ...(prev === undefined ? {} : { prev: { ...NOWHERE, prev_token: prev } }),
  };
}
