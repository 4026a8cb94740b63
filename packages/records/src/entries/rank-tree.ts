// An order-statistic tree over the positions of a space: the number of live entries for each range of 64,
// 64², 64³ … positions. It answers which entry is the n-th from the newest and how many are newer, with one
// row read or written for each level, however long the list is and whatever was deleted in it. (Cormen et
// al., Introduction to Algorithms, chapter 14; fan-out 64 instead of 2.)

import type { Insertable, Kysely } from 'kysely';
import type { Database } from '../schema/database.ts';
import type { EntryCountTable } from '../schema/entry-tables.ts';
import { sql } from '../schema/kysely.ts';

/** Ranges in one of the level above; positions in a leaf. */
export const FAN_OUT = 64;

/** The number of levels for a number of positions: 1 up to 4096, 2 up to 262,144, … O(log n). */
export function treeLevels(positions: number): number {
  let levels = 1;
  for (let reach = FAN_OUT * FAN_OUT; reach < positions; reach *= FAN_OUT) levels++;
  return levels;
}

/** The range of a level that holds a position. Exact up to 2^53. */
export function rangeOf(position: number, level: number): number {
  return Math.floor(position / FAN_OUT ** level);
}

/** The number of positions in each range of a level. O(n). */
export function countsByRange(positions: readonly number[], level: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const position of positions) {
    const range = rangeOf(position, level);
    counts.set(range, (counts.get(range) ?? 0) + 1);
  }
  return counts;
}

/** Entries that were appended to a space, at consecutive positions from `first`. */
interface AppendedEntries {
  readonly number: number;
  readonly first: number;
  readonly ids: readonly string[];
  /** Live entries before. */
  readonly liveBefore: number;
}

/** Counts appended entries: one statement, one row for each range. */
export async function countAppended(db: Kysely<Database>, appended: AppendedEntries): Promise<void> {
  const { number, first, ids, liveBefore } = appended;
  const positions = ids.map((_, at) => first + at);
  const before = treeLevels(first);
  const rows: Change[] = [];
  for (let level = 1; level <= treeLevels(first + ids.length); level++) {
    const counts = countsByRange(positions, level);
    // The first range of a new level contains all earlier entries.
    if (level > before) counts.set(0, (counts.get(0) ?? 0) + liveBefore);
    for (const [range, live] of counts) {
      const id = level === 1 ? ids[range * FAN_OUT - first] : undefined;
      rows.push({ space: number, level, range, live, first_id: id ?? null });
    }
  }
  await add(db, rows);
}

/** Counts one entry less: one statement, one row for each level. `positions` is the number that the space has given. */
export async function countDeleted(
  db: Kysely<Database>,
  space: { readonly number: number; readonly positions: number },
  position: number,
): Promise<void> {
  const rows: Change[] = [];
  for (let level = 1; level <= treeLevels(space.positions); level++) {
    const range = rangeOf(position, level);
    rows.push({ space: space.number, level, range, live: -1, first_id: null });
  }
  await add(db, rows);
}

type Change = Insertable<EntryCountTable>;

async function add(db: Kysely<Database>, rows: readonly Change[]): Promise<void> {
  await db
    .insertInto('entry_count')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['space', 'level', 'range']).doUpdateSet((eb) => ({
        live: eb('entry_count.live', '+', eb.ref('excluded.live')),
      })),
    )
    .execute();
}

/** Up to this many positions are counted one by one, in one statement, instead of by range. */
const FEW = 1_024;

/** Live entries above a position. O(64 · levels) rows, or at most 1,024 near the newest. */
export async function liveAbove(
  db: Kysely<Database>,
  space: { readonly number: number; readonly positions: number },
  position: number,
): Promise<number> {
  let above = 0;
  let last = space.positions;
  const few = space.positions - position <= FEW;
  for (let level = few ? 0 : treeLevels(space.positions); level >= 1; level--) {
    const range = rangeOf(position, level);
    const row = await db
      .selectFrom('entry_count')
      .select(sql<bigint | null>`sum(live)`.as('live'))
      .where('space', '=', BigInt(space.number))
      .where('level', '=', BigInt(level))
      .where('range', '>', BigInt(range))
      .where('range', '<=', BigInt(last))
      .executeTakeFirst();
    above += Number(row?.live ?? 0);
    last = range * FAN_OUT + FAN_OUT - 1;
  }
  const row = await db
    .selectFrom('entry')
    .select(sql<bigint>`count(*)`.as('live'))
    .where('space', '=', BigInt(space.number))
    .where('position', '>', BigInt(position))
    .where('position', '<=', BigInt(last))
    .executeTakeFirst();
  return above + Number(row?.live ?? 0);
}

/** The live entries of an author above a position. Reads one tag for each; they are few, since an author has read up to their own. */
export async function authoredAbove(
  db: Kysely<Database>,
  space: number,
  position: number,
  author: string,
): Promise<number> {
  const row = await db
    .selectFrom('entry_tag')
    .select(sql<bigint>`count(*)`.as('own'))
    .where('kind', '=', 'author')
    .where('name', '=', author)
    .where('space', '=', BigInt(space))
    .where('position', '>', BigInt(position))
    .where('removed', 'is', null)
    .executeTakeFirst();
  return Number(row?.own ?? 0);
}

/** A range and the number of its slots. */
interface RangeCount {
  readonly range: number;
  readonly count: number;
}

/** Counts additional slots by range, for the ranges of a level from `first` to `last`. */
export type ExtraCounts = (level: number, first: number, last: number) => Promise<readonly RangeCount[]>;

/** The place of the n-th entry from the newest: a leaf, and the number of newer entries in it. */
interface LeafRank {
  readonly first: number;
  readonly last: number;
  readonly skip: number;
}

/**
 * The leaf of the entry that has exactly `skip` newer ones; undefined where there are fewer. `more` counts slots of deleted
 * entries that still count for the caller. O(64 · levels) rows.
 */
export async function leafAt(
  db: Kysely<Database>,
  space: { readonly number: number; readonly positions: number },
  skip: number,
  more?: ExtraCounts,
): Promise<LeafRank | undefined> {
  let first = 0;
  let last = FAN_OUT - 1;
  for (let level = treeLevels(space.positions); level >= 1; level--) {
    const counts = await countsOf(db, space.number, level, first, last);
    const added = (await more?.(level, first, last)) ?? [];
    for (const { range, count } of added) counts.set(range, (counts.get(range) ?? 0) + count);
    let found: number | undefined;
    for (let range = last; range >= first && found === undefined; range--) {
      const count = counts.get(range) ?? 0;
      if (skip < count) found = range;
      else skip -= count;
    }
    if (found === undefined) return undefined;
    // A range without additional slots has no part with any.
    if (!added.some(({ range }) => range === found)) more = undefined;
    first = found * FAN_OUT;
    last = first + FAN_OUT - 1;
  }
  return { first, last, skip };
}

async function countsOf(
  db: Kysely<Database>,
  space: number,
  level: number,
  first: number,
  last: number,
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('entry_count')
    .select(['range', 'live'])
    .where('space', '=', BigInt(space))
    .where('level', '=', BigInt(level))
    .where('range', '>=', BigInt(first))
    .where('range', '<=', BigInt(last))
    .execute();
  return new Map(rows.map((row) => [Number(row.range), Number(row.live)]));
}
