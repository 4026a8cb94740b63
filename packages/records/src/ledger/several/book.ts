// What do calls come to, one after the other? The accounts and holds that they refer to, in memory, changed by the rules of
// the ledger; written down when all have run. A call that is refused has changed nothing.

import { RecordsError } from '../../errors.ts';
import type { NewEvent } from '../../events.ts';
import { randomBits } from '../../ids/random.ts';
import { Uuid7Sequence } from '../../ids/uuid.ts';
import { requireSeen } from '../../precondition.ts';
import { type Account, accountView } from '../account.ts';
import type { AccountChange, NewAccount } from '../accounts.ts';
import { checkMoney, digitsOf } from '../currency.ts';
import { type Hold, type HoldRow, type HoldStatus, holdOf, holdView } from '../hold.ts';
import type { HoldRequest } from '../holds.ts';
import { MOST_MINOR, minorUnits, moneyText, readMoneyForm } from '../money.ts';
import { checkFunds, checkOpen, checkOverflow, type Decision, decide, missing, moved } from '../rules.ts';
import { type Transfer, type TransferKind, type TransferRequest, transferView } from '../transfer.ts';
import { transferNotFound } from '../transfers.ts';
import type { GroundOfGroup } from './ground.ts';
import { EXPIRE_AT_ONCE, type LedgerCall, type OldTransfer } from './needs.ts';

/** A transfer without its place in the journal, as it is written. */
export interface NewTransfer {
  readonly transfer: Transfer;
  readonly fromNumber: bigint;
  readonly toNumber: bigint;
}

/** An account as it is now, with what is held of it, expired or not. */
export interface AccountState {
  readonly account: Account;
  readonly held: bigint;
}

/** What is to be written. */
export interface BookChanges {
  readonly created: readonly AccountState[];
  /** Accounts that were there before. */
  readonly changed: readonly AccountState[];
  readonly transfers: readonly NewTransfer[];
  readonly newHolds: readonly Hold[];
  readonly changedHolds: readonly Hold[];
}

/** Ids of transfers and holds: they need not rise from process to process, positions do. */
const ids = new Uuid7Sequence(undefined, randomBits());

interface Annotation {
  readonly kind: TransferKind;
  readonly reference?: string | null | undefined;
  readonly externalId?: string | undefined;
  readonly hold?: string;
  readonly reverses?: string;
}

/** The ledger as a group of calls sees it. */
export class Book {
  readonly #now: number;
  readonly #accounts = new Map<string, Account>();
  readonly #names = new Map<bigint, string>();
  readonly #heldRaw: Map<bigint, bigint>;
  readonly #old: ReadonlyMap<string, OldTransfer>;
  readonly #holds: Map<string, Hold>;
  readonly #due: readonly string[];
  readonly #externalIds: Set<string>;
  readonly #reversals = new Map<string, string>();
  readonly #newNumbers: bigint[];
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #transfers: NewTransfer[] = [];
  readonly #newHolds = new Set<string>();
  readonly #changedHolds = new Set<string>();
  readonly #emit: (event: NewEvent) => void;

  constructor(ground: GroundOfGroup, emit: (event: NewEvent) => void) {
    this.#now = ground.now;
    for (const account of ground.accounts) this.#put(account);
    this.#heldRaw = new Map(ground.heldRaw);
    this.#old = new Map(ground.transfers.map((transfer) => [transfer.id, transfer]));
    this.#holds = new Map(ground.holds.map((row) => [row.id, holdOf(row, ground.now)]));
    this.#due = ground.holds.filter((row) => isDue(row, ground.now)).map(({ id }) => id);
    this.#externalIds = new Set(ground.takenExternalIds);
    this.#newNumbers = [...ground.newNumbers];
    this.#emit = emit;
  }

  /** Throws RecordsError; then nothing has changed. */
  run({ name, args }: LedgerCall): unknown {
    switch (name) {
      case 'ledger.transfer':
        return this.transfers([args as TransferRequest], () => '')[0];
      case 'ledger.batch':
        return this.transfers(
          (args as { transfers: readonly TransferRequest[] }).transfers,
          (at) => `transfers[${at}].`,
        );
      case 'ledger.reverse':
        return this.#reverse(args as { id: string; reference?: string });
      case 'ledger.hold':
        return this.#hold(args as HoldRequest);
      case 'ledger.postHold':
        return this.#post(args as { id: string; money?: string; reference?: string });
      case 'ledger.voidHold':
        return this.#void((args as { id: string }).id);
      case 'ledger.expireHolds':
        return this.#expire();
      case 'ledger.createAccount':
        return this.#create(args as NewAccount);
      case 'ledger.changeAccount':
        return this.#change(args as AccountChange);
      default:
        throw new Error(`the ledger has no operation ${name}`);
    }
  }

