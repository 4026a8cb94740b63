// Is the ledger sound? Walks the journal from its start and holds it against its hashes, the sides, the balances of now,
// the holds, and zero.

import { Buffer } from 'node:buffer';
import type { ReadOperation, Statements } from '../operation.ts';
import type { AnyOperation } from '../operations.ts';
import { statementsOf } from './account.ts';
import { chained, FIRST_HASH } from './chain.ts';
import { listedUpTo } from './lists.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type TransferRow, transferOf } from './transfer.ts';

/** What was found. */
export interface JournalReport {
  readonly transfers: number;
  readonly accounts: number;
  /** The hash of the newest transfer: kept elsewhere, it proves later that nothing before it has changed. */
  readonly head: string;
  /** What is wrong, one sentence each, at most 100; empty for a sound ledger. */
  readonly findings: readonly string[];
}

const ROWS = 1_000;
const MOST_FINDINGS = 100;

const PAGE =
  `SELECT ${TRANSFER_COLUMNS}, t.hash, t.from_account, t.to_account FROM transfer t ${TRANSFER_JOIN} ` +
  `WHERE t.position > ? ORDER BY t.position LIMIT ${ROWS}`;
const SIDES = 'SELECT account, position, balance FROM entry_side WHERE position = ? AND account IN (?, ?)';
const ACCOUNTS =
  'SELECT number, id, currency, balance, held FROM account WHERE number > ? ORDER BY number LIMIT 1000';
/** Up to there transfers came from a PostgreSQL: several processes gave their ids, which do not rise with positions. */
const MOVED = "SELECT position FROM journal_mark WHERE name = 'moved'";
const HELD =
  "SELECT coalesce(sum(amount), 0) AS held FROM hold WHERE from_account = ? AND status = 'pending'";

interface CheckedRow extends TransferRow {
  readonly hash: Uint8Array;
  readonly from_account: bigint;
  readonly to_account: bigint;
}

/** Checks all of the ledger in one snapshot. Takes time in proportion to the journal, memory to the accounts. */
export const verifyJournal: ReadOperation<undefined, JournalReport> = {
  kind: 'read',
  name: 'ledger.verify',
  async run(context) {
    const sql = statementsOf(context);
    const mark = await listedUpTo(context);
    const findings: string[] = [];
    const find = (what: string): void => {
      if (findings.length < MOST_FINDINGS) findings.push(what);
    };
    const moved = sql.get<{ position: bigint }>(MOVED)?.position ?? 0n;
    const { balances, count, head } = walkJournal(sql, { mark, moved }, find);
    const accounts = checkAccounts(sql, balances, find);
    checkLists(sql, mark < BigInt(count) ? mark : BigInt(count), find);
    return { transfers: count, accounts, head, findings };
  },
};

/** The lists hold the journal up to `mark`, two sides and one currency each. */
function checkLists(sql: Statements, mark: bigint, find: (what: string) => void): void {
  const sides = sql.get<{ n: bigint }>('SELECT count(*) AS n FROM entry_side')!.n;
  if (sides !== mark * 2n)
    find(`The lists hold ${mark} transfers of the journal and ${sides} sides instead of two each.`);
  const entries = sql.get<{ n: bigint }>(
    'SELECT count(*) AS n FROM currency_entry c JOIN transfer t ON t.position = c.position AND t.currency = c.currency',
  )!.n;
  if (entries !== mark)
    find(`The lists hold ${mark} transfers of the journal, and ${entries} of them under their currency.`);
}

function walkJournal(
  sql: Statements,
  { mark, moved }: { readonly mark: bigint; readonly moved: bigint },
  find: (what: string) => void,
): { balances: Map<bigint, bigint>; count: number; head: string } {
  const balances = new Map<bigint, bigint>();
  let head = FIRST_HASH;
  let position = 0n;
  let count = 0;
  let lastId = '';
  for (;;) {
    const rows = sql.all<CheckedRow>(PAGE, position);
    for (const row of rows) {
      if (row.position !== position + 1n)
        find(`The journal lacks what came between positions ${position} and ${row.position}.`);
      position = row.position;
      if (row.id <= lastId && position > moved)
        find(`The id ${row.id} at position ${position} is not above the one before it.`);
      if (row.id > lastId) lastId = row.id;
      head = checkHash(row, head, find);
      checkBalances(row, balances, find);
      if (row.position <= mark) checkSides(sql, row, find);
      count += 1;
    }
    if (rows.length < ROWS) return { balances, count, head };
  }
}

function checkHash(row: CheckedRow, previous: string, find: (what: string) => void): string {
  const stored = Buffer.from(row.hash).toString('hex');
  if (chained(previous, transferOf(row)) !== stored)
    find(
      `The transfer ${row.id} at position ${row.position} does not fit its hash: it or one before it was changed.`,
    );
  // Goes on from what is stored, so that one change is one finding.
  return stored;
}

function checkBalances(row: CheckedRow, balances: Map<bigint, bigint>, find: (what: string) => void): void {
  const from = (balances.get(row.from_account) ?? 0n) - row.amount;
  const to = (balances.get(row.to_account) ?? 0n) + row.amount;
  balances.set(row.from_account, from);
  balances.set(row.to_account, to);
  if (row.amount <= 0n || row.from_account === row.to_account)
    find(`The transfer ${row.id} at position ${row.position} moves nothing.`);
  if (row.from_balance !== from || row.to_balance !== to)
    find(
      `The balances after the transfer ${row.id} at position ${row.position} are not what the journal adds up to.`,
    );
}

function checkSides(sql: Statements, row: CheckedRow, find: (what: string) => void): void {
  const sides = sql.all<{ account: bigint; balance: bigint }>(
    SIDES,
    row.position,
    row.from_account,
    row.to_account,
  );
  const right = sides.every(
    ({ account, balance }) => balance === (account === row.from_account ? row.from_balance : row.to_balance),
  );
  if (sides.length !== 2 || !right)
    find(`The sides of the transfer ${row.id} at position ${row.position} are not what the journal says.`);
}

function checkAccounts(sql: Statements, balances: Map<bigint, bigint>, find: (what: string) => void): number {
  const sums = new Map<string, bigint>();
  let last = 0n;
  let count = 0;
  for (;;) {
    const rows = sql.all<{ number: bigint; id: string; currency: string; balance: bigint; held: bigint }>(
      ACCOUNTS,
      last,
    );
    for (const { number, id, currency, balance, held } of rows) {
      last = number;
      count += 1;
      sums.set(currency, (sums.get(currency) ?? 0n) + balance);
      const expected = balances.get(number) ?? 0n;
      if (balance !== expected)
        find(
          `The account ${id} has a balance of ${balance} and the journal adds up to ${expected} minor units.`,
        );
      const reserved = sql.get<{ held: bigint }>(HELD, number)!.held;
      if (held !== reserved)
        find(`The account ${id} has ${held} held and its holds add up to ${reserved} minor units.`);
    }
    if (rows.length === 0) break;
  }
  for (const [currency, sum] of sums)
    if (sum !== 0n) find(`The accounts in ${currency} add up to ${sum} minor units instead of zero.`);
  return count;
}

export const verifyOperations: readonly AnyOperation[] = [verifyJournal];
