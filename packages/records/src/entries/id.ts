// Where in a space is an id? Also for ids of entries that were deleted, and of entries that never were.

import type { Kysely } from 'kysely';
import type { Database } from '../schema/database.ts';
import { FAN_OUT } from './ranges.ts';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for anything written as a UUID. Ids that are given out are UUIDv7, in lower case. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/**
 * A position such that exactly the living entries with ids up to `id` lie at or below it; -1 where there are none.
 * Reads one row where the entry lives, else a leaf of the counts, found by the ids that leaves begin with.
 */
export async function positionOfId(db: Kysely<Database>, space: number, id: string): Promise<number> {
  const wanted = id.toLowerCase();
  const entry = await db
    .selectFrom('entry')
    .select(['space', 'position'])
    .where('id', '=', wanted)
    .executeTakeFirst();
  if (entry !== undefined && Number(entry.space) === space) return Number(entry.position);
  const leaf = await db
    .selectFrom('entry_count')
    .select('range')
    .where('space', '=', BigInt(space))
    .where('level', '=', 1n)
    .where('first_id', '<=', wanted)
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (leaf === undefined) return -1;
  const first = Number(leaf.range) * FAN_OUT;
  const below = await db
    .selectFrom('entry')
    .select('position')
    .where('space', '=', BigInt(space))
    .where('position', '>=', BigInt(first))
    .where('position', '<', BigInt(first + FAN_OUT))
    .where('id', '<=', wanted)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return below === undefined ? first : Number(below.position);
}
