// The book of the SQLite ledger: reads and changes go through the write-behind buffer of the writing thread. Operations that
// look up holds or past transfers read the tables; the store flushes the buffer before each of them (`buffered`).

import type { NewEvent } from '../../contracts/events.ts';
import type { EmbeddedContext, Statements, WriteContext } from '../../contracts/operation.ts';
import { EXPIRE_AT_ONCE, type LedgerBook, type PastTransfer } from '../core/ledger-book.ts';
import type { Account } from '../model/account.ts';
import { type Hold, type HoldRow, holdOfRow, SELECT_HOLDS } from '../model/hold.ts';
import type { Transfer } from '../model/transfer.ts';
import { findTransfer } from './journal-reader.ts';
import { LedgerBuffer } from './ledger-buffer.ts';

const OPEN =
  'INSERT INTO account (id, currency, allow_negative, closed, balance, held, created_at, updated_at) ' +
  'VALUES (?, ?, ?, 0, 0, 0, ?, ?)';
const REVERSAL = 'SELECT id FROM transfer WHERE reverses = ?';
const HOLD = `${SELECT_HOLDS} WHERE h.id = ?`;
const EXPIRED_HOLDS =
  `${SELECT_HOLDS} WHERE h.status = 'pending' AND h.expires_at <= ? ` +
  `ORDER BY h.expires_at LIMIT ${EXPIRE_AT_ONCE}`;
const ADD_HOLD =
  'INSERT INTO hold (id, from_account, to_account, currency, amount, status, expires_at, reference, transfer, created_at, updated_at) ' +
  'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const END_HOLD = 'UPDATE hold SET status = ?, transfer = ?, updated_at = ? WHERE id = ?';

/** The hold with an id, as it is at `now`. */
export function findHold(sql: Statements, id: string, now: number): Hold | undefined {
  const row = sql.get<HoldRow>(HOLD, id);
  return row && holdOfRow(row, now);
}

/** See above. One for each call of an operation. */
export class SqliteBook implements LedgerBook {
  readonly now: number;
  readonly emit: (event: NewEvent) => void;
  readonly #embedded: EmbeddedContext;
  readonly #sql: Statements;
  readonly #buffer: LedgerBuffer;

  constructor({ now, emit, embedded }: WriteContext) {
    if (embedded === undefined) throw new Error('this book is that of the embedded store');
    const { sql } = embedded;
    this.now = now;
    this.emit = emit;
    this.#embedded = embedded;
    this.#sql = sql;
    this.#buffer = embedded.buffer('ledger', () => new LedgerBuffer(sql));
  }

  account(id: string): Account | undefined {
    return this.#buffer.find(id, this.now);
  }

  reservedOf({ id }: Account): bigint {
    return this.#buffer.reservedOf(id);
  }

  isExternalIdTaken(externalId: string): boolean {
    return this.#buffer.isExternalIdTaken(externalId);
  }

  pastTransfer(id: string): PastTransfer | undefined {
    return findTransfer(this.#sql, id);
  }

  reversalOf(id: string): string | undefined {
    return this.#sql.get<{ id: string }>(REVERSAL, id)?.id;
  }

  hold(id: string): Hold | undefined {
    return findHold(this.#sql, id, this.now);
  }

  expiredHolds(): readonly Hold[] {
    return this.#sql.all<HoldRow>(EXPIRED_HOLDS, BigInt(this.now)).map((row) => holdOfRow(row, this.now));
  }

  nextTransferId(): string {
    return this.#embedded.nextId('@journal');
  }

  nextHoldId(): string {
    return this.#embedded.nextId('@holds');
  }

  nextPosition(): bigint {
    return this.#buffer.next();
  }

  openAccount({ id, currency, allowNegative, createdAt, updatedAt }: Omit<Account, 'number'>): Account {
    this.#sql.run(OPEN, id, currency, allowNegative ? 1n : 0n, BigInt(createdAt), BigInt(updatedAt));
    return this.#buffer.find(id, this.now)!;
  }

  changeAccount(account: Account): void {
    this.#buffer.setFlags(account);
  }

  addTransfer(transfer: Transfer, from: Account, to: Account): void {
    this.#buffer.add(from, to, transfer);
    this.#embedded.emitTransfer(transfer.position);
  }

  addHold(hold: Hold): void {
    const { id, from, fromNumber, toNumber, currency, amount, status, reference, transfer } = hold;
    const expiresAt = hold.expiresAt === null ? null : BigInt(hold.expiresAt);
    const times = [BigInt(hold.createdAt), BigInt(hold.updatedAt)] as const;
    const values = [fromNumber, toNumber, currency, amount, status, expiresAt, reference, transfer] as const;
    this.#sql.run(ADD_HOLD, id, ...values, ...times);
    this.#buffer.reserve(from, amount, this.now);
  }

  endHold({ id, from, amount, status, transfer, updatedAt }: Hold): void {
    this.#sql.run(END_HOLD, status, transfer, BigInt(updatedAt), id);
    this.#buffer.reserve(from, -amount, this.now);
  }
}
