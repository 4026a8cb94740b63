// Is a ledger sound that several processes have written? Walks the journal from its start and holds it against its hashes,
// the sides, the balances of now, the holds, and zero; what has no place yet must add up as well.

import { Buffer } from 'node:buffer';
import type { Kysely } from 'kysely';
import type { ReadContext } from '../../contracts/operation.ts';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { chained, FIRST_HASH } from '../core/journal-chain.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type TransferRow, transferOf } from '../model/transfer.ts';
import type { JournalReport } from '../sqlite/sqlite-audit.ts';
import { BALANCE } from './account-rows.ts';

const ROWS = 1_000;
const MOST_FINDINGS = 100;

interface CheckedRow extends TransferRow {
  readonly hash: Uint8Array;
  readonly journal_time: bigint;
  readonly from_account: bigint;
  readonly to_account: bigint;
  /** The balances that the sides of the two accounts tell. */
  readonly from_side: bigint | null;
  readonly to_side: bigint | null;
}

/** Checks all of the ledger in one snapshot. Takes time in proportion to the journal, memory to the accounts. */
export async function verifySeveral({ db }: ReadContext): Promise<JournalReport> {
  const findings: string[] = [];
  const find = (what: string): void => {
    if (findings.length < MOST_FINDINGS) findings.push(what);
  };
  const walk = new Walk(find);
  for (;;) {
    const rows = await pageOf(db, walk.position);
    for (const row of rows) walk.check(row);
    if (rows.length < ROWS) break;
  }
  const waiting = await sql<{ from_account: bigint; to_account: bigint; amount: bigint }>`
    select from_account, to_account, amount from transfer where position is null`.execute(db);
  for (const { from_account, to_account, amount } of waiting.rows)
    walk.move(from_account, to_account, amount);
  const accounts = await checkAccounts(db, walk.balances, find);
  const { rows } = await sql<{ n: bigint }>`select count(*) as n from entry_side`.execute(db);
  if (rows[0]!.n !== BigInt(walk.count) * 2n)
    find(`The journal has ${walk.count} transfers and ${rows[0]!.n} sides instead of two each.`);
  return { transfers: walk.count + waiting.rows.length, accounts, head: walk.head, findings };
}

async function pageOf(db: Kysely<Database>, after: bigint): Promise<CheckedRow[]> {
  const { rows } = await sql<CheckedRow>`
    select ${sql.raw(TRANSFER_COLUMNS)}, t.hash, t.journal_time, t.from_account, t.to_account,
      (select s.balance from entry_side s where s.account = t.from_account and s.position = t.position) as from_side,
      (select s.balance from entry_side s where s.account = t.to_account and s.position = t.position) as to_side
    from transfer t ${sql.raw(TRANSFER_JOIN)} where t.position > ${after}
    order by t.position limit ${ROWS}`.execute(db);
  return rows;
}

class Walk {
  readonly balances = new Map<bigint, bigint>();
  readonly #find: (what: string) => void;
  position = 0n;
  count = 0;
  head: string = FIRST_HASH;
  #time = 0n;

  constructor(find: (what: string) => void) {
    this.#find = find;
  }

  check(row: CheckedRow): void {
    if (row.position !== this.position + 1n)
      this.#find(`The journal lacks what came between positions ${this.position} and ${row.position}.`);
    if (row.journal_time < this.#time || row.journal_time < row.time)
      this.#find(`The time of the transfer ${row.id} at position ${row.position} runs backwards.`);
    this.position = row.position;
    this.#time = row.journal_time;
    this.count += 1;
    const stored = Buffer.from(row.hash).toString('hex');
    if (chained(this.head, transferOf(row)) !== stored)
      this.#find(
        `The transfer ${row.id} at position ${row.position} does not fit its hash: it or one before it was changed.`,
      );
    // Goes on from what is stored, so that one change is one finding.
    this.head = stored;
    if (row.amount <= 0n || row.from_account === row.to_account)
      this.#find(`The transfer ${row.id} at position ${row.position} moves nothing.`);
    const { from, to } = this.move(row.from_account, row.to_account, row.amount);
    if (row.from_balance !== from || row.to_balance !== to)
      this.#find(
        `The balances after the transfer ${row.id} at position ${row.position} are not what the journal adds up to.`,
      );
    if (row.from_side !== from || row.to_side !== to)
      this.#find(
        `The sides of the transfer ${row.id} at position ${row.position} are not what the journal says.`,
      );
  }

  move(fromAccount: bigint, toAccount: bigint, amount: bigint): { from: bigint; to: bigint } {
    const from = (this.balances.get(fromAccount) ?? 0n) - amount;
    const to = (this.balances.get(toAccount) ?? 0n) + amount;
    this.balances.set(fromAccount, from);
    this.balances.set(toAccount, to);
    return { from, to };
  }
}

interface CheckedAccount {
  readonly number: bigint;
  readonly id: string;
  readonly currency: string;
  readonly balance: bigint;
  readonly held: bigint;
  readonly reserved: bigint;
}

async function checkAccounts(
  db: Kysely<Database>,
  balances: ReadonlyMap<bigint, bigint>,
  find: (what: string) => void,
): Promise<number> {
  const sums = new Map<string, bigint>();
  let count = 0;
  for (let last = 0n; ; ) {
    const { rows } = await sql<CheckedAccount>`
      select a.number, a.id, a.currency, ${BALANCE} as balance, a.held,
        coalesce((select sum(h.amount) from hold h where h.from_account = a.number and h.status = 'pending'), 0) as reserved
      from account a where a.number > ${last} order by a.number limit ${ROWS}`.execute(db);
    for (const { number, id, currency, balance, held, reserved } of rows) {
      last = number;
      count += 1;
      sums.set(currency, (sums.get(currency) ?? 0n) + balance);
      const expected = balances.get(number) ?? 0n;
      if (balance !== expected)
        find(
          `The account ${id} has a balance of ${balance} and the journal adds up to ${expected} minor units.`,
        );
      if (held !== reserved)
        find(`The account ${id} has ${held} held and its holds add up to ${reserved} minor units.`);
    }
    if (rows.length === 0) break;
  }
  for (const [currency, sum] of sums)
    if (sum !== 0n) find(`The accounts in ${currency} add up to ${sum} minor units instead of zero.`);
  return count;
}
