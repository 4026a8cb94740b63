// Opens records.db: a write-ahead log whose every commit is synced, one writing connection, any number of
// reading ones.

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const FILE = 'records.db';

/** Cache of one connection, in KB: for SQLite a negative number is KB, a positive one pages. */
const CACHE_KB = -32_768;

/** Where the records of a data directory are. */
export function recordsPath(dir: string): string {
  return `${dir}/${FILE}`;
}

/**
 * Creates a missing file for this user only: SQLite would create it for everybody. Its log gets the same mode. A file that exists is
 * not opened: closing it would release the locks that this process has on it (fcntl).
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The writing connection. REQUIRES: the lock of the records is held. */
export function openForWriting(dir: string): DatabaseSync {
  createPrivately(recordsPath(dir));
  return configured(new DatabaseSync(recordsPath(dir), { timeout: 5000 }), [
    'journal_mode=WAL',
    'synchronous=FULL',
    'foreign_keys=ON',
    'temp_store=MEMORY',
    `cache_size=${CACHE_KB}`,
    // RecordsFile moves pages into the database together with their checksums.
    'wal_autocheckpoint=0',
  ]);
}

/** A connection that cannot change anything. REQUIRES: the file is there. */
export function openForReading(dir: string): DatabaseSync {
  return configured(new DatabaseSync(recordsPath(dir), { readOnly: true, timeout: 5000 }), [
    'query_only=ON',
    'temp_store=MEMORY',
    `cache_size=${CACHE_KB}`,
  ]);
}

/** A connection that fails is closed at once: garbage collection would close it at any later time, after its guard. */
function configured(database: DatabaseSync, pragmas: readonly string[]): DatabaseSync {
  try {
    for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A read-only connection that keeps the log in place while it is open: the last connection to close would move the log, and
 * this one cannot. REQUIRES: the file is there.
 */
export function openLogGuard(dir: string): DatabaseSync {
  const database = openForReading(dir);
  try {
    // It takes its lock with its first read.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
