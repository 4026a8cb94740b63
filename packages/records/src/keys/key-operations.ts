// The operations on API keys: create, list, change, rotate, revoke. Secrets never come here, only their
// hashes.

import { isDeepStrictEqual } from 'node:util';
import { RecordsError } from '../contracts/errors.ts';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../contracts/keyset-page.ts';
import type {
  AnyOperation,
  ReadContext,
  ReadOperation,
  WriteContext,
  WriteOperation,
} from '../contracts/operation.ts';
import { type ApiKey, grantColumns, type KeyGrant, type KeyRow, keyEventData, keyOfRow } from './key.ts';

/** Creates a key. The server chooses `id`: 20 random URL-safe characters. */
export const createKey: WriteOperation<
  { readonly id: string; readonly hash: Uint8Array; readonly grant: KeyGrant; readonly createdBy: string },
  ApiKey
> = {
  kind: 'write',
  name: 'keys.create',
  locks: ({ id }) => [`key:${id}`],
  checksFirst: true,
  async run(context, { id, hash, grant, createdBy }) {
    const row = await context.db
      .insertInto('api_key')
      .values({
        id,
        hash,
        previous_hash: null,
        previous_until: null,
        ...grantColumns(grant),
        created_by: createdBy,
        created_at: context.now,
        updated_at: context.now,
        revoked_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return emitKey(context, 'key.created', keyOfRow(row));
  },
};

/** Keys by id, including revoked and expired ones. */
export const listKeys: ReadOperation<KeysetRequest<string>, KeysetPage<ApiKey>> = {
  kind: 'read',
  name: 'keys.list',
  run: async (context, request) =>
    await keysetPage(
      request,
      async (from = '', backwards, most) =>
        (await (backwards ? keysBelow : keysAbove)(context, from, most)).map(keyOfRow),
      ({ id }) => id,
    ),
};

/** Every start begins with this read: without `db`, which loads Kysely. */
async function keysAbove(context: ReadContext, id: string, most: number): Promise<readonly KeyRow[]> {
  const { sql } = context;
  if (sql !== undefined)
    return sql.all<KeyRow>('SELECT * FROM api_key WHERE id > ? ORDER BY id LIMIT ?', id, BigInt(most));
  return await context.db
    .selectFrom('api_key')
    .selectAll()
    .where('id', '>', id)
    .orderBy('id')
    .limit(most)
    .execute();
}

async function keysBelow({ db }: ReadContext, id: string, most: number): Promise<readonly KeyRow[]> {
  return await db
    .selectFrom('api_key')
    .selectAll()
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Keys that were created or changed at or after a time. */
export const keysChangedSince: ReadOperation<{ readonly time: number }, readonly ApiKey[]> = {
  kind: 'read',
  name: 'keys.changed-since',
  async run(context, { time }) {
    const { sql } = context;
    const since = BigInt(time);
    const rows =
      sql === undefined
        ? await context.db
            .selectFrom('api_key')
            .selectAll()
            .where('updated_at', '>=', since)
            .orderBy('id')
            .execute()
        : sql.all<KeyRow>('SELECT * FROM api_key WHERE updated_at >= ? ORDER BY id', since);
    return rows.map(keyOfRow);
  },
};

/** One key. Throws key-not-found. */
export const getKey: ReadOperation<{ readonly id: string }, ApiKey> = {
  kind: 'read',
  name: 'keys.get',
  run: async (context, { id }) => await keyById(context, id),
};

/** Replaces the grant of a key. Throws key-not-found, also for a revoked one. */
export const updateKey: WriteOperation<{ readonly id: string; readonly grant: KeyGrant }, ApiKey> = {
  kind: 'write',
  name: 'keys.update',
  locks: ({ id }) => [`key:${id}`],
  checksFirst: true,
  async run(context, { id, grant }) {
    const key = requireLive(await keyById(context, id));
    const columns = grantColumns(grant);
    if (isDeepStrictEqual(columns, grantColumns(key))) return key;
    return await updateColumns(context, id, columns, 'key.updated');
  },
};

/** Replaces the secret of a key; the previous one stays valid until `previousUntil`. Throws key-not-found. */
export const rotateKey: WriteOperation<
  { readonly id: string; readonly hash: Uint8Array; readonly previousUntil: number },
  ApiKey
> = {
  kind: 'write',
  name: 'keys.rotate',
  locks: ({ id }) => [`key:${id}`],
  checksFirst: true,
  async run(context, { id, hash, previousUntil }) {
    const key = requireLive(await keyById(context, id));
    return await updateColumns(
      context,
      id,
      { hash, previous_hash: key.hash, previous_until: previousUntil },
      'key.updated',
    );
  },
};

/** Revokes a key; idempotent. Throws key-not-found. */
export const revokeKey: WriteOperation<{ readonly id: string }, ApiKey> = {
  kind: 'write',
  name: 'keys.revoke',
  locks: ({ id }) => [`key:${id}`],
  checksFirst: true,
  async run(context, { id }) {
    const key = await keyById(context, id);
    if (key.revokedAt !== undefined) return key;
    return await updateColumns(context, id, { revoked_at: context.now }, 'key.revoked');
  },
};

export const keyOperations: readonly AnyOperation[] = [
  createKey,
  listKeys,
  keysChangedSince,
  getKey,
  updateKey,
  rotateKey,
  revokeKey,
];

async function keyById({ db }: Pick<WriteContext, 'db'>, id: string): Promise<ApiKey> {
  const row = await db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw missing(id);
  return keyOfRow(row);
}

function requireLive(key: ApiKey): ApiKey {
  if (key.revokedAt === undefined) return key;
  throw new RecordsError('key-not-found', `The key ${key.id} is revoked; create another.`, { field: 'id' });
}

function missing(id: string): RecordsError {
  return new RecordsError('key-not-found', `There is no key ${id}.`, { field: 'id' });
}

async function updateColumns(
  context: WriteContext,
  id: string,
  columns: Readonly<Record<string, string | number | Uint8Array | null>>,
  type: 'key.updated' | 'key.revoked',
): Promise<ApiKey> {
  const row = await context.db
    .updateTable('api_key')
    .set({ ...columns, updated_at: context.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return emitKey(context, type, keyOfRow(row));
}

function emitKey(
  context: WriteContext,
  type: 'key.created' | 'key.updated' | 'key.revoked',
  key: ApiKey,
): ApiKey {
  context.emit({ type, subject: `keys/${key.id}`, data: keyEventData(key) });
  return key;
}