  changes(): BookChanges {
    const states = (names: ReadonlySet<string>): AccountState[] =>
      [...names].map((id) => {
        const account = this.#accounts.get(id)!;
        return { account, held: this.#heldRaw.get(account.number) ?? 0n };
      });
    const holds = (names: ReadonlySet<string>): Hold[] => [...names].map((id) => this.#holds.get(id)!);
    return {
      created: states(this.#created),
      changed: states(this.#changed).filter(({ account }) => !this.#created.has(account.id)),
      transfers: this.#transfers,
      newHolds: holds(this.#newHolds),
      // Nobody knows the id of a new hold before it is committed.
      changedHolds: holds(this.#changedHolds),
    };
  }

  /** All of them, or none. */
  transfers(requests: readonly TransferRequest[], fieldsOf: (at: number) => string): Transfer[] {
    const accounts = new Map<string, Account>();
    const externalIds = new Set<string>();
    const decisions: Decision[] = [];
    for (const [at, request] of requests.entries()) {
      const { from, to, externalId } = request;
      const ground = {
        from: accounts.get(from) ?? this.#accounts.get(from),
        to: accounts.get(to) ?? this.#accounts.get(to),
        externalIdTaken:
          externalId !== undefined && (externalIds.has(externalId) || this.#externalIds.has(externalId)),
      };
      const decision = decide(request, ground, fieldsOf(at));
      const after = moved(decision);
      accounts.set(from, after.from);
      accounts.set(to, after.to);
      if (externalId !== undefined) externalIds.add(externalId);
      decisions.push(decision);
    }
    return decisions.map((decision, at) => {
      const { reference, externalId } = requests[at]!;
      return this.#move(decision, { kind: 'transfer', reference, externalId });
    });
  }

  #move(decision: Decision, annotation: Annotation): Transfer {
    const { from, to } = moved(decision);
    const transfer: Transfer = {
      position: 0n,
      id: ids.next(this.#now),
      kind: annotation.kind,
      from: from.id,
      to: to.id,
      currency: from.currency,
      amount: decision.amount,
      fromBalance: from.balance,
      toBalance: to.balance,
      reference: annotation.reference ?? null,
      externalId: annotation.externalId ?? null,
      hold: annotation.hold ?? null,
      reverses: annotation.reverses ?? null,
      time: this.#now,
    };
    this.#transfers.push({ transfer, fromNumber: from.number, toNumber: to.number });
    if (annotation.externalId !== undefined) this.#externalIds.add(annotation.externalId);
    for (const account of [from, to]) this.#touch(account);
    const data = { ...transferView(transfer) };
    this.#emit({ type: 'transfer.created', subject: `transactions/${transfer.id}`, data });
    return transfer;
  }

  #reverse({ id, reference }: { readonly id: string; readonly reference?: string }): Transfer {
    const old = this.#old.get(id);
    if (old === undefined) throw transferNotFound(id);
    const reversal = old.reversal ?? this.#reversals.get(id);
    if (reversal !== undefined)
      throw new RecordsError('already-reversed', `${id} was reversed by ${reversal}.`, {
        extra: { reversal },
      });
    const { amount } = old;
    const from = this.#numbered(old.to_account);
    const to = this.#numbered(old.from_account);
    checkOpen(from, 'id');
    checkOpen(to, 'id');
    checkFunds(from, amount, 'id');
    checkOverflow(from, to, amount, 'id');
    const transfer = this.#move({ from, to, amount }, { kind: 'reversal', reference, reverses: id });
    this.#reversals.set(id, transfer.id);
    return transfer;
  }

  #hold(request: HoldRequest): Hold {
    const ground = {
      from: this.#accounts.get(request.from),
      to: this.#accounts.get(request.to),
      externalIdTaken: false,
    };
    const { from, to, amount } = decide(request, ground);
    if ((this.#heldRaw.get(from.number) ?? 0n) + amount > MOST_MINOR)
      throw new RecordsError('balance-overflow', `What is held of ${from.id} would be beyond 2^63.`, {
        field: 'money',
      });
    if (request.expiresAt !== undefined && request.expiresAt <= this.#now)
      throw new RecordsError('invalid-parameter', 'expires_at must lie in the future.', {
        field: 'expires_at',
      });
    const hold: Hold = {
      id: ids.next(this.#now),
      from: from.id,
      to: to.id,
      fromNumber: from.number,
      toNumber: to.number,
      currency: from.currency,
      amount,
      status: 'pending',
      expiresAt: request.expiresAt ?? null,
      reference: request.reference ?? null,
      transfer: null,
      createdAt: this.#now,
      updatedAt: this.#now,
    };
    this.#reserve(from, amount, amount);
    this.#holds.set(hold.id, hold);
    this.#newHolds.add(hold.id);
    this.#tell('hold.created', hold);
    return hold;
  }

  #post({
    id,
    money,
    reference,
  }: {
    readonly id: string;
    readonly money?: string;
    readonly reference?: string;
  }): {
    hold: Hold;
    transfer: Transfer;
  } {
    const hold = this.#pending(id);
    const amount = money === undefined ? hold.amount : partOf(hold, money);
    const from = this.#numbered(hold.fromNumber);
    const to = this.#numbered(hold.toNumber);
    checkOpen(from, 'id');
    checkOpen(to, 'id');
    checkOverflow(from, to, amount, 'money');
    this.#reserve(from, -hold.amount, -hold.amount);
    const transfer = this.#move(
      { from: this.#numbered(hold.fromNumber), to, amount },
      { kind: 'post', reference: reference ?? hold.reference, hold: id },
    );
    return { hold: this.#end(hold, 'posted', transfer.id), transfer };
  }

  #void(id: string): Hold {
    const hold = this.#pending(id);
    this.#reserve(this.#numbered(hold.fromNumber), -hold.amount, -hold.amount);
    return this.#end(hold, 'voided', null);
  }

  #expire(): boolean {
    let count = 0;
    for (const id of this.#due) {
      const hold = this.#holds.get(id)!;
      if (this.#changedHolds.has(id)) continue;
      // What has expired is not in `held` of the account any more, only in that of the row.
      this.#reserve(this.#numbered(hold.fromNumber), 0n, -hold.amount);
      this.#end(hold, 'expired', null);
      count += 1;
    }
    return count === EXPIRE_AT_ONCE;
  }

  #create({ id, currency, allowNegative = false }: NewAccount): Account {
    checkMoney(currency);
    if (this.#accounts.has(id))
      throw new RecordsError('already-exists', `There is an account ${id} already.`, { field: 'id' });
    const account: Account = {
      number: this.#newNumbers.pop()!,
      id,
      currency,
      allowNegative,
      closed: false,
      balance: 0n,
      held: 0n,
      createdAt: this.#now,
      updatedAt: this.#now,
    };
    this.#put(account);
    this.#created.add(id);
    this.#emit({ type: 'account.created', subject: `accounts/${id}`, data: { ...accountView(account) } });
    return account;
  }

  #change(change: AccountChange): Account {
    const account = this.#accounts.get(change.id) ?? missing(change.id, 'id');
    requireSeen(account, change.onlyIf);
    const { closed = account.closed, allowNegative = account.allowNegative } = change;
    if (closed && !account.closed && (account.balance !== 0n || account.held !== 0n))
      throw new RecordsError(
        'account-not-empty',
        `The account ${account.id} has a balance or pending holds: bring both to zero, then close it.`,
        { field: 'closed' },
      );
    if (account.allowNegative && !allowNegative && account.balance - account.held < 0n)
      throw new RecordsError(
        'insufficient-funds',
        `The account ${account.id} is below zero now: it must be brought to zero first.`,
        { field: 'allow_negative' },
      );
    if (closed === account.closed && allowNegative === account.allowNegative) return account;
    const changed = { ...account, closed, allowNegative, updatedAt: this.#now };
    this.#touch(changed);
    // Also one that may go negative, whose row is not written for its balance.
    this.#changed.add(changed.id);
    this.#emit({
      type: 'account.updated',
      subject: `accounts/${account.id}`,
      data: { ...accountView(changed) },
    });
    return changed;
  }

  #reserve(account: Account, held: bigint, raw: bigint): void {
    this.#put({ ...account, held: account.held + held, updatedAt: this.#now });
    this.#heldRaw.set(account.number, (this.#heldRaw.get(account.number) ?? 0n) + raw);
    this.#changed.add(account.id);
  }

  #pending(id: string): Hold {
    const hold = this.#holds.get(id);
    if (hold === undefined)
      throw new RecordsError('hold-not-found', `There is no hold ${id}.`, { field: 'id' });
    if (hold.status === 'pending') return hold;
    throw new RecordsError('hold-not-pending', `The hold ${id} is ${hold.status}.`, {
      field: 'id',
      extra: { hold_status: hold.status },
    });
  }

  #end(hold: Hold, status: Exclude<HoldStatus, 'pending'>, transfer: string | null): Hold {
    const ended = { ...hold, status, transfer, updatedAt: this.#now };
    this.#holds.set(hold.id, ended);
    this.#changedHolds.add(hold.id);
    this.#tell(`hold.${status}`, ended);
    return ended;
  }

  #tell(type: 'hold.created' | 'hold.posted' | 'hold.voided' | 'hold.expired', hold: Hold): void {
    this.#emit({ type, subject: `holds/${hold.id}`, data: { ...holdView(hold) } });
  }

  #touch(account: Account): void {
    this.#put({ ...account, updatedAt: this.#now });
    // The row of one that may go negative is shared: its balance is in the journal.
    if (!account.allowNegative) this.#changed.add(account.id);
  }

  #put(account: Account): void {
    this.#accounts.set(account.id, account);
    this.#names.set(account.number, account.id);
  }

  #numbered(number: bigint): Account {
    return this.#accounts.get(this.#names.get(number)!)!;
  }
}

function isDue({ status, expires_at }: HoldRow, now: number): boolean {
  return status === 'pending' && expires_at !== null && Number(expires_at) <= now;
}

function partOf(hold: Hold, money: string): bigint {
  const digits = digitsOf(hold.currency);
  const amount = minorUnits(readMoneyForm(money), digits, hold.currency);
  if (amount <= hold.amount) return amount;
  throw new RecordsError(
    'invalid-money',
    `money is more than was reserved, ${moneyText(hold.amount, digits)} ${hold.currency}.`,
    { field: 'money' },
  );
}
