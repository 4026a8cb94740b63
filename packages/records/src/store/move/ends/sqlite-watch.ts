// Watches a data directory while a server has it open, over a second connection to its file. Triggers note
// changed rows for as long as the move takes; an open write transaction blocks all writers.

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from '../../../contracts/store-errors.ts';
import type { Fence } from '../../../schema/store-tables.ts';
import { openLogGuard, recordsPath } from '../../sqlite/connection.ts';
import { takeLock } from '../../sqlite/records-lock.ts';
import { MOVED_TABLES } from '../moved-tables.ts';
import { CHANGE_TABLE, type ChangeWatch } from './change-watch.ts';
import { type MoveEnd, quoteName } from './move-end.ts';

/** Tries in a row before yielding the processor. */
const SPIN = 50;
/** A busy writer leaves some microseconds between two commits; how long to look for such a gap, in ms. */
const PATIENCE_MS = 30_000;

/** Opens the watch. Throws Error where another move has it. */
export function watchSqlite(dir: string): ChangeWatch {
  const unlock = takeLock(dir, 'records.moving', `another move has the records in ${dir}`);
  try {
    const database = new DatabaseSync(recordsPath(dir), { timeout: 0 });
    database.exec('PRAGMA synchronous=FULL');
    // RecordsFile moves pages with their checksums: this connection never does, not even as the last to close.
    database.exec('PRAGMA wal_autocheckpoint=0');
    const log = openLogGuard(dir);
    const atExit = (): void => database.close();
    process.once('exit', atExit);
    const end = (): void => {
      process.off('exit', atExit);
      log.close();
      unlock();
    };
    return new SqliteWatch(database, end);
  } catch (error) {
    unlock();
    throw error;
  }
}

class SqliteWatch implements ChangeWatch {
  readonly #database: DatabaseSync;
  readonly #unlock: () => void;

  constructor(database: DatabaseSync, unlock: () => void) {
    this.#database = database;
    this.#unlock = unlock;
  }

  async begin(): Promise<void> {
    await this.#change(() => {
      this.#drop();
      this.#database.exec(
        `CREATE TABLE ${CHANGE_TABLE} (number integer PRIMARY KEY AUTOINCREMENT, place text NOT NULL, key text NOT NULL)`,
      );
      this.#database.exec(`CREATE INDEX ${CHANGE_TABLE}_key ON ${CHANGE_TABLE} (place, key)`);
      for (const { name, key } of MOVED_TABLES)
        for (const event of EVENTS) this.#database.exec(trigger(name, key, event));
    });
  }

  async mark(snapshot: MoveEnd): Promise<string> {
    const [row] = await snapshot.all(`SELECT coalesce(max(number), 0) AS number FROM ${CHANGE_TABLE}`);
    return String(row!['number']);
  }

  async forget(mark: string): Promise<void> {
    await this.#change(() =>
      this.#database.prepare(`DELETE FROM ${CHANGE_TABLE} WHERE number <= ?`).run(BigInt(mark)),
    );
  }

  async end(): Promise<void> {
    await this.#change(() => this.#drop());
  }

  async blockWrites(): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      try {
        this.#database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > until)
          throw new Error('the source is written to without a pause; its writers could not be blocked');
        if (tries % SPIN === 0) await sleep(1);
      }
    }
  }

  async allowWrites(): Promise<void> {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
  }

  async commitFence(fence: Fence | undefined): Promise<void> {
    this.#database.exec("DELETE FROM move_fence WHERE name = 'writes'");
    if (fence !== undefined)
      this.#database
        .prepare(
          'INSERT INTO move_fence (name, state, place, event, transfers, time, move) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run('writes', fence.state, fence.place, fence.event, fence.transfers, fence.time, fence.move);
    this.#database.exec('COMMIT');
  }

  async close(): Promise<void> {
    await this.allowWrites();
    this.#database.close();
    this.#unlock();
  }

  async #change(run: () => void): Promise<void> {
    await this.blockWrites();
    try {
      run();
      this.#database.exec('COMMIT');
    } catch (error) {
      await this.allowWrites();
      throw error;
    }
  }

  #drop(): void {
    for (const { name } of MOVED_TABLES)
      for (const event of EVENTS) this.#database.exec(`DROP TRIGGER IF EXISTS ${triggerName(name, event)}`);
    this.#database.exec(`DROP TABLE IF EXISTS ${CHANGE_TABLE}`);
  }
}

const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const;

function triggerName(table: string, event: string): string {
  return `move_${table}_${event.toLowerCase()}`;
}

function trigger(table: string, key: readonly string[], event: (typeof EVENTS)[number]): string {
  const keyOf = (row: 'new' | 'old'): string =>
    `json_array(${key.map((column) => `CAST(${row}.${quoteName(column)} AS text)`).join(', ')})`;
  const note = (row: 'new' | 'old'): string =>
    `INSERT INTO ${CHANGE_TABLE} (place, key) VALUES ('${table}', ${keyOf(row)});`;
  const changed = key.map((column) => `new.${quoteName(column)} <> old.${quoteName(column)}`).join(' OR ');
  const body = {
    INSERT: note('new'),
    DELETE: note('old'),
    UPDATE: `${note('new')} INSERT INTO ${CHANGE_TABLE} (place, key) SELECT '${table}', ${keyOf('old')} WHERE ${changed};`,
  }[event];
  return `CREATE TRIGGER ${triggerName(table, event)} AFTER ${event} ON ${quoteName(table)} BEGIN ${body} END`;
}
