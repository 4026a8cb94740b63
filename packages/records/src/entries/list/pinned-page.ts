// Reads page n of a pinned list. A page number is a rank: the number of newer entries. Without a filter the
// rank is looked up in the rank tree, so that page 50,000 costs what page 1 costs; with a filter the tags are
// counted from the newest on.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { Entry } from '../entry.ts';
import type { Pin } from '../pin.ts';
import { FAN_OUT, leafAt, liveAbove } from '../rank-tree.ts';
import type { Space } from '../space.ts';
import type { Tag } from '../tags.ts';
import { type DeletedEntry, deletedSince } from './deleted-entries.ts';
import { entriesAt, liveEntries, taggedPositions } from './entry-queries.ts';

/** The slots of a page: live entries, and ids of entries that were deleted since the list was pinned. Newest first. */
interface PageSlots {
  readonly entries: readonly Entry[];
  readonly deleted: readonly string[];
  /** The highest and the lowest position of the slots; undefined without slots. */
  readonly edges: { readonly newest: number; readonly oldest: number } | undefined;
}

const NONE: PageSlots = { entries: [], deleted: [], edges: undefined };

/** `count` slots of a pinned list after the `skip` newest. */
export async function readSlots(
  db: Kysely<Database>,
  space: Space,
  tags: readonly Tag[],
  pin: Pin,
  skip: number,
  count: number,
): Promise<PageSlots> {
  if (count <= 0) return NONE;
  return tags.length === 0
    ? await allSlots(db, space, pin, skip, count)
    : await taggedSlots(db, space, tags, pin, skip, count);
}

async function allSlots(
  db: Kysely<Database>,
  space: Space,
  pin: Pin,
  skip: number,
  count: number,
): Promise<PageSlots> {
  const deleted = await deletedSince(db, space, pin);
  const later = pin.positions < space.positions ? await liveAbove(db, space, pin.positions - 1) : 0;
  const leaf = await leafAt(db, space, skip + later, deleted?.byRange);
  if (leaf === undefined) return NONE;
  const near = (await deleted?.upTo(leaf.last, FAN_OUT + count)) ?? [];
  const dead = near.map(({ position }) => position).filter((position) => position >= leaf.first);
  const living = await positionsWithin(db, space.number, leaf.first, leaf.last);
  const top = [...living, ...dead].sort((a, b) => b - a)[leaf.skip];
  if (top === undefined) return NONE;
  const entries = await liveEntries(db, space.number, [], { below: top + 1 }, 'older', count);
  return merged(
    entries,
    near.filter(({ position }) => position <= top),
    count,
  );
}

async function taggedSlots(
  db: Kysely<Database>,
  space: Space,
  tags: readonly Tag[],
  pin: Pin,
  skip: number,
  count: number,
): Promise<PageSlots> {
  const bounds = { below: pin.positions };
  const request = { bounds, change: pin.change, towards: 'older', limit: count, skip } as const;
  const positions = await taggedPositions(db, space.number, tags, request);
  const entries = (await entriesAt(db, space.number, positions)).reverse();
  if (entries.length === positions.length) return merged(entries, [], count);
  const living = new Set(entries.map(({ position }) => position));
  const missing = positions.filter((position) => !living.has(position));
  const rows = await db
    .selectFrom('entry_change')
    .select(['position', 'deleted_id'])
    .where('space', '=', BigInt(space.number))
    .where('position', 'in', missing.map(BigInt))
    .where('deleted_id', 'is not', null)
    .execute();
  return merged(
    entries,
    rows.map((row) => ({ position: Number(row.position), id: row.deleted_id ?? '' })),
    count,
  );
}

function merged(entries: readonly Entry[], deleted: readonly DeletedEntry[], count: number): PageSlots {
  const slots = [...entries, ...deleted].sort((a, b) => b.position - a.position).slice(0, count);
  const newest = slots[0]?.position;
  const oldest = slots.at(-1)?.position;
  if (newest === undefined || oldest === undefined) return NONE;
  return {
    entries: entries.filter(({ position }) => position >= oldest),
    deleted: deleted
      .filter(({ position }) => position >= oldest)
      .sort((a, b) => b.position - a.position)
      .map(({ id }) => id),
    edges: { newest, oldest },
  };
}

async function positionsWithin(
  db: Kysely<Database>,
  space: number,
  first: number,
  last: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('entry')
    .select('position')
    .where('space', '=', BigInt(space))
    .where('position', '>=', BigInt(first))
    .where('position', '<=', BigInt(last))
    .execute();
  return rows.map(({ position }) => Number(position));
}
