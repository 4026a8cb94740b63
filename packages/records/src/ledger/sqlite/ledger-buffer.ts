// How does money move for good? Transfers go to the end of the journal, and the accounts get their new balances; the lists
// by account and currency follow in stretches (lists.ts). The writing thread remembers accounts and the end of the journal,
// and puts everything off until the group ends: so a transfer reads nothing, and a thousand share a few statements.

import { Buffer } from 'node:buffer';
import type { Kept, Statements, WriteContext } from '../../contracts/operation.ts';
import type { MovedColumns } from '../columns/columns.ts';
import type { PlainRun } from '../columns/plain-run.ts';
import { FIRST_HASH } from '../core/journal-chain.ts';
import { type Account, findAccount, heldNow, statementsOf } from '../model/account.ts';
import type { Transfer } from '../model/transfer.ts';
import { PutOff } from './journal-buffer.ts';
import { Lists } from './journal-index.ts';

/** Accounts that are remembered. */
const MOST_ACCOUNTS = 50_000;

const LAST_ROW = 'SELECT position, hash FROM transfer ORDER BY position DESC LIMIT 1';
const LAST_BLOCK =
  'SELECT position + count - 1 AS position, hash FROM journal_block ORDER BY position DESC LIMIT 1';
const SET_BALANCE = 'UPDATE account SET balance = ?, updated_at = ? WHERE number = ?';
const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

interface End {
  position: bigint;
  readonly putOff: PutOff;
}

/** The journal as the writing thread sees it: the tables, and what was put off. */
export class Journal implements Kept {
  readonly #sql: Statements;
  /** As they are after all that was put off; `held` counts holds that have expired since as well. */
  readonly #accounts = new Map<string, Account>();
  /** Undefined until somebody asks. */
  #end: End | undefined;
  readonly #lists: Lists;
  /** Accounts whose new balances are put off: what the tables say of them is old. */
  readonly #changed = new Map<string, Account>();
  #time = 0;
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
    return this.#atEnd().position + 1n;
  }

  /** Puts a transfer at the end; the accounts are as they are after it. REQUIRES: its position is `next()`. */
  add(from: Account, to: Account, added: Transfer): Transfer {
    const end = this.#atEnd();
    end.putOff.add(from, to, added);
    end.position = added.position;
    this.#time = added.time;
    this.#change(from, from.balance);
    this.#change(to, to.balance);
    if (added.externalId !== null) this.#externalIds.add(added.externalId);
    return added;
  }

  /** Puts all at the end that a run has decided. REQUIRES: nothing was added since the run found its accounts. */
  addRun(run: PlainRun, ids: Uint8Array, time: number): MovedColumns {
    const end = this.#atEnd();
    const columns = run.columns(this.next(), ids, time);
    end.putOff.addMany(columns, run.places(), run.account);
    end.position += BigInt(columns.length);
    this.#time = time;
    for (const [account, balance] of run.moved()) this.#change(account, balance);
    return columns;
  }

  /** `held` stays what it was: that of the account at hand lacks what has expired. */
  #change(account: Account, balance: bigint): void {
    const known = this.#changed.get(account.id) ?? this.#accounts.get(account.id) ?? account;
    this.#changed.set(account.id, { ...known, balance });
  }

  #atEnd(): End {
    return (this.#end ??= readEnd(this.#sql));
  }

  flush(): void {
    if (this.#changed.size === 0) return;
    const { position, putOff } = this.#atEnd();
    putOff.write(this.#sql);
    const time = BigInt(this.#time);
    for (const account of this.#changed.values()) {
      this.#sql.run(SET_BALANCE, account.balance, time, account.number);
      this.#remember(account);
    }
    this.#drop();
    this.#lists.reach(position);
  }

  forget(): void {
    this.#drop();
    this.forgetAccounts();
    this.#end = undefined;
    this.#lists.forget();
  }

  /** The tables are about to change by other ways than this one. REQUIRES: nothing is put off. */
  forgetAccounts(): void {
    this.#accounts.clear();
  }

  #drop(): void {
    this.#changed.clear();
    this.#externalIds.clear();
  }
}

/** The end of the journal: in a row or in a block. */
function readEnd(sql: Statements): End {
  const ends = [LAST_ROW, LAST_BLOCK].map((text) => sql.get<{ position: bigint; hash: Uint8Array }>(text));
  const [row, block] = ends;
  const last = row === undefined || (block !== undefined && block.position > row.position) ? block : row;
  const hash = last === undefined ? FIRST_HASH : Buffer.from(last.hash).toString('hex');
  return { position: last?.position ?? 0n, putOff: new PutOff(hash) };
}

/** The journal of the thread that writes. */
export function journalOf(context: WriteContext): Journal {
  const sql = statementsOf(context);
  return context.kept === undefined ? new Journal(sql) : context.kept('journal', () => new Journal(sql));
}
