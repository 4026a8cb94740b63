// Appends committed transfers to the journal: positions, the balances after each, and hashes over all that
// came before. One process does it at a time, with four statements for a block of transfers.

import { Buffer } from 'node:buffer';
import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { FIRST_HASH, hashAfterRow } from '../core/journal-chain.ts';
import { TRANSFER_JOIN, type TransferRow, transferOfRow } from '../model/transfer.ts';

/** Transfers of a block. */
const BLOCK = 1_000;

interface WaitingRow extends TransferRow {
  readonly number: bigint;
  readonly from_account: bigint;
  readonly to_account: bigint;
}

interface SequencedTransfer {
  readonly number: bigint;
  readonly position: bigint;
  readonly fromAccount: bigint;
  readonly toAccount: bigint;
  readonly fromBalance: bigint;
  readonly toBalance: bigint;
  readonly hash: Uint8Array;
  readonly journalTime: bigint;
}

/**
 * Appends committed transfers to the journal. True where there may be more. REQUIRES: inside a transaction that
 * keeps other sequencers out.
 */
export async function extendJournal(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<WaitingRow>`
    select t.number, t.position, t.id, t.kind, f.id as "from", o.id as "to", t.from_account, t.to_account, t.currency,
      t.amount, t.from_balance, t.to_balance, t.reference, t.external_id, t.hold, t.reverses, t.time
    from transfer t ${sql.raw(TRANSFER_JOIN)} where t.position is null order by t.number limit ${BLOCK}`.execute(
    db,
  );
  if (rows.length === 0) return false;
  await write(db, await sequence(db, rows));
  return rows.length === BLOCK;
}

async function sequence(db: Kysely<Database>, rows: readonly WaitingRow[]): Promise<SequencedTransfer[]> {
  const last = await sql<{ position: bigint; hash: Uint8Array; journal_time: bigint }>`
    select position, hash, journal_time from transfer where position is not null
    order by position desc limit 1`.execute(db);
  const head = last.rows[0];
  let position = head?.position ?? 0n;
  let hash = head === undefined ? FIRST_HASH : Buffer.from(head.hash).toString('hex');
  let time = head?.journal_time ?? 0n;
  const balances = await balancesOf(db, [
    ...new Set(rows.flatMap((row) => [row.from_account, row.to_account])),
  ]);
  return rows.map((row) => {
    position += 1n;
    if (row.time > time) time = row.time;
    const fromBalance = (balances.get(row.from_account) ?? 0n) - row.amount;
    const toBalance = (balances.get(row.to_account) ?? 0n) + row.amount;
    balances.set(row.from_account, fromBalance);
    balances.set(row.to_account, toBalance);
    const { number, from_account: fromAccount, to_account: toAccount } = row;
    hash = hashAfterRow(
      hash,
      transferOfRow({ ...row, position, from_balance: fromBalance, to_balance: toBalance }),
    );
    return {
      number,
      position,
      fromAccount,
      toAccount,
      fromBalance,
      toBalance,
      hash: Buffer.from(hash, 'hex'),
      journalTime: time,
    };
  });
}

/** Balances after the last transfer of the journal. */
async function balancesOf(db: Kysely<Database>, accounts: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const { rows } = await sql<{ account: bigint; balance: bigint }>`
    select n.account, s.balance from unnest(${accounts}::bigint[]) as n (account)
    cross join lateral
      (select balance from entry_side where account = n.account order by position desc limit 1) s`.execute(
    db,
  );
  return new Map(rows.map(({ account, balance }) => [account, balance]));
}

async function write(db: Kysely<Database>, all: readonly SequencedTransfer[]): Promise<void> {
  const of = <T>(pick: (one: SequencedTransfer) => T): T[] => all.map(pick);
  const positions = of(({ position }) => position);
  await sql`
    update transfer t set position = n.position, from_balance = n.from_balance, to_balance = n.to_balance,
      hash = n.hash, journal_time = n.journal_time
    from unnest(
      ${of(({ number }) => number)}::bigint[], ${positions}::bigint[],
      ${of(({ fromBalance }) => fromBalance)}::bigint[], ${of(({ toBalance }) => toBalance)}::bigint[],
      ${of(({ hash }) => hash)}::bytea[], ${of(({ journalTime }) => journalTime)}::bigint[])
      as n (number, position, from_balance, to_balance, hash, journal_time)
    where t.number = n.number`.execute(db);
  await sql`
    insert into entry_side (account, position, balance)
    select from_account, position, from_balance from unnest(
      ${of(({ fromAccount }) => fromAccount)}::bigint[], ${positions}::bigint[],
      ${of(({ fromBalance }) => fromBalance)}::bigint[]) as n (from_account, position, from_balance)
    union all
    select to_account, position, to_balance from unnest(
      ${of(({ toAccount }) => toAccount)}::bigint[], ${positions}::bigint[],
      ${of(({ toBalance }) => toBalance)}::bigint[]) as n (to_account, position, to_balance)`.execute(db);
}
