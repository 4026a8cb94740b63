// Copies records.db while it is written to: SQLite's online backup over a connection that holds one snapshot
// open. Later commits are not in the copy.

import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup } from 'node:sqlite';
import type { RecordsCopy } from '../../contracts/operation.ts';
import { createPrivately, openForReading } from './connection.ts';

const PREFIX = 'records.copy-';
const PIECE_BYTES = 1 << 20;
/** Pages of 4 KB between two turns. */
const PAGES_A_STEP = 1_024;

/** Copies the current records of a directory into a file that disappears when the copy is closed. O(bytes). */
export async function copyRecords(dir: string): Promise<RecordsCopy> {
  const file = join(dir, `${PREFIX}${randomBytes(6).toString('hex')}`);
  const source = openForReading(dir);
  try {
    // A commit of another connection would restart the backup; the snapshot of an open read does not change.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    createPrivately(file);
    await backup(source, file, { rate: PAGES_A_STEP });
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    source.close();
  }
  const descriptor = openSync(file, 'r');
  // An unlinked file: its bytes stay until it is closed, and go with the process.
  rmSync(file);
  const { size } = fstatSync(descriptor);
  return { bytes: size, read: () => pieces(descriptor, size), close: () => closeSync(descriptor) };
}

/** Removes the files of copies whose process was killed. REQUIRES: the lock of the records is held. */
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
