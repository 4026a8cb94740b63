// The queries for entries of a space: all of them or those with certain tags, as they are now or as they were
// at a change.

import type { Kysely, SqlBool } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { type Entry, entryOfRow } from '../entry.ts';
import type { Tag } from '../tags.ts';

/** The direction in which a list is read. */
export type ListDirection = 'older' | 'newer';

/** A part of a space: the positions above `above` and below `below`, without these two. */
export interface Bounds {
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

/** The next entries with all the tags (with none: any) within the bounds, nearest first. */
export async function liveEntries(
  db: Kysely<Database>,
  space: number,
  tags: readonly Tag[],
  bounds: Bounds,
  towards: ListDirection,
  limit: number,
): Promise<Entry[]> {
  if (tags.length > 0) {
    const positions = await taggedPositions(db, space, tags, { bounds, towards, limit });
    const entries = await entriesAt(db, space, positions);
    return towards === 'older' ? entries.reverse() : entries;
  }
  let query = db.selectFrom('entry').selectAll().where('space', '=', BigInt(space));
  if (bounds.above !== undefined) query = query.where('position', '>', BigInt(bounds.above));
  if (bounds.below !== undefined) query = query.where('position', '<', BigInt(bounds.below));
  const rows = await query
    .orderBy('position', towards === 'older' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  return rows.map(entryOfRow);
}

/** The live entries among some positions, in rising order. */
export async function entriesAt(
  db: Kysely<Database>,
  space: number,
  positions: readonly number[],
): Promise<Entry[]> {
  if (positions.length === 0) return [];
  const rows = await db
    .selectFrom('entry')
    .selectAll()
    .where('space', '=', BigInt(space))
    .where('position', 'in', positions.map(BigInt))
    .orderBy('position')
    .execute();
  return rows.map(entryOfRow);
}

/** A request for tagged positions. */
interface TaggedRequest {
  readonly bounds: Bounds;
  /** Tags as of this change. @default as of now */
  readonly change?: number;
  readonly towards: ListDirection;
  readonly limit: number;
  readonly skip?: number;
}

/** Positions that have all the tags, nearest first. O(skip + limit) where there is one tag. */
export async function taggedPositions(
  db: Kysely<Database>,
  space: number,
  tags: readonly Tag[],
  { bounds, change, towards, limit, skip = 0 }: TaggedRequest,
): Promise<number[]> {
  const rows = await tagged(db, space, tags, bounds, change)
    .select('entry_tag.position')
    .orderBy('entry_tag.position', towards === 'older' ? 'desc' : 'asc')
    .limit(limit)
    .offset(skip)
    .execute();
  return rows.map(({ position }) => Number(position));
}

/** How many positions have all the tags: they are counted, one by one. */
export async function countTagged(
  db: Kysely<Database>,
  space: number,
  tags: readonly Tag[],
  bounds: Bounds,
  change: number,
): Promise<number> {
  const row = await tagged(db, space, tags, bounds, change)
    .select(sql<bigint>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

// The return type is what Kysely infers; it is only used in this file.
function tagged(
  db: Kysely<Database>,
  space: number,
  tags: readonly Tag[],
  bounds: Bounds,
  change: number | undefined,
) {
  const [first, ...others] = tags;
  if (first === undefined) throw new Error('There is no tag to look for.');
  let query = db
    .selectFrom('entry_tag')
    .where('entry_tag.space', '=', BigInt(space))
    .where('entry_tag.kind', '=', first.kind)
    .where('entry_tag.name', '=', first.name)
    .where(holds('entry_tag', change));
  if (bounds.above !== undefined) query = query.where('entry_tag.position', '>', BigInt(bounds.above));
  if (bounds.below !== undefined) query = query.where('entry_tag.position', '<', BigInt(bounds.below));
  for (const { kind, name } of others) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('entry_tag as other')
          .select('other.position')
          .whereRef('other.space', '=', 'entry_tag.space')
          .whereRef('other.position', '=', 'entry_tag.position')
          .where('other.kind', '=', kind)
          .where('other.name', '=', name)
          .where(holds('other', change)),
      ),
    );
  }
  return query;
}

function holds(table: 'entry_tag' | 'other', change: number | undefined) {
  const removed = sql.ref(`${table}.removed`);
  if (change === undefined) return sql<SqlBool>`${removed} is null`;
  const added = sql.ref(`${table}.added`);
  return sql<SqlBool>`${added} <= ${BigInt(change)} and (${removed} is null or ${removed} > ${BigInt(change)})`;
}
