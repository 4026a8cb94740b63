// Are the records sound? The pages of records.db where they are in a data directory, and the journal of the ledger from its
// start, wherever they are.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openRecordsOf } from './host.ts';

/** What was found. */
export interface RecordsFindings {
  /** One a line, each with the file it is about. */
  readonly findings: readonly string[];
  /** The hash of the newest transfer; undefined where there is no journal. */
  readonly head: string | undefined;
  readonly transfers: number;
}

const FILE = 'records.db';

/** Reads all of it; of the PostgreSQL where one is given. Throws a Failure where the records cannot be opened. */
export async function checkRecords(dir: string, url?: string): Promise<RecordsFindings> {
  if (url === undefined && !existsSync(join(dir, FILE)))
    return { findings: [], head: undefined, transfers: 0 };
  const { checkStore, verifyJournal } = await import('@octavo/records');
  const records = await openRecordsOf({ data: dir, records: url });
  try {
    const pages = await records.read(checkStore, undefined);
    const journal = await records.read(verifyJournal, undefined);
    return {
      findings: [...pages, ...journal.findings].map(
        (what) => `${url === undefined ? FILE : 'PostgreSQL'}: ${what}`,
      ),
      head: journal.transfers === 0 ? undefined : journal.head,
      transfers: journal.transfers,
    };
  } finally {
    await records.close();
  }
}
