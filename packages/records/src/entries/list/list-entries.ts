// Lists a page of a space: by cursor ids, around an id, by the section in a token, or by number; with the
// pages on both sides.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { Entry } from '../entry.ts';
import { checkPin, type Pin } from '../pin.ts';
import { positionOfId } from '../position-of-id.ts';
import { findSpace, type Space } from '../space.ts';
import { type EntryFilter, type Tag, tagsOfFilter } from '../tags.ts';
import { countTagged, type ListDirection } from './entry-queries.ts';
import { adjacentEntry, type ListSection, readSection } from './list-section.ts';
import { readSlots } from './pinned-page.ts';

/** `desc` is newest first. */
export type ListOrder = 'desc' | 'asc';

/** Where the page is. Ids are well-formed; they need not exist (any more). */
export type PagePlace =
  | {
      readonly by: 'id';
      /** Ids up to this one, itself included. */
      readonly maxId?: string | undefined;
      /** Ids above this one. */
      readonly sinceId?: string | undefined;
      /** The ids just above this one: they fill a gap from below. */
      readonly minId?: string | undefined;
    }
  | { readonly by: 'around'; readonly id: string }
  | { readonly by: 'stretch'; readonly stretch: ListSection }
  | { readonly by: 'page'; readonly page: number; readonly pin?: Pin | undefined };

export interface ListRequest {
  readonly filter: EntryFilter;
  readonly order: ListOrder;
  /** At least 1. */
  readonly limit: number;
  readonly place: PagePlace;
}

/** The facts of a page by number. */
export interface NumberedPage {
  readonly page: number;
  readonly pageCount: number;
  /** Whether the total was counted one by one, as filters need. */
  readonly counted: boolean;
  /** Ids of the page's entries that were deleted since. */
  readonly deleted: readonly string[];
  readonly pin: Pin;
}

export interface EntryPage {
  /** In the order of the list. */
  readonly entries: readonly Entry[];
  /** Whether there are more in the direction of the walk. */
  readonly more: boolean;
  /** The id of the entry beyond the page, where the walk goes to older ones. */
  readonly nextMaxId: string | undefined;
  /** The id of the last entry, where the walk goes to newer ones and there are more. */
  readonly nextMinId: string | undefined;
  /** The pages on either side, in the order of the list; undefined at its ends. */
  readonly next: ListSection | undefined;
  readonly prev: ListSection | undefined;
  /** Entries of the list: of a page by number when it was pinned, of the first page by cursor if nothing has to be counted. */
  readonly total: number | undefined;
  readonly paged: NumberedPage | undefined;
}

/** A page of a space. One that nothing was written to is empty. Throws snapshot-expired. */
export async function listEntries(
  db: Kysely<Database>,
  spaceName: string,
  request: ListRequest,
  now: number,
): Promise<EntryPage> {
  const space = (await findSpace(db, spaceName)) ?? EMPTY;
  const tags = tagsOfFilter(request.filter);
  const { place, limit, order } = request;
  if (place.by === 'page') return await numberedPage(db, space, tags, request, place.page, place.pin, now);
  if (place.by === 'around') return await pageAround(db, space, tags, place.id, limit, order);
  const stretch = place.by === 'stretch' ? place.stretch : await stretchOf(db, space, place, order);
  const { entries, extra } = await readSection(db, space.number, tags, stretch, limit);
  const page = await described(db, space, tags, order, stretch, entries, extra);
  const isFirst = stretch.from === undefined && stretch.until === undefined;
  return isFirst && tags.length === 0 ? { ...page, total: space.live } : page;
}

const EMPTY: Space = { number: 0, positions: 0, live: 0, changes: 0, forgotten: 0 };

/** The stretch between ids. Lists that start with the oldest, and those that fill a gap, go to newer ones. */
async function stretchOf(
  db: Kysely<Database>,
  space: Space,
  { maxId, sinceId, minId }: Extract<PagePlace, { by: 'id' }>,
  order: ListOrder,
): Promise<ListSection> {
  const position = async (id: string | undefined): Promise<number | undefined> =>
    id === undefined ? undefined : await positionOfId(db, space.number, id);
  const top = await position(maxId);
  const below = top === undefined ? undefined : top + 1;
  const above = await position(minId ?? sinceId);
  if (order === 'asc' || minId !== undefined) return { towards: 'newer', from: above, until: below };
  return { towards: 'older', from: below, until: above };
}

