// Finds the position of an id in a space, also for ids of deleted entries and for ids that no entry ever had.

import type { Kysely } from 'kysely';
import { isUuid7, lowestUuid7 } from '../ids/uuid.ts';
import type { Database } from '../schema/database.ts';
import { PIN_LIFE_MS } from './pin.ts';
import { FAN_OUT } from './rank-tree.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for anything written as a UUID. Ids that are given out are UUIDv7, in lower case. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/**
 * A position such that exactly the live entries with ids up to `id` are at or below it; -1 where there are none.
 * Reads one row where the entry is live, else a leaf of the rank tree, found by the first ids of leaves.
 */
export async function positionOfId(db: Kysely<Database>, space: number, id: string): Promise<number> {
  const lowerId = id.toLowerCase();
  const entry = await db
    .selectFrom('entry')
    .select(['space', 'position'])
    .where('id', '=', lowerId)
    .executeTakeFirst();
  if (entry !== undefined && Number(entry.space) === space) return Number(entry.position);
  const leaf = await leafOf(db, space, lowerId);
  if (leaf === undefined) return -1;
  const first = leaf * FAN_OUT;
  const below = await db
    .selectFrom('entry')
    .select('position')
    .where('space', '=', BigInt(space))
    .where('position', '>=', BigInt(first))
    .where('position', '<', BigInt(first + FAN_OUT))
    .where('id', '<=', lowerId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return below === undefined ? first : Number(below.position);
}

/**
 * True for the id of an entry of the space, live or deleted. Deletions are remembered for a day; of older ids, only those
 * are refused that the space cannot have given.
 */
export async function wasInSpace(
  db: Kysely<Database>,
  space: { readonly number: number; readonly forgotten: number },
  id: string,
  now: number,
): Promise<boolean> {
  const lowerId = id.toLowerCase();
  const entry = await db.selectFrom('entry').select('space').where('id', '=', lowerId).executeTakeFirst();
  if (entry !== undefined) return Number(entry.space) === space.number;
  const leaf = await leafOf(db, space.number, lowerId);
  if (leaf === undefined || !isUuid7(lowerId)) return false;
  const deleted = await db
    .selectFrom('entry_change')
    .select('change')
    .where('space', '=', BigInt(space.number))
    .where('position', '>=', BigInt(leaf * FAN_OUT))
    .where('position', '<', BigInt((leaf + 1) * FAN_OUT))
    .where('deleted_id', '=', lowerId)
    .executeTakeFirst();
  return deleted !== undefined || (space.forgotten > 0 && lowerId < lowestUuid7(now - PIN_LIFE_MS));
}

/** The range of the first level that an id belongs to; undefined before the first. */
async function leafOf(db: Kysely<Database>, space: number, id: string): Promise<number | undefined> {
  const leaf = await db
    .selectFrom('entry_count')
    .select('range')
    .where('space', '=', BigInt(space))
    .where('level', '=', 1n)
    .where('first_id', '<=', id)
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return leaf === undefined ? undefined : Number(leaf.range);
}
