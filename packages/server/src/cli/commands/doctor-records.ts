// Checks records: the pages of records.db if they are in a data directory, and the journal of the ledger from
// its start.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Records, RecordsNote } from '@octavo/records';
import { Failure } from '../failure.ts';
import { openRecordsAt } from '../open-stores.ts';

interface RecordsFindings {
  /** One per line, each with the file it is about. */
  readonly findings: readonly string[];
  /** The hash of the newest transfer; undefined without a journal. */
  readonly head: string | undefined;
  readonly transfers: number;
}

const FILE = 'records.db';

/**
 * Reads everything; with `url`, the records of that PostgreSQL. A records.db that cannot be opened or read is
 * a finding. Throws a Failure if a PostgreSQL cannot be reached.
 */
export async function checkRecords(dir: string, url?: string, note?: RecordsNote): Promise<RecordsFindings> {
  if (url === undefined && note === undefined && !existsSync(join(dir, FILE)))
    return { findings: [], head: undefined, transfers: 0 };
  const { checkStore, inspectRecords, RecordsError, verifyJournal } = await import('@octavo/records');
  const findings: string[] = [];
  let head: string | undefined;
  let transfers = 0;
  let records: Records | undefined;
  try {
    records = await openRecordsAt({ data: dir, records: url }, Promise.resolve(note));
    findings.push(...(await records.read(checkStore, undefined)));
    const journal = await records.read(verifyJournal, undefined);
    findings.push(...journal.findings);
    transfers = journal.transfers;
    if (transfers > 0) head = journal.head;
  } catch (error) {
    const isDamage =
      error instanceof Failure || (error instanceof RecordsError && error.code === 'store-failed');
    if (!isDamage || (url !== undefined && !/not as they were/.test(error.message))) throw error;
    findings.push(error.message);
    if (url === undefined) findings.push(...(await inspectRecords(dir)));
  } finally {
    await records?.close();
  }
  const where = url === undefined ? FILE : 'PostgreSQL';
  return { findings: findings.map((what) => `${where}: ${what}`), head, transfers };
}
