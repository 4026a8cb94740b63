// Appends entries: each takes the next id and the next position of its space, is counted and tagged.

import type { WriteContext } from '../contracts/operation.ts';
import { contentColumns, type Draft, type Entry } from './entry.ts';
import { countAppended } from './rank-tree.ts';
import { takePositions } from './space.ts';
import { tagsOf } from './tags.ts';

/** Rows of one statement: SQLite binds at most 32,766 values to it, PostgreSQL 65,535. */
const ROWS = 1_000;

/** Appends entries in their order. Drafts were checked before: nothing here refuses them. */
export async function appendEntries(
  context: WriteContext,
  spaceName: string,
  drafts: readonly Draft[],
): Promise<Entry[]> {
  if (drafts.length === 0) return [];
  const { db, now } = context;
  // Ids first: on PostgreSQL they are taken under the lock of the space, so that positions rise with them.
  const ids: string[] = [];
  for (const _ of drafts) ids.push(await context.nextId(spaceName));
  const space = await takePositions(db, spaceName, drafts.length);
  const first = space.positions - drafts.length;
  const entries = drafts.map((draft, at): Entry => {
    return { ...draft, id: ids[at]!, position: first + at, createdAt: now, updatedAt: now };
  });
  await countAppended(db, { number: space.number, first, ids, liveBefore: space.live - drafts.length });
  for (const some of batches(entries)) {
    const rows = some.map((entry) => ({
      id: entry.id,
      space: space.number,
      position: entry.position,
      author: entry.author,
      ...contentColumns(entry),
      created_at: now,
      updated_at: now,
    }));
    await db.insertInto('entry').values(rows).execute();
  }
  const tags = entries.flatMap((entry) =>
    tagsOf(entry).map((tag) => ({
      ...tag,
      space: space.number,
      position: entry.position,
      added: space.changes,
      removed: null,
    })),
  );
  for (const some of batches(tags)) await db.insertInto('entry_tag').values(some).execute();
  return entries;
}

function* batches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += ROWS) yield all.slice(at, at + ROWS);
}
