// A data directory as an end of a move. Its file is opened directly, without the threads of the store: behind
// the lock of the records where nobody has them open, else read-only.

import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { JournalIndexWriter } from '../../../ledger/sqlite/journal-index.ts';
import { JournalReader } from '../../../ledger/sqlite/journal-reader.ts';
import { auditSqlite } from '../../../ledger/sqlite/sqlite-audit.ts';
import { migrate, refuseUnknownMigrations } from '../../../schema/migrate.ts';
import { MIGRATIONS } from '../../../schema/migrations.ts';
import { removeCommitMark } from '../../pages/commit-mark.ts';
import { checkStore } from '../../sqlite/check-store.ts';
import { openForReading, recordsPath } from '../../sqlite/connection.ts';
import { kyselyOver, lazyKysely } from '../../sqlite/dialect.ts';
import { PreparedStatements } from '../../sqlite/prepared-statements.ts';
import { RecordsFile } from '../../sqlite/records-file.ts';
import { lockRecords } from '../../sqlite/records-lock.ts';
import { checkAtStartup } from '../../sqlite/startup-check.ts';
import type { MovedTable } from '../moved-tables.ts';
import { type EndRole, type EndRow, type EndValue, type MoveEnd, nameList, quoteName } from './move-end.ts';

/** Opens a directory. A target must be free; a source may be in use. Only a target is created. Throws Error. */
export async function openSqliteEnd(dir: string, role: EndRole): Promise<MoveEnd> {
  if (role !== 'target' && !existsSync(recordsPath(dir))) throw new Error(`there are no records in ${dir}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  let unlock: (() => void) | undefined;
  try {
    unlock = lockRecords(dir);
  } catch (error) {
    if (role !== 'source') throw error;
  }
  if (unlock === undefined) {
    const database = openForReading(dir);
    try {
      database.exec('BEGIN');
      const rows = database.prepare('SELECT name FROM migration').all();
      const done = new Set(rows.map((row) => String(row['name'])));
      refuseUnknownMigrations(done, MIGRATIONS);
      if (done.size < MIGRATIONS.length)
        throw new Error('an older version has the records open; start this one');
    } catch (error) {
      database.close();
      throw error;
    }
    return new SqliteEnd(database, dir, `a server has the records in ${dir} open`, () => {});
  }
  let file: RecordsFile | undefined;
  try {
    checkAtStartup(dir);
    file = new RecordsFile(dir);
    const { database } = file;
    await migrate(database, lazyKysely(new PreparedStatements(database)));
    // A move does not count commits.
    if (role !== 'source') removeCommitMark(dir);
    file.begin(undefined, 0);
    if (role === 'source') database.exec('BEGIN');
    return new SqliteEnd(database, dir, undefined, unlock, file);
  } catch (error) {
    file?.close();
    unlock();
    throw error;
  }
}

class SqliteEnd implements MoveEnd {
  readonly kind = 'sqlite';
  readonly place: string;
  readonly inUse: string | undefined;
  readonly #database: DatabaseSync;
  readonly #statements: PreparedStatements;
  readonly #unlock: () => void;
  /** Undefined where it is only read. */
  readonly #file: RecordsFile | undefined;
  #depth = 0;

  constructor(
    database: DatabaseSync,
    dir: string,
    inUse: string | undefined,
    unlock: () => void,
    file?: RecordsFile,
  ) {
    this.#database = database;
    this.#file = file;
    this.place = realpathSync(dir);
    this.#statements = new PreparedStatements(database);
    this.inUse = inUse;
    this.#unlock = unlock;
  }

  async all(text: string, ...values: readonly EndValue[]): Promise<EndRow[]> {
    return this.#statements.all<EndRow>(text, ...values);
  }

  async columns(table: string): Promise<readonly string[]> {
    const rows = this.#statements.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table);
    return rows.map(({ name }) => name).sort();
  }

  async isInteger(table: string, column: string): Promise<boolean> {
    const row = this.#statements.get<{ type: string }>(
      'SELECT type FROM pragma_table_info(?) WHERE name = ?',
      table,
      column,
    );
    return /int/i.test(row?.type ?? '');
  }

  async find(select: string, { key, where }: MovedTable, keys: readonly EndRow[]): Promise<EndRow[]> {
    const same = key.map((column) => `a.${quoteName(column)} = ?`);
    const text = `${select} WHERE ${[...same, where ?? 'true'].join(' AND ')}`;
    return keys.flatMap((row) => this.#statements.all<EndRow>(text, ...key.map((column) => row[column]!)));
  }

  async refresh(): Promise<void> {
    await this.endSnapshot();
    // The first read takes the snapshot.
    this.#database.exec('BEGIN; SELECT 1 FROM move_fence');
  }

  async endSnapshot(): Promise<void> {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  async audit(): Promise<readonly string[]> {
    const context = { db: kyselyOver(this.#statements), sql: this.#statements, now: Date.now() };
    const { findings } = auditSqlite(this.#statements);
    return [...findings, ...(await checkStore.run(context, undefined))];
  }

  columnExpression(): undefined {
    return undefined;
  }

  async insert(table: string, columns: readonly string[], rows: readonly EndRow[]): Promise<void> {
    const places = columns.map(() => '?').join(', ');
    const text = `INSERT INTO ${quoteName(table)} (${nameList(columns)}) VALUES (${places})`;
    await this.transaction(async () => {
      for (const row of rows) this.#statements.run(text, ...columns.map((column) => row[column]!));
    });
  }

  async remove(table: string, key: readonly string[], rows: readonly EndRow[]): Promise<void> {
    const text = `DELETE FROM ${quoteName(table)} WHERE ${key.map((column) => `${quoteName(column)} = ?`).join(' AND ')}`;
    await this.transaction(async () => {
      for (const row of rows) this.#statements.run(text, ...key.map((column) => row[column]!));
    });
  }

  async transaction<T>(run: () => Promise<T>): Promise<T> {
    if (this.#depth === 0) this.#database.exec('BEGIN IMMEDIATE');
    this.#depth += 1;
    try {
      const result = await run();
      this.#depth -= 1;
      if (this.#depth > 0) return result;
      this.#database.exec('COMMIT');
      this.#file?.settle();
      return result;
    } catch (error) {
      this.#depth = 0;
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  async newestEvent(): Promise<bigint> {
    const row = this.#statements.get<{ seq: bigint }>(
      "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'",
    );
    return row?.seq ?? 0n;
  }

  async finish(newestEvent: bigint): Promise<void> {
    await this.transaction(async () => {
      const sql = this.#statements;
      new JournalIndexWriter(sql).reach(new JournalReader(sql).end());
      sql.run("DELETE FROM sqlite_sequence WHERE name = 'outbox'");
      sql.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)", newestEvent);
      const raise =
        'INSERT INTO space (name, last_id) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET last_id = max(last_id, excluded.last_id)';
      for (const [space, table] of [
        ['@journal', 'transfer'],
        ['@holds', 'hold'],
      ] as const) {
        const last = sql.get<{ id: string | null }>(`SELECT max(id) AS id FROM ${table}`)?.id;
        if (typeof last === 'string') sql.run(raise, space, last);
      }
      // Times are texts of one length until the year 2286.
      const newest = sql.get<{ time: bigint | null }>('SELECT max(time) AS time FROM transfer')?.time ?? 0n;
      const now = BigInt(Date.now());
      sql.run(raise, '@clock', String(newest > now ? newest : now));
    });
  }

  async close(): Promise<void> {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    if (this.#file === undefined) this.#database.close();
    else this.#file.close();
    this.#unlock();
  }
}
