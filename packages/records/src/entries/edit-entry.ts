// Edits and deletes entries. Walks that are pinned to an earlier state still see the slot of a deleted entry:
// a row without content stays in `entry_change` for a day, and the tags of the entry stay as long.

import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { WriteContext } from '../contracts/operation.ts';
import type { Database } from '../schema/database.ts';
import { contentColumns, type Draft, type Entry, entryOfRow } from './entry.ts';
import { PIN_LIFE_MS } from './pin.ts';
import { countDeleted } from './rank-tree.ts';
import { findSpace, type Space, takeChange } from './space.ts';
import { type Tag, tagsOf } from './tags.ts';

/** Old changes that are forgotten with every new one: several, so that they become fewer. */
const FORGET = 16;

/** The entry with this id; undefined where it is not in the space. */
export async function entryById(
  db: Kysely<Database>,
  spaceName: string,
  id: string,
): Promise<Entry | undefined> {
  const row = await db
    .selectFrom('entry')
    .innerJoin('entry_space', 'entry_space.number', 'entry.space')
    .selectAll('entry')
    .where('entry.id', '=', id.toLowerCase())
    .where('entry_space.name', '=', spaceName)
    .executeTakeFirst();
  return row === undefined ? undefined : entryOfRow(row);
}

/** Changes the content of an entry. Its position and author stay. Without a difference it returns the same object. */
export async function editEntry(
  context: WriteContext,
  spaceName: string,
  entry: Entry,
  content: Omit<Draft, 'author'>,
): Promise<Entry> {
  const { db, now } = context;
  const { text, entities, unit, attachments, data } = content;
  const edited: Entry = { ...entry, text, entities, unit, attachments, data, updatedAt: now };
  if (isDeepStrictEqual(contentColumns(edited), contentColumns(entry))) return entry;
  const space = await existing(db, spaceName);
  await db
    .updateTable('entry')
    .set({ ...contentColumns(edited), updated_at: now })
    .where('id', '=', entry.id)
    .execute();
  const before = tagsOf(entry);
  const after = tagsOf(edited);
  const lost = before.filter((tag) => !has(after, tag));
  const gained = after.filter((tag) => !has(before, tag));
  if (lost.length + gained.length === 0) return edited;
  const change = await recordChange(context, space, entry, undefined);
  for (const tag of lost) await retire(db, space, entry.position, change, tag);
  if (gained.length > 0) {
    const at = { space: space.number, position: entry.position, added: change, removed: null };
    await db
      .insertInto('entry_tag')
      .values(gained.map((tag) => ({ ...tag, ...at })))
      .execute();
  }
  return edited;
}

/** Deletes an entry, and its content at once. */
export async function deleteEntry(context: WriteContext, spaceName: string, entry: Entry): Promise<void> {
  const { db } = context;
  const space = await existing(db, spaceName);
  const change = await recordChange(context, space, entry, entry.id);
  await db.deleteFrom('entry').where('id', '=', entry.id).execute();
  await countDeleted(db, space, entry.position);
  await retire(db, space, entry.position, change);
}

async function existing(db: Kysely<Database>, spaceName: string): Promise<Space> {
  const space = await findSpace(db, spaceName);
  if (space === undefined) throw new Error(`The space ${spaceName} has entries but no row.`);
  return space;
}

async function recordChange(
  { db, now }: WriteContext,
  space: Space,
  entry: Entry,
  deletedId: string | undefined,
): Promise<number> {
  const change = await takeChange(db, space.number, deletedId === undefined ? 0 : 1);
  await db
    .insertInto('entry_change')
    .values({
      space: space.number,
      change,
      position: entry.position,
      deleted_id: deletedId ?? null,
      time: now,
    })
    .execute();
  await forget(db, space, now - PIN_LIFE_MS);
  return change;
}

/** Ends the life of one tag of an entry, or of all. */
async function retire(
  db: Kysely<Database>,
  space: Space,
  position: number,
  change: number,
  tag?: Tag,
): Promise<void> {
  let query = db
    .updateTable('entry_tag')
    .set({ removed: change })
    .where('space', '=', BigInt(space.number))
    .where('position', '=', BigInt(position))
    .where('removed', 'is', null);
  if (tag !== undefined) query = query.where('kind', '=', tag.kind).where('name', '=', tag.name);
  await query.execute();
}

/** Removes changes that no pinned walk can need any more, some at a time. */
async function forget(db: Kysely<Database>, space: Space, before: number): Promise<void> {
  const old = await db
    .selectFrom('entry_change')
    .select(['change', 'position'])
    .where('space', '=', BigInt(space.number))
    .where('change', '<=', BigInt(space.forgotten + FORGET))
    .where('time', '<', BigInt(before))
    .orderBy('change')
    .execute();
  const upTo = old.at(-1)?.change;
  if (upTo === undefined) return;
  for (const { position } of old) {
    await db
      .deleteFrom('entry_tag')
      .where('space', '=', BigInt(space.number))
      .where('position', '=', position)
      .where('removed', '<=', upTo)
      .execute();
  }
  await db
    .deleteFrom('entry_change')
    .where('space', '=', BigInt(space.number))
    .where('change', '<=', upTo)
    .execute();
  await db
    .updateTable('entry_space')
    .set({ forgotten: upTo })
    .where('number', '=', BigInt(space.number))
    .execute();
}

function has(tags: readonly Tag[], tag: Tag): boolean {
  return tags.some(({ kind, name }) => kind === tag.kind && name === tag.name);
}
