// The write-behind buffer of the ledger in the writing thread. It remembers accounts and the end of the journal, collects the
// transfers and account changes of a group, and writes them before the commit: a transfer reads nothing, and a thousand share
// a few statements. The index by account and currency follows in stretches (journal-index.ts).
//
// - Every write of the ledger goes through this buffer, so what it remembers is never older than the tables.
// - Holds and new accounts are written at once; only transfers and changes of accounts wait.
// - A rollback forgets everything.

import { Buffer } from 'node:buffer';
import type { Statements, WriteBehind } from '../../contracts/operation.ts';
import { FIRST_HASH } from '../core/journal-chain.ts';
import type { Account } from '../model/account.ts';
import type { Transfer } from '../model/transfer.ts';
import { accountAt, storedAccount } from './account-rows.ts';
import { JournalBuffer } from './journal-buffer.ts';
import { JournalIndexWriter } from './journal-index.ts';

/** Accounts that are remembered between groups. */
const MOST_ACCOUNTS = 50_000;

const LAST_ROW = 'SELECT position, hash FROM transfer ORDER BY position DESC LIMIT 1';
const LAST_BLOCK =
  'SELECT position + count - 1 AS position, hash FROM journal_block ORDER BY position DESC LIMIT 1';
const UPDATE =
  'UPDATE account SET balance = ?, held = ?, allow_negative = ?, closed = ?, updated_at = ? WHERE number = ?';
const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

/** The end of the journal, with the transfers that wait to be written. */
interface JournalEnd {
  position: bigint;
  readonly buffer: JournalBuffer;
}

/** See above. */
export class LedgerBuffer implements WriteBehind {
  readonly #sql: Statements;
  /** Accounts as their rows are; `held` includes expired holds. */
  readonly #accounts = new Map<string, Account>();
  /** Accounts whose rows are to be updated. */
  readonly #changed = new Map<string, Account>();
  /** External ids of transfers that wait. */
  readonly #externalIds = new Set<string>();
  /** Undefined until the first use, and after a rollback. */
  #end: JournalEnd | undefined;
  readonly #index: JournalIndexWriter;
  readonly #mostAccounts: number;

  constructor(sql: Statements, mostAccounts: number = MOST_ACCOUNTS) {
    this.#sql = sql;
    this.#index = new JournalIndexWriter(sql);
    this.#mostAccounts = mostAccounts;
  }

  /** The account as it is at `now`. */
  find(id: string, now: number): Account | undefined {
    const stored = this.#stored(id);
    return stored && accountAt(this.#sql, stored, now);
  }

  /** Reserved by all pending holds of an account, expired or not. */
  reservedOf(id: string): bigint {
    return this.#stored(id)?.held ?? 0n;
  }

  #stored(id: string): Account | undefined {
    return this.#changed.get(id) ?? this.#accounts.get(id) ?? this.#read(id);
  }

  #read(id: string): Account | undefined {
    const account = storedAccount(this.#sql, id);
    if (account !== undefined) this.#remember(account);
    return account;
  }

  #remember(account: Account): void {
    if (this.#accounts.size >= this.#mostAccounts) this.#accounts.clear();
    this.#accounts.set(account.id, account);
  }

  isExternalIdTaken(externalId: string): boolean {
    return this.#externalIds.has(externalId) || this.#sql.get(TAKEN, externalId) !== undefined;
  }

  /** The position of the next transfer. */
  next(): bigint {
    return this.#atEnd().position + 1n;
  }

  /** Adds a transfer to the journal; the accounts are as they are after it. REQUIRES: its position is `next()`. */
  add(from: Account, to: Account, transfer: Transfer): void {
    const end = this.#atEnd();
    end.buffer.add(from, to, transfer);
    end.position = transfer.position;
    this.#setBalance(from, transfer.time);
    this.#setBalance(to, transfer.time);
    if (transfer.externalId !== null) this.#externalIds.add(transfer.externalId);
  }

  /** Of `account` only the balance counts: its `held` lacks expired holds. */
  #setBalance({ id, balance }: Account, updatedAt: number): void {
    this.#changed.set(id, { ...this.#stored(id)!, balance, updatedAt });
  }

  /** Changes what is reserved of an account. */
  reserve(id: string, amount: bigint, updatedAt: number): void {
    const stored = this.#stored(id)!;
    this.#changed.set(id, { ...stored, held: stored.held + amount, updatedAt });
  }

  /** Writes whether an account is closed and may go negative. */
  setFlags({ id, closed, allowNegative, updatedAt }: Account): void {
    this.#changed.set(id, { ...this.#stored(id)!, closed, allowNegative, updatedAt });
  }

  #atEnd(): JournalEnd {
    return (this.#end ??= readEnd(this.#sql));
  }

  flush(): void {
    if (this.#changed.size === 0) return;
    for (const account of this.#changed.values()) {
      const { number, balance, held, allowNegative, closed, updatedAt } = account;
      const flags = [allowNegative ? 1n : 0n, closed ? 1n : 0n] as const;
      this.#sql.run(UPDATE, balance, held, ...flags, BigInt(updatedAt), number);
      this.#remember(account);
    }
    if (this.#end !== undefined) {
      this.#end.buffer.write(this.#sql);
      this.#index.reach(this.#end.position);
    }
    this.#drop();
  }

  forget(): void {
    this.#drop();
    this.#accounts.clear();
    this.#end = undefined;
    this.#index.forget();
  }

  #drop(): void {
    this.#changed.clear();
    this.#externalIds.clear();
  }
}

/** The end of the journal: its last transfer is in a row or in a block. */
function readEnd(sql: Statements): JournalEnd {
  const [row, block] = [LAST_ROW, LAST_BLOCK].map((text) =>
    sql.get<{ position: bigint; hash: Uint8Array }>(text),
  );
  const last = row === undefined || (block !== undefined && block.position > row.position) ? block : row;
  const hash = last === undefined ? FIRST_HASH : Buffer.from(last.hash).toString('hex');
  return { position: last?.position ?? 0n, buffer: new JournalBuffer(hash) };
}
