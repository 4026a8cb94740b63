// Removes the entries of a space whose owner was deleted. The space loses its name at once, so that nothing
// in it can be found; its rows are deleted in batches, so that no write has to wait for all of them.

import type { Selectable } from 'kysely';
import type { AnyOperation, WriteContext, WriteOperation } from '../contracts/operation.ts';
import type { EntrySpaceTable } from '../schema/entry-tables.ts';

/** The prefix of the names of abandoned spaces; an id follows. */
const GIVEN_UP = 'given-up:';
/** Positions that one call clears. */
const AT_ONCE = 1_000;

/** Abandons a space. A new space of the same name gives ids above its ids. */
export async function abandonSpace({ db, nextId }: WriteContext, name: string): Promise<void> {
  const mark = GIVEN_UP + (await nextId('@given-up'));
  await db.updateTable('entry_space').set({ name: mark }).where('name', '=', name).execute();
}

/** Removes some of the entries of abandoned spaces; true where there are more. */
export const sweepAbandonedEntries: WriteOperation<undefined, boolean> = {
  kind: 'write',
  name: 'entries.sweep',
  locks: () => ['@sweep'],
  async run(context) {
    const space = await abandonedSpace(context);
    if (space === undefined) return false;
    const { db } = context;
    const { number } = space;
    const from = Number(space.positions) - AT_ONCE;
    for (const table of ['entry_tag', 'entry_change', 'entry'] as const) {
      await db.deleteFrom(table).where('space', '=', number).where('position', '>=', BigInt(from)).execute();
    }
    if (from > 0) {
      await db.updateTable('entry_space').set({ positions: from }).where('number', '=', number).execute();
      return true;
    }
    await db.deleteFrom('entry_count').where('space', '=', number).execute();
    await db.deleteFrom('entry_space').where('number', '=', number).execute();
    return true;
  },
};

/** Every start asks for it: without `db`, which loads Kysely. */
async function abandonedSpace(
  context: WriteContext,
): Promise<Pick<Selectable<EntrySpaceTable>, 'number' | 'positions'> | undefined> {
  const names = [GIVEN_UP, `${GIVEN_UP}~`] as const;
  const { sql } = context;
  if (sql !== undefined)
    return sql.get('SELECT number, positions FROM entry_space WHERE name > ? AND name < ? LIMIT 1', ...names);
  return await context.db
    .selectFrom('entry_space')
    .select(['number', 'positions'])
    .where('name', '>', names[0])
    .where('name', '<', names[1])
    .limit(1)
    .executeTakeFirst();
}

export const sweepOperations: readonly AnyOperation[] = [sweepAbandonedEntries];
