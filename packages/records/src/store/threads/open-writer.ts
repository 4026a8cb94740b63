// Opens the writing side of a data directory: lock, checks, schema, identity, checksums, mark; nothing changes before the checks.

import type { DatabaseSync } from 'node:sqlite';
import type { AnyOperation } from '../../contracts/operation.ts';
import { JournalIndexWriter } from '../../ledger/sqlite/journal-index.ts';
import { JournalReader } from '../../ledger/sqlite/journal-reader.ts';
import { migrate } from '../../schema/migrate.ts';
import {
  commitsOf,
  embeddedState,
  ensureIdentity,
  type LossPolicy,
  type RecordsNote,
} from '../records-state.ts';
import { lazyKysely } from '../sqlite/dialect.ts';
import { PreparedStatements } from '../sqlite/prepared-statements.ts';
import { RecordsFile } from '../sqlite/records-file.ts';
import { lockRecords } from '../sqlite/records-lock.ts';
import { checkAtStartup } from '../sqlite/startup-check.ts';
import { RecordsWriter } from './records-writer.ts';

/** Options of `openWriter`. */
interface OpenWriterOptions {
  readonly note?: RecordsNote | undefined;
  readonly lost?: LossPolicy | undefined;
  /** As of `RecordsFile`. */
  readonly checkpointPages?: number;
}

/** The writing side of a directory. */
export interface OpenWriter {
  readonly writer: RecordsWriter;
  readonly file: RecordsFile;
  /** To be called between two groups. Returns found damage in words. */
  settle(): string | undefined;
  /** Closes everything. */
  end(): void;
}

/** Opens the records of a directory for writing, or throws why they are refused. */
export async function openWriter(
  dir: string,
  operations: ReadonlyMap<string, AnyOperation>,
  { note, lost, checkpointPages }: OpenWriterOptions = {},
): Promise<OpenWriter> {
  const unlock = lockRecords(dir);
  let file: RecordsFile | undefined;
  try {
    checkAtStartup(dir, note, lost);
    file = new RecordsFile(dir, checkpointPages);
    const opened = file;
    const { database } = opened;
    const statements = new PreparedStatements(database);
    await migrate(database, lazyKysely(statements));
    ensureIdentity(statements);
    followJournal(database);
    opened.begin(embeddedState(statements).id, commitsOf(statements));
    const writer = new RecordsWriter(database, operations, (commits) => opened.committed(commits));
    const end = (): void => {
      opened.close();
      unlock();
    };
    return { writer, file: opened, settle: () => opened.settle(), end };
  } catch (error) {
    file?.close();
    unlock();
    throw error;
  }
}

/** Indexes a journal that an older version wrote. */
function followJournal(database: DatabaseSync): void {
  const statements = new PreparedStatements(database);
  database.exec('BEGIN IMMEDIATE');
  new JournalIndexWriter(statements).reach(new JournalReader(statements).end());
  database.exec('COMMIT');
}
