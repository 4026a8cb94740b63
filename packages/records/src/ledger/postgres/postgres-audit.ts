// Audits a ledger on PostgreSQL: the journal with the entry sides of each transfer, the accounts, and the transfers that have
// no position yet, which must add up as well.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { type AuditedAccount, JournalAudit, type JournalReport } from '../core/journal-audit.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type TransferRow, transferOfRow } from '../model/transfer.ts';
import { currentBalance } from './account-rows.ts';

const ROWS = 1_000;

interface AuditedRow extends TransferRow {
  readonly hash: Uint8Array;
  readonly journal_time: bigint;
  /** The balances that the entry sides of the two accounts have. */
  readonly from_side: bigint | null;
  readonly to_side: bigint | null;
}

/** REQUIRES: one snapshot. Takes time in proportion to the journal, memory to the accounts. */
export async function auditPostgres(db: Kysely<Database>): Promise<JournalReport> {
  const audit = new JournalAudit();
  await auditJournal(db, audit);
  const waiting = await sql<{ from: string; to: string; amount: bigint }>`
    select f.id as "from", o.id as "to", t.amount from transfer t ${sql.raw(TRANSFER_JOIN)}
    where t.position is null`.execute(db);
  for (const { from, to, amount } of waiting.rows) audit.move(from, to, amount);
  await auditAccounts(db, audit);
  const sides = await sql<{ n: bigint }>`select count(*) as n from entry_side`.execute(db);
  const { n } = sides.rows[0]!;
  if (n !== BigInt(audit.count) * 2n)
    audit.find(`The journal has ${audit.count} transfers and ${n} sides instead of two each.`);
  return audit.report(waiting.rows.length);
}

async function auditJournal(db: Kysely<Database>, audit: JournalAudit): Promise<void> {
  let time = 0n;
  for (;;) {
    const { rows } = await sql<AuditedRow>`
      select ${sql.raw(TRANSFER_COLUMNS)}, t.hash, t.journal_time,
        (select s.balance from entry_side s where s.account = t.from_account and s.position = t.position) as from_side,
        (select s.balance from entry_side s where s.account = t.to_account and s.position = t.position) as to_side
      from transfer t ${sql.raw(TRANSFER_JOIN)} where t.position > ${audit.position}
      order by t.position limit ${ROWS}`.execute(db);
    for (const row of rows) {
      if (row.journal_time < time || row.journal_time < row.time)
        audit.find(`The time of the transfer ${row.id} at position ${row.position} runs backwards.`);
      time = row.journal_time;
      const { from, to } = audit.checkRow(transferOfRow(row), row.hash);
      if (row.from_side !== from || row.to_side !== to)
        audit.find(
          `The sides of the transfer ${row.id} at position ${row.position} are not what the journal says.`,
        );
    }
    if (rows.length < ROWS) return;
  }
}

async function auditAccounts(db: Kysely<Database>, audit: JournalAudit): Promise<void> {
  for (let last = 0n; ; ) {
    const { rows } = await sql<AuditedAccount & { readonly number: bigint }>`
      select a.number, a.id, a.currency, ${currentBalance()} as balance, a.held,
        coalesce((select sum(h.amount) from hold h where h.from_account = a.number and h.status = 'pending'), 0) as reserved
      from account a where a.number > ${last} order by a.number limit ${ROWS}`.execute(db);
    for (const account of rows) audit.checkAccount(account);
    if (rows.length < ROWS) break;
    last = rows.at(-1)!.number;
  }
  audit.checkSums();
}
