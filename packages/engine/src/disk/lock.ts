// Whose data directory is this? The lock must vanish with its process, kill -9 included, and must not be fooled by a
// process id that was given out again. Only the kernel can promise that. Node has no call for file locks, but its
// SQLite takes real ones (fcntl, LockFileEx): so the lock is an empty database with an exclusive transaction open.
//
//   lock         never read or written; the kernel holds the lock on it
//   lock.owner   the id of the process that has it, only for the message

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Open for as long as the lock is held; from here, so that the garbage collector cannot give a lock away. */
const held = new Set<DatabaseSync>();

/**
 * Takes `folder` for this process and returns the release. Throws "data directory … is in use by process …" when
 * another opener has it, in this process or in another one.
 */
export function lockFolder(folder: string): () => void {
  const owner = join(folder, 'lock.owner');
  const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new Error(
      `data directory ${folder} is in use by ${ownerIn(owner)}; stop it first, or choose another directory`,
    );
  }
  held.add(database);
  writeFileSync(owner, `${process.pid}\n`);
  return () => {
    if (held.delete(database)) database.close();
  };
}

function ownerIn(file: string): string {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 0 ? `process ${pid}` : 'another process';
  } catch {
    return 'another process';
  }
}
