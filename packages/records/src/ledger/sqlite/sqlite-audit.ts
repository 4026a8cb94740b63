// Audits a ledger on SQLite: the journal, which lies in rows and blocks, its index by account and currency, and the accounts.

import { Buffer } from 'node:buffer';
import type { Statements } from '../../contracts/operation.ts';
import { type AuditedAccount, JournalAudit, type JournalReport } from '../core/journal-audit.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type TransferRow, transferOfRow } from '../model/transfer.ts';
import { JournalBlock } from './journal-block.ts';
import { indexedUpTo, packPlaces, placesByList, STRETCH } from './journal-index.ts';

const ROWS =
  `SELECT ${TRANSFER_COLUMNS}, t.hash FROM transfer t ${TRANSFER_JOIN} ` +
  'WHERE t.position > ? ORDER BY t.position LIMIT 1000';
const BLOCKS =
  'SELECT position, count, first_id, bytes, hash FROM journal_block WHERE position > ? ORDER BY position LIMIT 8';
const ACCOUNTS =
  'SELECT a.number, a.id, a.currency, a.balance, a.held, (SELECT coalesce(sum(h.amount), 0) FROM hold h ' +
  "WHERE h.from_account = a.number AND h.status = 'pending') AS reserved " +
  'FROM account a WHERE a.number > ? ORDER BY a.number LIMIT 1000';
const ACCOUNT = 'SELECT id, currency FROM account WHERE number = ?';
/** Up to this position transfers came from a PostgreSQL. Several processes gave their ids, which do not rise with positions. */
const MOVED = "SELECT position FROM journal_mark WHERE name = 'moved'";
const INDEX_ROW = 'SELECT places FROM journal_list WHERE list = ? AND first = ?';
const INDEX_ROWS = 'SELECT count(*) AS n FROM journal_list';

interface RowWithHash extends TransferRow {
  readonly hash: Uint8Array;
}

interface BlockRow {
  readonly position: bigint;
  readonly count: bigint;
  readonly first_id: Uint8Array;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

/** REQUIRES: one snapshot. Takes time in proportion to the journal, memory to the accounts. */
export function auditSqlite(sql: Statements): JournalReport {
  const audit = new JournalAudit();
  const isReadable = new Walk(sql, audit).run();
  for (const account of pages<AuditedAccount & { readonly number: bigint }>(sql, ACCOUNTS, 'number'))
    audit.checkAccount(account);
  audit.checkSums();
  if (isReadable) auditIndex(sql, audit);
  return audit.report();
}

/** Goes through rows and blocks in the order of their positions. */
class Walk {
  readonly #sql: Statements;
  readonly #audit: JournalAudit;
  readonly #moved: bigint;
  #lastId = '';
  /** False where a block cannot be read: then the index cannot be compared with the journal. */
  #isReadable = true;

  constructor(sql: Statements, audit: JournalAudit) {
    this.#sql = sql;
    this.#audit = audit;
    this.#moved = sql.get<{ position: bigint }>(MOVED)?.position ?? 0n;
  }

  /** Returns whether all of it could be read. */
  run(): boolean {
    const rows = pages<RowWithHash>(this.#sql, ROWS, 'position');
    const blocks = pages<BlockRow>(this.#sql, BLOCKS, 'position');
    let row = rows.next();
    let block = blocks.next();
    while (row.done !== true || block.done !== true) {
      if (block.done === true || (row.done !== true && row.value.position < block.value.position)) {
        const { value } = row as IteratorYieldResult<RowWithHash>;
        this.#audit.checkRow(transferOfRow(value), value.hash);
        this.#checkId(value.id, value.position);
        row = rows.next();
      } else {
        this.#checkBlock(block.value);
        block = blocks.next();
      }
    }
    return this.#isReadable;
  }

  #checkBlock({ position, count, bytes, hash }: BlockRow): void {
    const audit = this.#audit;
    audit.checkBlockHash(position, bytes, hash);
    try {
      const block = new JournalBlock(bytes);
      if (block.first !== position || BigInt(block.count) !== count)
        audit.find(
          `The block at position ${position} tells of ${block.count} transfers from ${block.first} on.`,
        );
      for (const { number, id, currency } of block.accounts) {
        const account = this.#sql.get<{ id: string; currency: string }>(ACCOUNT, number);
        if (account?.id !== id || account.currency !== currency)
          audit.find(
            `The block at position ${position} knows the account ${number} as ${id} in ${currency}, which it is not now.`,
          );
      }
      for (let place = 0; place < block.count; place++) {
        const transfer = block.transfer(place);
        audit.checkInBlock(transfer);
        this.#checkId(transfer.id, transfer.position);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#isReadable = false;
      audit.find(`The block of transfers at position ${position} cannot be read: ${error.message}.`);
    }
  }

  #checkId(id: string, position: bigint): void {
    if (id <= this.#lastId && position > this.#moved)
      this.#audit.find(`The id ${id} at position ${position} is not above the one before it.`);
    if (id > this.#lastId) this.#lastId = id;
  }
}

/** Makes each stretch of the index again from the journal and compares. */
function auditIndex(sql: Statements, audit: JournalAudit): void {
  const end = audit.position;
  const indexed = indexedUpTo(sql);
  if (indexed > end) audit.find(`The lists hold ${indexed} transfers of the journal, which has ${end}.`);
  let rows = 0n;
  for (let first = 1n; first <= indexed && first <= end; first += STRETCH) {
    const expected = placesByList(sql, first, first + STRETCH - 1n);
    rows += BigInt(expected.size);
    for (const [list, places] of expected) {
      const stored = sql.get<{ places: Uint8Array }>(INDEX_ROW, list, first)?.places;
      if (stored !== undefined && Buffer.from(packPlaces(places)).equals(stored)) continue;
      const name = /^[0-9]/.test(list) ? `the account number ${list}` : list;
      audit.find(`The list of ${name} is not what the journal says from position ${first} on.`);
    }
  }
  const { n } = sql.get<{ n: bigint }>(INDEX_ROWS)!;
  if (n !== rows) audit.find(`The lists of the journal have ${n} rows instead of ${rows}.`);
}

function* pages<Row extends object>(sql: Statements, text: string, key: keyof Row): Generator<Row> {
  for (let after = 0n; ; ) {
    const rows = sql.all<Row>(text, after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last[key] as bigint;
  }
}
