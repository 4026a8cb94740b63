// The lock of a data directory. Two writers would each give ids and positions from memory, so only one may
// have it. It must vanish with its process, kill -9 included: it is an empty database with an exclusive
// transaction open (fcntl).

import { DatabaseSync } from 'node:sqlite';
import { createPrivately } from './connection.ts';

/** Takes the lock of the records in `dir` and returns its release. Throws where another opener has it. */
export function lockRecords(dir: string): () => void {
  const who = `the records in ${dir} are open already; stop who has them, or choose another directory`;
  return takeLock(dir, 'records.lock', who);
}

/** Takes a named lock. Throws Error with `refusal` where another opener has it. */
export function takeLock(dir: string, name: string, refusal: string): () => void {
  createPrivately(`${dir}/${name}`);
  const lock = new DatabaseSync(`${dir}/${name}`, { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode=OFF; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
    throw new Error(refusal);
  }
  return () => lock.close();
}
