// Copies records.db while it is written to: SQLite's online backup over a connection that holds one snapshot
// open. Later commits are not in the copy.

import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup } from 'node:sqlite';
import type { RecordsCopy } from '../../contracts/operation.ts';
import { openForReading } from './connection.ts';

const PREFIX = 'records.copy-';
const PIECE_BYTES = 1 << 20;
/** Pages of 4 KB between two turns. */
const PAGES_A_STEP = 1_024;

/** Copies the records of a directory as they are now, into a file that is gone when the copy is closed. O(bytes). */
export async function copyRecords(dir: string): Promise<RecordsCopy> {
  const file = join(dir, `${PREFIX}${randomBytes(6).toString('hex')}`);
  const source = openForReading(dir);
  try {
    // A commit of somebody else would make the backup begin anew; what an open read sees does not change.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(source, file, { rate: PAGES_A_STEP });
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    source.close();
  }
  const descriptor = openSync(file, 'r');
  // Its bytes stay until it is closed, whatever becomes of this process.
  rmSync(file);
  const { size } = fstatSync(descriptor);
  return { bytes: size, read: () => pieces(descriptor, size), close: () => closeSync(descriptor) };
}

/** Removes what a copy left behind whose process was killed. REQUIRES: the lock of the records is held. */
export function sweepCopies(dir: string): void {
  for (const name of readdirSync(dir)) if (name.startsWith(PREFIX)) rmSync(join(dir, name), { force: true });
}

function* pieces(descriptor: number, size: number): Generator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = new Uint8Array(Math.min(PIECE_BYTES, size - at));
    const got = readSync(descriptor, piece, 0, piece.length, at);
    if (got === 0) throw new Error(`the copy of the records ends after ${at} of ${size} bytes`);
    yield piece.subarray(0, got);
    at += got;
  }
}
