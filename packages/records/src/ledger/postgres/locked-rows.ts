// Locks and reads the rows that a group of calls refers to. Accounts are locked in the order of their numbers, so that no two
// groups wait for each other.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { Account } from '../model/account.ts';
import type { HoldRow } from '../model/hold.ts';
import { MOST_MINOR } from '../model/money.ts';
import { accountRows, type CurrentAccountRow, currentAccount } from './account-rows.ts';
import {
  findHolds,
  type LockMode,
  type NamedCall,
  type ReversibleTransfer,
  referencesOf,
  stronger,
} from './references.ts';

/** An account as it is now, with what all its pending holds reserve, expired or not. */
export interface AccountState {
  readonly account: Account;
  readonly reserved: bigint;
}

/** The rows, as they are while the accounts are locked. */
export interface LockedRows {
  readonly accounts: readonly AccountState[];
  readonly transfers: readonly ReversibleTransfer[];
  readonly holds: readonly HoldRow[];
  readonly takenExternalIds: readonly string[];
  /** Numbers for new accounts. */
  readonly newNumbers: readonly bigint[];
  /** Read when all was locked, and not before the newest change of an account. */
  readonly now: number;
}

/** A balance beyond this is so near to its bound that its account is not shared. */
const NEAR = MOST_MINOR / 2n;

const STATEMENTS: Readonly<Record<LockMode, string>> = {
  share: 'for key share',
  update: 'for no key update',
  alone: 'for update',
};

/** Locks and reads. Without `lock` it only reads, in the snapshot of the transaction. */
export async function readRows(
  db: Kysely<Database>,
  calls: readonly NamedCall[],
  now: number,
  lock: boolean,
): Promise<LockedRows> {
  const references = await referencesOf(db, calls, now);
  const { rows: found } = await sql<{ number: bigint; id: string; allow_negative: bigint }>`
    select number, id, allow_negative from account
    where id = any(${[...references.byId.keys()]}) or number = any(${[...references.byNumber.keys()]})`.execute(
    db,
  );
  const modes = new Map<bigint, LockMode>();
  for (const { number, id, allow_negative } of found) {
    const weakest = stronger(references.byId.get(id), references.byNumber.get(number));
    modes.set(number, allow_negative === 0n ? stronger(weakest, 'update') : weakest);
  }
  let rows: CurrentAccountRow[] = [];
  while (modes.size > 0) {
    if (lock) await lockAccounts(db, modes);
    // The time is read when all are locked.
    rows = await accountRows(db, sql`a.number = any(${[...modes.keys()]})`, lock ? undefined : now);
    if (!lock || !strengthenModes(rows, modes)) break;
  }
  return {
    accounts: rows.map((row) => ({ account: currentAccount(row), reserved: row.held })),
    transfers: references.transfers,
    holds: await findHolds(db, references.holds, undefined),
    takenExternalIds: await takenAmong(db, references.externalIds),
    newNumbers: lock ? await newNumbers(db, references.newAccounts) : [],
    now: rows.reduce((newest, row) => Math.max(newest, Number(row.now), Number(row.updated_at)), now),
  };
}

/** Neighbours with the same kind of lock share a statement. */
async function lockAccounts(db: Kysely<Database>, modes: ReadonlyMap<bigint, LockMode>): Promise<void> {
  const runs: { readonly mode: LockMode; readonly numbers: bigint[] }[] = [];
  for (const [number, mode] of [...modes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const last = runs.at(-1);
    if (last?.mode === mode) last.numbers.push(number);
    else runs.push({ mode, numbers: [number] });
  }
  for (const { mode, numbers } of runs) {
    await sql`select 1 from account where number = any(${numbers}) order by number ${sql.raw(STATEMENTS[mode])}`.execute(
      db,
    );
  }
}

/** Raises the locks that turn out to be too weak; true where there are any. */
function strengthenModes(rows: readonly CurrentAccountRow[], modes: Map<bigint, LockMode>): boolean {
  let changed = false;
  for (const { number, allow_negative, balance } of rows) {
    const mode = modes.get(number)!;
    const near = balance > NEAR || balance < -NEAR;
    const needed = allow_negative === 0n ? 'update' : near ? 'alone' : 'share';
    if (stronger(mode, needed) === mode) continue;
    modes.set(number, needed);
    changed = true;
  }
  return changed;
}

async function newNumbers(db: Kysely<Database>, count: number): Promise<bigint[]> {
  if (count === 0) return [];
  const { rows } = await sql<{ number: bigint }>`
    select nextval(pg_get_serial_sequence('account', 'number')) as number
    from generate_series(1, ${count})`.execute(db);
  return rows.map(({ number }) => number);
}

async function takenAmong(db: Kysely<Database>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ external_id: string }>`
    select external_id from transfer where external_id = any(${ids})`.execute(db);
  return rows.map(({ external_id }) => external_id);
}
