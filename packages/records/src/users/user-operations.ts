// The operations on the directory of users: put, read, list, delete, and look up many at once for a page.

import { RecordsError } from '../contracts/errors.ts';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../contracts/keyset-page.ts';
import type { AnyOperation, ReadOperation, WriteContext, WriteOperation } from '../contracts/operation.ts';
import { formerDisplays, type User, type UserNames, userOfRow, userView } from './user.ts';

/**
 * Puts a user into the directory, or renames one; without a difference nothing happens. `made` says whether they
 * are new. Throws username-taken.
 */
export const putUser: WriteOperation<
  { readonly id: string; readonly names: UserNames },
  { readonly made: boolean; readonly user: User }
> = {
  kind: 'write',
  name: 'users.put',
  locks: ({ id, names }) => [`user:${id}`, `username:${names.username}`],
  checksFirst: true,
  async run(context, { id, names: { username, display } }) {
    const { db, now } = context;
    const before = await userById(context, id);
    if (before !== undefined && before.username === username && before.display === display) {
      return { made: false, user: before };
    }
    const holder = await db
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    if (holder !== undefined && holder.id !== id) throw taken(username, holder.id);
    const columns = {
      username,
      display: display ?? null,
      former_displays: JSON.stringify(before === undefined ? [] : formerDisplays(before, display)),
      updated_at: now,
    };
    const row =
      before === undefined
        ? await db
            .insertInto('users')
            .values({ id, ...columns })
            .returningAll()
            .executeTakeFirstOrThrow()
        : await db
            .updateTable('users')
            .set(columns)
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirstOrThrow();
    const user = userOfRow(row);
    const type = before === undefined ? 'user.created' : 'user.updated';
    context.emit({ type, subject: subjectOf(id), data: { ...userView(user) } });
    return { made: before === undefined, user };
  },
};

/** One user. Throws user-not-found. */
export const getUser: ReadOperation<{ readonly id: string }, User> = {
  kind: 'read',
  name: 'users.get',
  run: async (context, { id }) => (await userById(context, id)) ?? missing(id),
};

/** Users by id. */
export const listUsers: ReadOperation<KeysetRequest<string>, KeysetPage<User>> = {
  kind: 'read',
  name: 'users.list',
  run: async ({ db }, request) =>
    await keysetPage(
      request,
      async (from, backwards, most) => {
        const query = db
          .selectFrom('users')
          .selectAll()
          .orderBy('id', backwards ? 'desc' : 'asc')
          .limit(most);
        const rows = from === undefined ? query : query.where('id', backwards ? '<' : '>', from);
        return (await rows.execute()).map(userOfRow);
      },
      ({ id }) => id,
    ),
};

/** Ids of one statement: far below the bind limit of either store. */
const IDS_AT_ONCE = 1_000;

/** The users with these ids that are in the directory, in any order. O(ids · log users). */
export const usersById: ReadOperation<{ readonly ids: readonly string[] }, readonly User[]> = {
  kind: 'read',
  name: 'users.by-id',
  async run({ db }, { ids }) {
    const found: User[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE);
      const rows = await db.selectFrom('users').selectAll().where('id', 'in', some).execute();
      for (const row of rows) found.push(userOfRow(row));
    }
    return found;
  },
};

/** Removes a user from the directory: mentions are then shown as they were written. Throws user-not-found. */
export const deleteUser: WriteOperation<{ readonly id: string }, void> = {
  kind: 'write',
  name: 'users.delete',
  locks: ({ id }) => [`user:${id}`],
  checksFirst: true,
  async run(context, { id }) {
    if ((await userById(context, id)) === undefined) missing(id);
    await context.db.deleteFrom('users').where('id', '=', id).execute();
    context.emit({ type: 'user.deleted', subject: subjectOf(id), data: { id } });
  },
};

export const userOperations: readonly AnyOperation[] = [putUser, getUser, listUsers, usersById, deleteUser];

async function userById({ db }: Pick<WriteContext, 'db'>, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : userOfRow(row);
}

function subjectOf(id: string): string {
  return `users/${encodeURIComponent(id)}`;
}

function missing(id: string): never {
  throw new RecordsError('user-not-found', `There is no user ${id} in the directory.`, { field: 'id' });
}

function taken(username: string, holder: string): RecordsError {
  return new RecordsError(
    'username-taken',
    `${username} is the name of the user ${holder}. Choose another, or rename that user first.`,
    { field: 'username', extra: { id: holder } },
  );
}
