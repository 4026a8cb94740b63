// Is the ledger sound? Walks the journal from its start and holds it against its hashes, its lists, the balances of now, the
// holds, and zero.

import { Buffer } from 'node:buffer';
import type { AnyOperation, ReadOperation, Statements } from '../../contracts/operation.ts';
import { chained, chainedBlock, FIRST_HASH } from '../core/journal-chain.ts';
import { verifyLists } from '../journal/verify-lists.ts';
import { statementsOf } from '../model/account.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOf,
} from '../model/transfer.ts';
import { Block } from './block.ts';

/** What was found. */
export interface JournalReport {
  readonly transfers: number;
  readonly accounts: number;
  /**
   * The hash of the newest transfer, all of them taken as rows (chain.ts): kept elsewhere, it proves later that nothing
   * before it has changed, on whatever store it is by then.
   */
  readonly head: string;
  /** What is wrong, one sentence each, at most 100; empty for a sound ledger. */
  readonly findings: readonly string[];
}

const MOST_FINDINGS = 100;

const ROWS =
  `SELECT ${TRANSFER_COLUMNS}, t.hash FROM transfer t ${TRANSFER_JOIN} ` +
  'WHERE t.position > ? ORDER BY t.position LIMIT 1000';
const BLOCKS =
  'SELECT position, count, first_id, bytes, hash FROM journal_block WHERE position > ? ORDER BY position LIMIT 8';
const ACCOUNTS =
  'SELECT number, id, currency, balance, held FROM account WHERE number > ? ORDER BY number LIMIT 1000';
const ACCOUNT = 'SELECT id, currency FROM account WHERE number = ?';
/** Up to there transfers came from a PostgreSQL: several processes gave their ids, which do not rise with positions. */
const MOVED = "SELECT position FROM journal_mark WHERE name = 'moved'";
const HELD =
  "SELECT coalesce(sum(amount), 0) AS held FROM hold WHERE from_account = ? AND status = 'pending'";

interface CheckedRow extends TransferRow {
  readonly hash: Uint8Array;
}

interface CheckedBlock {
  readonly position: bigint;
  readonly count: bigint;
  readonly first_id: Uint8Array;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

type Find = (what: string) => void;

/** Checks all of the ledger in one snapshot. Takes time in proportion to the journal, memory to the accounts. */
export const verifyJournal: ReadOperation<undefined, JournalReport> = {
  kind: 'read',
  name: 'ledger.verify',
  run(context) {
    const sql = statementsOf(context);
    const findings: string[] = [];
    const find: Find = (what) => {
      if (findings.length < MOST_FINDINGS) findings.push(what);
    };
    const walk = new JournalWalk(sql, find);
    walk.run();
    const accounts = checkAccounts(sql, walk.balances, find);
    if (walk.isReadable) verifyLists(sql, walk.position, find);
    return { transfers: walk.count, accounts, head: walk.head, findings };
  },
};

class JournalWalk {
  /** By account. */
  readonly balances = new Map<string, bigint>();
  head: string = FIRST_HASH;
  /** The hash that the next row or block goes on from: the same as `head` up to the first block. */
  #link: string = FIRST_HASH;
  position = 0n;
  count = 0;
  /** False where a block is none: then the lists cannot be made again from the journal. */
  isReadable = true;
  readonly #sql: Statements;
  readonly #find: Find;
  readonly #moved: bigint;
  #lastId = '';

  constructor(sql: Statements, find: Find) {
    this.#sql = sql;
    this.#find = find;
    this.#moved = sql.get<{ position: bigint }>(MOVED)?.position ?? 0n;
  }

  /** Rows and blocks, in the order of their positions. */
  run(): void {
    const rows = pages<CheckedRow>(this.#sql, ROWS);
    const blocks = pages<CheckedBlock>(this.#sql, BLOCKS);
    let row = rows.next();
    let block = blocks.next();
    while (row.done !== true || block.done !== true) {
      if (block.done === true || (row.done !== true && row.value.position < block.value.position)) {
        this.#checkRow(row.value as CheckedRow);
        row = rows.next();
      } else {
        this.#checkBlock(block.value);
        block = blocks.next();
      }
    }
  }

  #checkRow(row: CheckedRow): void {
    const transfer = transferOf(row);
    const stored = Buffer.from(row.hash).toString('hex');
    if (chained(this.#link, transfer) !== stored)
      this.#find(
        `The transfer ${row.id} at position ${row.position} does not fit its hash: it or one before it was changed.`,
      );
    this.head = this.head === this.#link ? stored : chained(this.head, transfer);
    // Goes on from what is stored, so that one change is one finding.
    this.#link = stored;
    this.#check(transfer);
  }

  #checkBlock({ position, count, bytes, hash }: CheckedBlock): void {
    const stored = Buffer.from(hash).toString('hex');
    if (!(bytes instanceof Uint8Array) || chainedBlock(this.#link, bytes) !== stored)
      this.#find(
        `The block of transfers at position ${position} does not fit its hash: it or one before it was changed.`,
      );
    this.#link = stored;
    try {
      const block = new Block(bytes);
      if (block.first !== position || BigInt(block.count) !== count)
        this.#find(
          `The block at position ${position} tells of ${block.count} transfers from ${block.first} on.`,
        );
      for (const { number, id, currency } of block.accounts) {
        const account = this.#sql.get<{ id: string; currency: string }>(ACCOUNT, number);
        if (account?.id !== id || account.currency !== currency)
          this.#find(
            `The block at position ${position} knows the account ${number} as ${id} in ${currency}, which it is not now.`,
          );
      }
      for (let place = 0; place < block.count; place++) {
        const transfer = block.transfer(place);
        this.head = chained(this.head, transfer);
        this.#check(transfer);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.isReadable = false;
      this.#find(`The block of transfers at position ${position} cannot be read: ${error.message}.`);
    }
  }

  #check({ position, id, from, to, amount, fromBalance, toBalance }: Transfer): void {
    if (position !== this.position + 1n)
      this.#find(`The journal lacks what came between positions ${this.position} and ${position}.`);
    this.position = position;
    this.count += 1;
    if (id <= this.#lastId && position > this.#moved)
      this.#find(`The id ${id} at position ${position} is not above the one before it.`);
    if (id > this.#lastId) this.#lastId = id;
    const fromNow = (this.balances.get(from) ?? 0n) - amount;
    const toNow = (this.balances.get(to) ?? 0n) + amount;
    this.balances.set(from, fromNow);
    this.balances.set(to, toNow);
    if (amount <= 0n || from === to) this.#find(`The transfer ${id} at position ${position} moves nothing.`);
    if (fromBalance !== fromNow || toBalance !== toNow)
      this.#find(
        `The balances after the transfer ${id} at position ${position} are not what the journal adds up to.`,
      );
  }
}

function* pages<Row extends { readonly position: bigint }>(sql: Statements, text: string): Generator<Row> {
  for (let after = 0n; ; ) {
    const rows = sql.all<Row>(text, after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

function checkAccounts(sql: Statements, balances: Map<string, bigint>, find: Find): number {
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
      const expected = balances.get(id) ?? 0n;
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
