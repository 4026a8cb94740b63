// What do calls stand on? The accounts, holds and ids that they refer to, as they are while all of these are locked.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { Account } from '../model/account.ts';
import type { HoldRow } from '../model/hold.ts';
import { MOST_MINOR } from '../model/money.ts';
import { type AccountNowRow, accountOfRow, accountRows } from './account-rows.ts';
import {
  holdsWith,
  type LedgerCall,
  type LockMode,
  needsOf,
  type OldTransfer,
  stronger,
} from './references.ts';

/** What was found. */
export interface GroundOfGroup {
  readonly accounts: readonly Account[];
  /** Of each account, by number: `held` with what has expired and is not marked yet. */
  readonly heldRaw: ReadonlyMap<bigint, bigint>;
  readonly transfers: readonly OldTransfer[];
  readonly holds: readonly HoldRow[];
  readonly takenExternalIds: readonly string[];
  /** Numbers for accounts to be made. */
  readonly newNumbers: readonly bigint[];
  /** Read when all was locked, and not before the newest change of an account. */
  readonly now: number;
}

/** A balance beyond this is near enough to its bound that nobody shares the account. */
const NEAR = MOST_MINOR / 2n;

const STATEMENTS: Readonly<Record<LockMode, string>> = {
  share: 'for key share',
  update: 'for no key update',
  alone: 'for update',
};

/** Locks and reads. Without `lock` it only reads, in the snapshot of the transaction. */
export async function groundOf(
  db: Kysely<Database>,
  calls: readonly LedgerCall[],
  now: number,
  lock: boolean,
): Promise<GroundOfGroup> {
  const needs = await needsOf(db, calls, now);
  const wanted = await sql<{ number: bigint; id: string; allow_negative: bigint }>`
    select number, id, allow_negative from account
    where id = any(${[...needs.byId.keys()]}) or number = any(${[...needs.byNumber.keys()]})`.execute(db);
  const modes = new Map<bigint, LockMode>();
  for (const { number, id, allow_negative } of wanted.rows) {
    const least = stronger(needs.byId.get(id), needs.byNumber.get(number));
    modes.set(number, allow_negative === 0n ? stronger(least, 'update') : least);
  }
  let rows: AccountNowRow[] = [];
  while (modes.size > 0) {
    if (lock) await lockAccounts(db, modes);
    // The time is read when all are locked.
    rows = await accountRows(db, sql`a.number = any(${[...modes.keys()]})`, lock ? undefined : now);
    if (!lock || !raised(rows, modes)) break;
  }
  const [newNumbers, takenExternalIds, holds] = [
    lock ? await numbersFor(db, needs.newAccounts) : [],
    await takenOf(db, needs.externalIds),
    await holdsWith(db, needs.holds, undefined),
  ];
  return {
    accounts: rows.map(accountOfRow),
    heldRaw: new Map(rows.map(({ number, held }) => [number, held])),
    transfers: needs.transfers,
    holds,
    takenExternalIds,
    newNumbers,
    now: rows.reduce((newest, row) => Math.max(newest, Number(row.now), Number(row.updated_at)), now),
  };
}

/**
 * In the order of their numbers, whatever the lock, so that nobody waits in a circle. Neighbours with the same kind of
 * lock share a statement.
 */
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

/** True where an account turns out to need a stronger lock than it has; `modes` then says so. */
function raised(rows: readonly AccountNowRow[], modes: Map<bigint, LockMode>): boolean {
  let again = false;
  for (const { number, allow_negative, balance } of rows) {
    const mode = modes.get(number)!;
    const near = balance > NEAR || balance < -NEAR;
    const needed = allow_negative === 0n ? 'update' : near ? 'alone' : 'share';
    if (stronger(mode, needed) === mode) continue;
    modes.set(number, needed);
    again = true;
  }
  return again;
}

async function numbersFor(db: Kysely<Database>, count: number): Promise<bigint[]> {
  if (count === 0) return [];
  const { rows } = await sql<{ number: bigint }>`
    select nextval(pg_get_serial_sequence('account', 'number')) as number
    from generate_series(1, ${count})`.execute(db);
  return rows.map(({ number }) => number);
}

async function takenOf(db: Kysely<Database>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ external_id: string }>`
    select external_id from transfer where external_id = any(${ids})`.execute(db);
  return rows.map(({ external_id }) => external_id);
}
