// How does money move for good? A transfer goes to the end of the journal, and the accounts get their new balances; the
// lists by account and currency follow in stretches (lists.ts). The writing thread remembers accounts and the end of the journal, and puts the rows off until
// the group ends: so a transfer reads nothing, and a thousand of them share a few statements.

import { Buffer } from 'node:buffer';
import type { Kept, SqlValue, Statements, WriteContext } from '../operation.ts';
import { insertRows } from '../store/insert.ts';
import { type Account, findAccount, heldNow, statementsOf } from './account.ts';
import { chained, FIRST_HASH } from './chain.ts';
import { Lists } from './lists.ts';
import type { Transfer } from './transfer.ts';

/** Accounts that are remembered. */
const MOST_ACCOUNTS = 50_000;

const HEAD = 'SELECT position, hash FROM transfer ORDER BY position DESC LIMIT 1';
const TRANSFER =
  'transfer (position, id, kind, from_account, to_account, currency, amount, from_balance, to_balance, ' +
  'reference, external_id, hold, reverses, time, hash)';
const SET_BALANCE = 'UPDATE account SET balance = ?, updated_at = ? WHERE number = ?';
const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

/** An account with its new balance. */
interface Changed {
  readonly balance: bigint;
  readonly time: bigint;
}

/** The journal as the writing thread sees it: the tables, and what was put off. */
export class Journal implements Kept {
  readonly #sql: Statements;
  /** As they are after all that was put off; `held` counts holds that have expired since as well. */
  readonly #accounts = new Map<string, Account>();
  #head: { position: bigint; hash: string } | undefined;
  #transfers: SqlValue[] = [];
  readonly #lists: Lists;
  readonly #changed = new Map<bigint, Changed>();
  readonly #externalIds = new Set<string>();

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#lists = new Lists(sql);
  }

  /** The account, as it is at `now` after all that was put off. */
  find(id: string, now: number): Account | undefined {
    let account = this.#accounts.get(id);
    if (account === undefined) {
      account = findAccount(this.#sql, id, undefined);
      if (account === undefined) return undefined;
      if (this.#accounts.size >= MOST_ACCOUNTS) this.#accounts.clear();
      this.#accounts.set(id, account);
    }
    return account.held === 0n ? account : { ...account, held: heldNow(this.#sql, account, now) };
  }

  isExternalIdTaken(externalId: string): boolean {
    return this.#externalIds.has(externalId) || this.#sql.get(TAKEN, externalId) !== undefined;
  }

  /** The position of the next transfer. */
  next(): bigint {
    return (this.#head ??= this.#readHead()).position + 1n;
  }

  /** Puts a transfer at the end; the accounts are as they are after it. REQUIRES: its position is `next()`. */
  add(from: Account, to: Account, added: Transfer): Transfer {
    const { position } = added;
    const hash = chained((this.#head ??= this.#readHead()).hash, added);
    this.#head = { position, hash };
    const time = BigInt(added.time);
    this.#transfers.push(
      position,
      added.id,
      added.kind,
      from.number,
      to.number,
      added.currency,
      added.amount,
      added.fromBalance,
      added.toBalance,
      added.reference,
      added.externalId,
      added.hold,
      added.reverses,
      time,
      Buffer.from(hash, 'hex'),
    );
    this.#change(from, time);
    this.#change(to, time);
    if (added.externalId !== null) this.#externalIds.add(added.externalId);
    return added;
  }

  #change({ id, number, balance }: Account, time: bigint): void {
    this.#changed.set(number, { balance, time });
    const known = this.#accounts.get(id);
    if (known !== undefined) this.#accounts.set(id, { ...known, balance });
  }

  #readHead(): { position: bigint; hash: string } {
    const row = this.#sql.get<{ position: bigint; hash: Uint8Array }>(HEAD);
    if (row === undefined) return { position: 0n, hash: FIRST_HASH };
    return { position: row.position, hash: Buffer.from(row.hash).toString('hex') };
  }

  flush(): void {
    if (this.#transfers.length === 0) return;
    insertRows(this.#sql, TRANSFER, 15, this.#transfers);
    for (const [number, { balance, time }] of this.#changed)
      this.#sql.run(SET_BALANCE, balance, time, number);
    this.#drop();
    this.#lists.reach(this.next() - 1n);
  }

  forget(): void {
    this.#drop();
    this.forgetAccounts();
    this.#head = undefined;
    this.#lists.forget();
  }

  /** The tables are about to change by other ways than this one. REQUIRES: nothing is put off. */
  forgetAccounts(): void {
    this.#accounts.clear();
  }

  #drop(): void {
    this.#transfers = [];
    this.#changed.clear();
    this.#externalIds.clear();
  }
}

/** The journal of the thread that writes. */
export function journalOf(context: WriteContext): Journal {
  const sql = statementsOf(context);
  return context.kept === undefined ? new Journal(sql) : context.kept('journal', () => new Journal(sql));
}
