// Which writing operations has a ledger that several processes write, and how do they run? Together: what a group refers
// to is locked and read at once, changed in memory, and written at once.

import type { Kysely } from 'kysely';
import type { NewEvent } from '../../contracts/events.ts';
import type { Database } from '../../schema/database.ts';
import { changeFlags, openAccount } from '../core/account-decisions.ts';
import { expire, giveUp, post, reserve } from '../core/hold-decisions.ts';
import { takeBack, transferAll } from '../core/transfer-decisions.ts';
import type { Transfer, TransferRequest } from '../model/transfer.ts';
import type { AccountChange, NewAccount } from '../operations/account-operations.ts';
import type { HoldRequest } from '../operations/hold-operations.ts';
import { groundOf } from './locked-rows.ts';
import { Book } from './postgres-book.ts';
import { transfersWith } from './postgres-reads.ts';
import type { LedgerCall } from './references.ts';
import { writeChanges } from './write-changes.ts';

/** Writing operations by name. */
export const SEVERAL_WRITES: ReadonlySet<string> = new Set([
  'ledger.createAccount',
  'ledger.changeAccount',
  'ledger.transfer',
  'ledger.batch',
  'ledger.reverse',
  'ledger.hold',
  'ledger.postHold',
  'ledger.voidHold',
  'ledger.expireHolds',
]);

/** A group of calls, while it runs. */
export interface LedgerGroup {
  /** The time of all of it. */
  readonly now: number;
  /** Throws RecordsError; then nothing has changed. */
  run(call: LedgerCall): unknown;
  /** Writes what the calls came to. */
  write(): Promise<void>;
}

/** Locks and reads what the calls refer to. */
export async function openGroup(
  db: Kysely<Database>,
  calls: readonly LedgerCall[],
  now: number,
  emit: (event: NewEvent) => void,
): Promise<LedgerGroup> {
  const ground = await groundOf(db, calls, now, true);
  const book = new Book(ground, emit);
  return {
    now: ground.now,
    run: (call) => run(book, call),
    write: () => writeChanges(db, book.changes()),
  };
}

function run(book: Book, { name, args }: LedgerCall): unknown {
  switch (name) {
    case 'ledger.transfer':
      return transferAll(book, [args as TransferRequest], () => '')[0];
    case 'ledger.batch':
      return transferAll(
        book,
        (args as { transfers: readonly TransferRequest[] }).transfers,
        (at) => `transfers[${at}].`,
      );
    case 'ledger.reverse':
      return takeBack(book, args as Parameters<typeof takeBack>[1]);
    case 'ledger.hold':
      return reserve(book, args as HoldRequest);
    case 'ledger.postHold':
      return post(book, args as Parameters<typeof post>[1]);
    case 'ledger.voidHold':
      return giveUp(book, (args as { id: string }).id);
    case 'ledger.expireHolds':
      return expire(book);
    case 'ledger.createAccount':
      return openAccount(book, args as NewAccount);
    case 'ledger.changeAccount':
      return changeFlags(book, args as AccountChange);
    default:
      throw new Error(`the ledger has no operation ${name}`);
  }
}

/** Results with the places that their transfers have in the journal by now, and the balances after them. */
export async function withPlaces(db: Kysely<Database>, results: readonly unknown[]): Promise<unknown[]> {
  const ids = results.flatMap(transfersIn).map(({ id }) => id);
  const known = new Map((await transfersWith(db, ids)).map((transfer) => [transfer.id, transfer]));
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed);
    if (isTransfer(value)) return known.get(value.id) ?? value;
    if (isPosted(value)) return { ...value, transfer: placed(value.transfer) };
    return value;
  };
  return results.map(placed);
}

/** True where a result has transfers in it. */
export function hasTransfers(result: unknown): boolean {
  return transfersIn(result).length > 0;
}

function transfersIn(value: unknown): Transfer[] {
  if (Array.isArray(value)) return value.filter(isTransfer);
  if (isTransfer(value)) return [value];
  return isPosted(value) ? [value.transfer] : [];
}

function isTransfer(value: unknown): value is Transfer {
  return typeof value === 'object' && value !== null && 'fromBalance' in value;
}

function isPosted(value: unknown): value is { readonly transfer: Transfer } {
  return typeof value === 'object' && value !== null && 'transfer' in value && isTransfer(value.transfer);
}
