// A space as a whole: the positions that it has given, its live entries, its changes.

import type { Kysely } from 'kysely';
import type { Database } from '../schema/database.ts';

/** A space as it is now. */
export interface Space {
  readonly number: number;
  readonly positions: number;
  readonly live: number;
  readonly changes: number;
  readonly forgotten: number;
}

/** Undefined where nothing was ever written to it. */
export async function findSpace(db: Kysely<Database>, name: string): Promise<Space | undefined> {
  const row = await db.selectFrom('entry_space').selectAll().where('name', '=', name).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    number: Number(row.number),
    positions: Number(row.positions),
    live: Number(row.live),
    changes: Number(row.changes),
    forgotten: Number(row.forgotten),
  };
}

/** Takes the next positions; creates the space if needed. Returns the space as it is afterwards. */
export async function takePositions(
  db: Kysely<Database>,
  name: string,
  count: number,
): Promise<Pick<Space, 'number' | 'positions' | 'live' | 'changes'>> {
  const row = await db
    .insertInto('entry_space')
    .values({ name, positions: count, live: count, changes: 0, forgotten: 0 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({
        positions: eb('entry_space.positions', '+', eb.ref('excluded.positions')),
        live: eb('entry_space.live', '+', eb.ref('excluded.live')),
      })),
    )
    .returning(['number', 'positions', 'live', 'changes'])
    .executeTakeFirstOrThrow();
  return {
    number: Number(row.number),
    positions: Number(row.positions),
    live: Number(row.live),
    changes: Number(row.changes),
  };
}

/** Counts a change and, where it deletes an entry, one live entry less. Returns the number of the change. */
export async function takeChange(db: Kysely<Database>, space: number, deleted: 0 | 1): Promise<number> {
  const row = await db
    .updateTable('entry_space')
    .set((eb) => ({ changes: eb('changes', '+', 1n), live: eb('live', '-', BigInt(deleted)) }))
    .where('number', '=', BigInt(space))
    .returning('changes')
    .executeTakeFirstOrThrow();
  return Number(row.changes);
}
