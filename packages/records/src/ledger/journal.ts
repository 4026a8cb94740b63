// How does money move for good? A transfer goes to the end of the journal, and the accounts get their new balances; the
// lists by account and currency follow in stretches (lists.ts). The writing thread remembers accounts and the end of the
// journal, and puts the rows off until the group ends: so a transfer reads nothing, and a thousand share a few statements.

import { Buffer } from 'node:buffer';
import type { Kept, Statements, WriteContext } from '../operation.ts';
import { type Account, findAccount, heldNow, statementsOf } from './account.ts';
import { chained, FIRST_HASH } from './chain.ts';
import { Lists } from './lists.ts';
import { TransferRows } from './rows.ts';
import type { Transfer } from './transfer.ts';

/** Accounts that are remembered. */
const MOST_ACCOUNTS = 50_000;

const HEAD = 'SELECT position, hash FROM transfer ORDER BY position DESC LIMIT 1';
const SET_BALANCE = 'UPDATE account SET balance = ?, updated_at = ? WHERE number = ?';
const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

/** The journal as the writing thread sees it: the tables, and what was put off. */
export class Journal implements Kept {
  readonly #sql: Statements;
  /** As they are after all that was put off; `held` counts holds that have expired since as well. */
  readonly #accounts = new Map<string, Account>();
  #head: { position: bigint; hash: string } | undefined;
  readonly #rows = new TransferRows();
  readonly #lists: Lists;
  /** Accounts whose new balances are put off: what the tables say of them is old. */
  readonly #changed = new Map<string, Account>();
  readonly #externalIds = new Set<string>();
  readonly #mostAccounts: number;

  constructor(sql: Statements, mostAccounts: number = MOST_ACCOUNTS) {
    this.#sql = sql;
    this.#lists = new Lists(sql);
    this.#mostAccounts = mostAccounts;
  }

  /** The account, as it is at `now` after all that was put off. */
  find(id: string, now: number): Account | undefined {
    const account = this.#changed.get(id) ?? this.#accounts.get(id) ?? this.#read(id);
    if (account === undefined || account.held === 0n) return account;
    return { ...account, held: heldNow(this.#sql, account, now) };
  }

  #read(id: string): Account | undefined {
    const account = findAccount(this.#sql, id, undefined);
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
    return (this.#head ??= this.#readHead()).position + 1n;
  }

  /** Puts a transfer at the end; the accounts are as they are after it. REQUIRES: its position is `next()`. */
  add(from: Account, to: Account, added: Transfer): Transfer {
    const { position } = added;
    const hash = chained((this.#head ??= this.#readHead()).hash, added);
    this.#head = { position, hash };
    this.#rows.add(added, from.number, to.number, Buffer.from(hash, 'hex'));
    this.#change(from);
    this.#change(to);
    if (added.externalId !== null) this.#externalIds.add(added.externalId);
    return added;
  }

  /** `held` stays what it was: that of the account at hand lacks what has expired. */
  #change(account: Account): void {
    const { id, balance } = account;
    const known = this.#changed.get(id) ?? this.#accounts.get(id);
    this.#changed.set(id, known === undefined || known.held === 0n ? account : { ...known, balance });
  }

  #readHead(): { position: bigint; hash: string } {
    const row = this.#sql.get<{ position: bigint; hash: Uint8Array }>(HEAD);
    if (row === undefined) return { position: 0n, hash: FIRST_HASH };
    return { position: row.position, hash: Buffer.from(row.hash).toString('hex') };
  }

  flush(): void {
    if (this.#rows.isEmpty) return;
    const time = this.#rows.write(this.#sql);
    for (const account of this.#changed.values()) {
      this.#sql.run(SET_BALANCE, account.balance, time, account.number);
      this.#remember(account);
    }
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
    this.#rows.clear();
    this.#changed.clear();
    this.#externalIds.clear();
  }
}

/** The journal of the thread that writes. */
export function journalOf(context: WriteContext): Journal {
  const sql = statementsOf(context);
  return context.kept === undefined ? new Journal(sql) : context.kept('journal', () => new Journal(sql));
}
