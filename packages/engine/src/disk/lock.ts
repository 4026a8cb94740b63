// Locks a data directory for one process. The lock must vanish with its process, also after kill -9, and must
// not be fooled by a reused process id; only the kernel can promise that. Node has no call for file locks,
// but its SQLite takes real ones (fcntl, LockFileEx): the lock is an empty database with an exclusive
// transaction open.
//
//   lock         never read or written; the kernel holds the lock on it
//   lock.owner   the id of the process that has it, only for the message

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf } from './failure.ts';

/** Databases of held locks; referenced from here so that the garbage collector cannot close one. */
const openLocks = new Set<DatabaseSync>();

/**
 * Locks `folder` and returns the release. Throws "data directory … is in use by process …" if it is locked
 * already, by this process or another one.
 */
export function lockFolder(folder: string): () => void {
  const owner = join(folder, 'lock.owner');
  const file = join(folder, 'lock');
  createPrivately(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new Error(
      `data directory ${folder} is in use by ${ownerIn(owner)}; stop it first, or choose another directory`,
    );
  }
  openLocks.add(database);
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    if (openLocks.delete(database)) database.close();
  };
}

/**
 * Creates a missing file for this user only: SQLite would create it for everybody. A file that exists is not opened: closing it would
 * release the lock that this process has on it (fcntl).
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function ownerIn(file: string): string {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 0 ? `process ${pid}` : 'another process';
  } catch {
    return 'another process';
  }
}
