// Brings a PostgreSQL to the newest schema: the same steps as for SQLite, all in one transaction, one process
// at a time.

import type { Kysely } from 'kysely';
import type { ClientBase } from 'pg';
import { refuseUnknownMigrations } from '../../schema/migrate.ts';
import { MIGRATIONS } from '../../schema/migrations.ts';
import type { AdvisoryLocks } from './advisory-locks.ts';
import { schemaDatabaseOf } from './dialect.ts';

const TABLE =
  'CREATE TABLE IF NOT EXISTS migration (name text COLLATE "C" PRIMARY KEY, time bigint NOT NULL)';

/** Runs the steps that have not run. Throws where unknown steps have run: a newer version made them. */
export async function migratePostgres(client: ClientBase, locks: AdvisoryLocks): Promise<void> {
  // Making an index of a large table may take its time.
  await client.query(
    `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; ${locks.lockStatements(['@migration'])} ${TABLE}`,
  );
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration');
  const done = new Set(rows.map(({ name }) => name));
  refuseUnknownMigrations(done, MIGRATIONS);
  const db = schemaDatabaseOf(client);
  for (const { name, up } of MIGRATIONS) {
    if (done.has(name)) continue;
    // The steps are typed by no schema, for they make it.
    await up(db as unknown as Kysely<never>, 'postgres');
    await client.query('INSERT INTO migration (name, time) VALUES ($1, $2)', [name, Date.now()]);
  }
  await client.query('COMMIT');
}
