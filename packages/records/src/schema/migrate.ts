// Brings a database to the newest schema, step by step; each step and the note that it has run share a
// transaction.

import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations.ts';

/** Runs the steps that have not run. Throws where unknown steps have run: a newer version made them. */
export async function migrate(
  raw: DatabaseSync,
  db: () => Kysely<Database>,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  raw.exec('CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, time bigint NOT NULL)');
  const done = new Set(
    raw
      .prepare('SELECT name FROM migration')
      .all()
      .map((row) => String(row['name'])),
  );
  refuseUnknownMigrations(done, migrations);
  for (const { name, up } of migrations) {
    if (done.has(name)) continue;
    raw.exec('BEGIN IMMEDIATE');
    try {
      // The steps are typed by no schema, for they make it.
      await up(db() as unknown as Kysely<never>, 'sqlite');
      raw.prepare('INSERT INTO migration (name, time) VALUES (?, ?)').run(name, BigInt(Date.now()));
      raw.exec('COMMIT');
    } catch (error) {
      if (raw.isTransaction) raw.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Throws where unknown steps have run. */
export function refuseUnknownMigrations(done: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...done].filter((name) => !names.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `the records were made by a newer version of Octavo (it ran ${unknown.join(', ')}): start that version or a later one`,
  );
}
