// Checks at a start that the records of a directory are those that were noted, and undamaged, before anything is changed. The
// file is only read: a closing connection that can write would move the log into the database, and so destroy what could still
// be rescued.

import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { RecordsError } from '../../contracts/errors.ts';
import { refuseUnknownMigrations } from '../../schema/migrate.ts';
import { MIGRATIONS } from '../../schema/migrations.ts';
import { type CommitMarkContent, markFile, readCommitMark, removeCommitMark } from '../pages/commit-mark.ts';
import { DamagedSumsError, describeDamagedPages, PageSums, sumsFile } from '../pages/page-sums.ts';
import { WalReader } from '../pages/wal.ts';
import {
  describeLoss,
  embeddedState,
  type LossPolicy,
  type RecordsNote,
  type RecordsState,
  recordsLostError,
} from '../records-state.ts';
import { openForReading, recordsPath } from './connection.ts';
import { PreparedStatements } from './prepared-statements.ts';

/**
 * Throws `records-lost` where the records contradict their note, and `records-damaged` where the file differs from what was
 * written. With `lost` they are accepted, or set aside for new ones. REQUIRES: the lock of the records is held. O(bytes).
 */
export function checkAtStartup(dir: string, note?: RecordsNote, lost?: LossPolicy): void {
  try {
    refuseLost(dir, note, readCommitMark(dir));
  } catch (error) {
    if (lost === undefined || !(error instanceof RecordsError)) throw error;
    if (lost === 'new') setAside(dir);
    removeCommitMark(dir);
    rmSync(sumsFile(dir), { force: true });
  }
}

function refuseLost(dir: string, note: RecordsNote | undefined, mark: CommitMarkContent | undefined): void {
  const file = recordsPath(dir);
  if (!existsSync(file) || statSync(file).size === 0) {
    const what = note === undefined ? undefined : describeLoss(note, undefined);
    if (what !== undefined) throw recordsLostError(what);
    if (mark !== undefined && mark.commits > 0)
      throw recordsLostError(`they are missing, and there were ${mark.commits} commits`);
    // A log without its database is useless; checksums of a missing file would be in the way.
    rmSync(sumsFile(dir), { force: true });
    return;
  }
  const inLog = readLog(`${file}-wal`);
  const hasSums = existsSync(sumsFile(dir));
  // A file of an older version has none of these: there is nothing to compare it with.
  if (note !== undefined || mark !== undefined || hasSums) {
    const { state, head, steps } = stateOf(dir, note?.transfers ?? 0);
    refuseUnknownMigrations(steps, MIGRATIONS);
    const what = note === undefined ? undefined : describeLoss(note, state, head);
    if (what !== undefined) throw recordsLostError(what);
    if (mark !== undefined && mark.id !== state.id)
      throw recordsLostError('they are not the records that were written here');
    if (mark !== undefined && (state.commits ?? 0) < mark.commits)
      throw recordsLostError(
        `they end at commit ${state.commits}, and commit ${mark.commits} was acknowledged: the end of records.db-wal is missing or damaged`,
      );
  }
  const sums = hasSums ? sumsOf(dir) : undefined;
  if (sums !== undefined) refuseDamage(file, sums, inLog);
}

function refuseDamage(file: string, sums: PageSums, inLog: ReadonlySet<number>): void {
  const database = openSync(file, 'r');
  try {
    const found = sums.damaged(database, 1, sums.pages, inLog);
    if (found.length > 0) throw recordsDamaged(describeDamagedPages(found, sums.pageSize));
  } finally {
    closeSync(database);
  }
}

function sumsOf(dir: string): PageSums | undefined {
  try {
    return PageSums.read(dir);
  } catch (error) {
    throw error instanceof DamagedSumsError ? recordsDamaged(error.message) : error;
  }
}

/** The pages that are in the log. */
function readLog(path: string): ReadonlySet<number> {
  if (!existsSync(path)) return new Set();
  const log = openSync(path, 'r');
  try {
    const reader = new WalReader(log);
    const { sums } = reader.scan();
    const damage = reader.damage();
    if (damage !== undefined) throw recordsDamaged(`records.db-wal: ${damage}`);
    return new Set(sums.keys());
  } finally {
    closeSync(log);
  }
}

interface Found {
  readonly state: RecordsState;
  /** After as many transfers as were noted. */
  readonly head: string;
  /** Of the schema. */
  readonly steps: ReadonlySet<string>;
}

function stateOf(dir: string, transfers: number): Found {
  try {
    const database = openForReading(dir);
    try {
      const sql = new PreparedStatements(database);
      database.exec('BEGIN');
      const steps = sql.all<{ name: string }>('SELECT name FROM migration').map(({ name }) => name);
      const { head } = embeddedState(sql, transfers);
      return { state: embeddedState(sql), head, steps: new Set(steps) };
    } finally {
      database.close();
    }
  } catch (error) {
    throw recordsDamaged(
      `records.db cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Sets the files aside: a person may still rescue something from them. */
function setAside(dir: string): void {
  const file = recordsPath(dir);
  const name = `${file}.lost-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const part of ['', '-wal']) if (existsSync(file + part)) renameSync(file + part, name + part);
  for (const stale of [`${file}-shm`, markFile(dir)]) rmSync(stale, { force: true });
}

/** The refusal of a file that differs from what was written. */
function recordsDamaged(what: string): RecordsError {
  return new RecordsError('records-damaged', `The records are damaged: ${what}.`);
}
