// How is the file opened? As a write-ahead log whose every commit is synced, with one writing connection and any number
// of reading ones.

import { DatabaseSync } from 'node:sqlite';

const FILE = 'records.db';

/** Pages of 4 KB that the log may hold before a commit moves them into the database (16 MB). */
const CHECKPOINT_PAGES = 4096;

/** Memory of one connection, in KB: negative is how SQLite tells KB from pages. */
const CACHE_KB = -32_768;

/** Where the records of a data directory are. */
export function recordsFile(dir: string): string {
  return `${dir}/${FILE}`;
}

/** The writing connection. REQUIRES: the lock of the records is held. */
export function openForWriting(dir: string): DatabaseSync {
  const database = new DatabaseSync(recordsFile(dir), { timeout: 5000 });
  database.exec('PRAGMA journal_mode=WAL');
  database.exec('PRAGMA synchronous=FULL');
  database.exec('PRAGMA foreign_keys=ON');
  database.exec('PRAGMA temp_store=MEMORY');
  database.exec(`PRAGMA cache_size=${CACHE_KB}`);
  database.exec(`PRAGMA wal_autocheckpoint=${CHECKPOINT_PAGES}`);
  return database;
}

/** A connection that cannot change anything. REQUIRES: the file is there. */
export function openForReading(dir: string): DatabaseSync {
  const database = new DatabaseSync(recordsFile(dir), { readOnly: true, timeout: 5000 });
  database.exec('PRAGMA query_only=ON');
  database.exec('PRAGMA temp_store=MEMORY');
  database.exec(`PRAGMA cache_size=${CACHE_KB}`);
  return database;
}