async function described(
  db: Kysely<Database>,
  space: Space,
  tags: readonly Tag[],
  order: ListOrder,
  stretch: ListSection,
  entries: readonly Entry[],
  extra: Entry | undefined,
): Promise<EntryPage> {
  const newest = entries[0];
  const oldest = entries.at(-1);
  const older = stretch.towards === 'older';
  const more = extra !== undefined;
  let ahead: ListSection | undefined;
  let behind: ListSection | undefined;
  if (newest !== undefined && oldest !== undefined) {
    const [front, back] = older ? [oldest, newest] : [newest, oldest];
    if (more) ahead = { ...stretch, from: front.position };
    const opposite: ListDirection = older ? 'newer' : 'older';
    // Nothing precedes the start of a list.
    const other =
      stretch.from === undefined
        ? undefined
        : await adjacentEntry(db, space.number, tags, back.position, opposite);
    if (other !== undefined) behind = { towards: opposite, from: back.position };
  }
  const forward = older === (order === 'desc');
  return {
    entries: order === 'desc' ? entries : entries.toReversed(),
    more,
    nextMaxId: older ? extra?.id : undefined,
    nextMinId: !older && more ? newest?.id : undefined,
    next: forward ? ahead : behind,
    prev: forward ? behind : ahead,
    total: undefined,
    paged: undefined,
  };
}

/** The entry with its neighbours: half of the page up to the id, half above it. */
async function pageAround(
  db: Kysely<Database>,
  space: Space,
  tags: readonly Tag[],
  id: string,
  limit: number,
  order: ListOrder,
): Promise<EntryPage> {
  const middle = await positionOfId(db, space.number, id);
  const above = Math.floor(limit / 2);
  const older = await readSection(
    db,
    space.number,
    tags,
    { towards: 'older', from: middle + 1 },
    limit - above,
  );
  const newer =
    above === 0
      ? { entries: [], extra: await adjacentEntry(db, space.number, tags, middle, 'newer') }
      : await readSection(db, space.number, tags, { towards: 'newer', from: middle }, above);
  const entries = [...newer.entries, ...older.entries];
  const newest = entries[0];
  const oldest = entries.at(-1);
  const down: ListSection | undefined =
    older.extra && oldest ? { towards: 'older', from: oldest.position } : undefined;
  const up: ListSection | undefined =
    newer.extra && newest ? { towards: 'newer', from: newest.position } : undefined;
  return {
    entries: order === 'desc' ? entries : entries.toReversed(),
    more: (order === 'desc' ? down : up) !== undefined,
    nextMaxId: older.extra?.id,
    nextMinId: up === undefined ? undefined : newest?.id,
    next: order === 'desc' ? down : up,
    prev: order === 'desc' ? up : down,
    total: undefined,
    paged: undefined,
  };
}

async function numberedPage(
  db: Kysely<Database>,
  space: Space,
  tags: readonly Tag[],
  { limit, order }: ListRequest,
  page: number,
  given: Pin | undefined,
  now: number,
): Promise<EntryPage> {
  const pin = given ?? (await pinOf(db, space, tags, now));
  checkPin(pin, space, now);
  const { total } = pin;
  // In slots from the newest on: the page is from `start` to `end`.
  const low = (page - 1) * limit;
  const start = order === 'desc' ? low : Math.max(0, total - low - limit);
  const end = order === 'desc' ? Math.min(total, low + limit) : total - low;
  const slots = await readSlots(db, space, tags, pin, start, end - start);
  const { edges } = slots;
  const older = edges && (await adjacentEntry(db, space.number, tags, edges.oldest, 'older'));
  const newer = edges && (await adjacentEntry(db, space.number, tags, edges.newest, 'newer'));
  const down: ListSection | undefined = edges && older ? { towards: 'older', from: edges.oldest } : undefined;
  const up: ListSection | undefined = edges && newer ? { towards: 'newer', from: edges.newest } : undefined;
  const pageCount = Math.ceil(total / limit);
  return {
    entries: order === 'desc' ? slots.entries : slots.entries.toReversed(),
    more: page < pageCount,
    nextMaxId: order === 'desc' ? older?.id : undefined,
    // Where the newest is deleted, the one below it leads to the same place: no live entry is between them.
    nextMinId: order === 'asc' && newer ? (slots.entries[0]?.id ?? slots.deleted[0]) : undefined,
    next: order === 'desc' ? down : up,
    prev: order === 'desc' ? up : down,
    total,
    paged: { page, pageCount, counted: tags.length > 0, deleted: slots.deleted, pin },
  };
}

async function pinOf(db: Kysely<Database>, space: Space, tags: readonly Tag[], now: number): Promise<Pin> {
  const { positions, changes } = space;
  const total =
    tags.length === 0 ? space.live : await countTagged(db, space.number, tags, { below: positions }, changes);
  return { positions, change: changes, total, time: now };
}
