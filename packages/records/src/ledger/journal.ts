// How does money move for good? A transfer goes to the end of the journal, a side of it to each account, and the accounts
// get their new balances: all in the transaction of the caller.

import { Buffer } from 'node:buffer';
import type { Statements, WriteContext } from '../operation.ts';
import { type Account, findAccount, statementsOf } from './account.ts';
import { chained, FIRST_HASH } from './chain.ts';
import { type Decision, moved } from './rules.ts';
import { type Transfer, type TransferKind, transferView } from './transfer.ts';

/** What a transfer says beside the money. */
export interface Annotation {
  readonly kind: TransferKind;
  readonly reference: string | null;
  readonly externalId: string | null;
  readonly hold: string | null;
  readonly reverses: string | null;
}

const HEAD = 'SELECT position, hash FROM transfer ORDER BY position DESC LIMIT 1';
const ADD =
  'INSERT INTO transfer (position, id, kind, from_account, to_account, currency, amount, from_balance, to_balance, ' +
  'reference, external_id, hold, reverses, time, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const ADD_SIDES = 'INSERT INTO entry_side (account, position, balance) VALUES (?, ?, ?), (?, ?, ?)';
const SET_BALANCE = 'UPDATE account SET balance = ?, updated_at = ? WHERE number = ?';
const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

/** True when a transfer has this external id. */
export function isExternalIdTaken(sql: Statements, externalId: string | undefined): boolean {
  return externalId !== undefined && sql.get(TAKEN, externalId) !== undefined;
}

/** The accounts of one operation: each is read once and seen as the operation has left it. */
export class AccountsInUse {
  readonly #sql: Statements;
  readonly #now: number;
  readonly #accounts = new Map<string, Account | undefined>();

  constructor(context: Pick<WriteContext, 'sql' | 'now'>) {
    this.#sql = statementsOf(context);
    this.#now = context.now;
  }

  find(id: string): Account | undefined {
    const known = this.#accounts.get(id);
    if (known !== undefined || this.#accounts.has(id)) return known;
    const account = findAccount(this.#sql, id, this.#now);
    this.#accounts.set(id, account);
    return account;
  }

  /** The accounts as they are after the decision. */
  move(decision: Decision): { from: Account; to: Account } {
    const after = moved(decision);
    this.#accounts.set(after.from.id, after.from);
    this.#accounts.set(after.to.id, after.to);
    return after;
  }
}

/** Money that moves, and the accounts as they are afterwards. */
export interface Posting {
  readonly after: { readonly from: Account; readonly to: Account };
  readonly amount: bigint;
  readonly annotation: Annotation;
}

/** Appends to the journal, in order, and tells the world. REQUIRES: the rules allow all of it. */
export async function append(context: WriteContext, postings: readonly Posting[]): Promise<Transfer[]> {
  const sql = statementsOf(context);
  const head = sql.get<{ position: bigint; hash: Uint8Array }>(HEAD);
  let position = head?.position ?? 0n;
  let hash = head === undefined ? FIRST_HASH : Buffer.from(head.hash).toString('hex');
  const time = BigInt(context.now);
  const changed = new Map<bigint, bigint>();
  const transfers: Transfer[] = [];
  for (const { after, amount, annotation } of postings) {
    const { from, to } = after;
    position += 1n;
    const transfer: Transfer = {
      position,
      id: await context.nextId('@journal'),
      kind: annotation.kind,
      from: from.id,
      to: to.id,
      currency: from.currency,
      amount,
      fromBalance: from.balance,
      toBalance: to.balance,
      reference: annotation.reference,
      externalId: annotation.externalId,
      hold: annotation.hold,
      reverses: annotation.reverses,
      time: context.now,
    };
    hash = chained(hash, transfer);
    sql.run(
      ADD,
      position,
      transfer.id,
      transfer.kind,
      from.number,
      to.number,
      transfer.currency,
      amount,
      from.balance,
      to.balance,
      transfer.reference,
      transfer.externalId,
      transfer.hold,
      transfer.reverses,
      time,
      Buffer.from(hash, 'hex'),
    );
    sql.run(ADD_SIDES, from.number, position, from.balance, to.number, position, to.balance);
    changed.set(from.number, from.balance);
    changed.set(to.number, to.balance);
    context.emit({
      type: 'transfer.created',
      subject: `transactions/${transfer.id}`,
      data: { ...transferView(transfer) },
    });
    transfers.push(transfer);
  }
  for (const [number, balance] of changed) sql.run(SET_BALANCE, balance, time, number);
  return transfers;
}
