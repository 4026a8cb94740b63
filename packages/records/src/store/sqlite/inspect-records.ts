// Inspects records that a start refuses: checks everything that can still be read, and changes nothing.

import { existsSync } from 'node:fs';
import type { ReadContext } from '../../contracts/operation.ts';
import { verifyJournal } from '../../ledger/operations/journal-operations.ts';
import { checkStore } from './check-store.ts';
import { openForReading, recordsPath } from './connection.ts';
import { kyselyOver } from './dialect.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** The findings, one sentence each. REQUIRES: the records are not open. O(rows). */
export async function inspectRecords(dir: string): Promise<readonly string[]> {
  if (!existsSync(recordsPath(dir))) return [];
  const findings: string[] = [];
  try {
    const database = openForReading(dir);
    try {
      const sql = new PreparedStatements(database);
      const context: ReadContext = { db: kyselyOver(sql), sql, now: Date.now() };
      database.exec('BEGIN');
      findings.push(...(await checkStore.run(context, undefined)));
      findings.push(...(await verifyJournal.run(context, undefined)).findings);
    } finally {
      database.close();
    }
  } catch (error) {
    findings.push(error instanceof Error ? error.message : String(error));
  }
  return findings;
}
