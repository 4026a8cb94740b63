// Writes the changes of a group: one statement for each table, whatever the number of rows.

import type { Kysely } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { Hold } from '../model/hold.ts';
import type { AccountState } from './locked-rows.ts';
import type { BookChanges, NewTransfer } from './postgres-book.ts';

/** Throws the errors of PostgreSQL. */
export async function writeChanges(db: Kysely<Database>, changes: BookChanges): Promise<void> {
  const { created, changed, transfers, newHolds, endedHolds } = changes;
  if (created.length > 0) await insertAccounts(db, created);
  if (changed.length > 0) await updateAccounts(db, changed);
  if (transfers.length > 0) await insertTransfers(db, transfers);
  if (newHolds.length > 0) await insertHolds(db, newHolds);
  if (endedHolds.length > 0) await updateHolds(db, endedHolds);
}

const flag = (value: boolean): number => (value ? 1 : 0);

async function insertAccounts(db: Kysely<Database>, states: readonly AccountState[]): Promise<void> {
  const of = <T>(pick: (state: AccountState) => T): T[] => states.map(pick);
  await sql`
    insert into account (number, id, currency, allow_negative, closed, balance, held, created_at, updated_at)
    overriding system value
    select * from unnest(
      ${of(({ account }) => account.number)}::bigint[], ${of(({ account }) => account.id)}::text[],
      ${of(({ account }) => account.currency)}::text[], ${of(({ account }) => flag(account.allowNegative))}::bigint[],
      ${of(({ account }) => flag(account.closed))}::bigint[], ${of(({ account }) => account.balance)}::bigint[],
      ${of(({ reserved }) => reserved)}::bigint[], ${of(({ account }) => account.createdAt)}::bigint[],
      ${of(({ account }) => account.updatedAt)}::bigint[])`.execute(db);
}

async function updateAccounts(db: Kysely<Database>, states: readonly AccountState[]): Promise<void> {
  const of = <T>(pick: (state: AccountState) => T): T[] => states.map(pick);
  await sql`
    update account a set allow_negative = n.allow_negative, closed = n.closed, balance = n.balance, held = n.held,
      updated_at = greatest(a.updated_at, n.updated_at)
    from unnest(
      ${of(({ account }) => account.number)}::bigint[], ${of(({ account }) => flag(account.allowNegative))}::bigint[],
      ${of(({ account }) => flag(account.closed))}::bigint[], ${of(({ account }) => account.balance)}::bigint[],
      ${of(({ reserved }) => reserved)}::bigint[], ${of(({ account }) => account.updatedAt)}::bigint[])
      as n (number, allow_negative, closed, balance, held, updated_at)
    where a.number = n.number`.execute(db);
}

async function insertTransfers(db: Kysely<Database>, transfers: readonly NewTransfer[]): Promise<void> {
  const of = <T>(pick: (one: NewTransfer) => T): T[] => transfers.map(pick);
  await sql`
    insert into transfer (id, kind, from_account, to_account, currency, amount, reference, external_id, hold, reverses, time)
    select id, kind, from_account, to_account, currency, amount, reference, external_id, hold, reverses, time
    from unnest(
      ${of(({ transfer }) => transfer.id)}::text[], ${of(({ transfer }) => transfer.kind)}::text[],
      ${of(({ fromNumber }) => fromNumber)}::bigint[], ${of(({ toNumber }) => toNumber)}::bigint[],
      ${of(({ transfer }) => transfer.currency)}::text[], ${of(({ transfer }) => transfer.amount)}::bigint[],
      ${of(({ transfer }) => transfer.reference)}::text[], ${of(({ transfer }) => transfer.externalId)}::text[],
      ${of(({ transfer }) => transfer.hold)}::text[], ${of(({ transfer }) => transfer.reverses)}::text[],
      ${of(({ transfer }) => transfer.time)}::bigint[])
      with ordinality as n (id, kind, from_account, to_account, currency, amount, reference, external_id, hold, reverses, time, at)
    order by at`.execute(db);
}

async function insertHolds(db: Kysely<Database>, holds: readonly Hold[]): Promise<void> {
  const of = <T>(pick: (hold: Hold) => T): T[] => holds.map(pick);
  await sql`
    insert into hold (id, from_account, to_account, currency, amount, status, expires_at, reference, transfer, created_at, updated_at)
    select * from unnest(
      ${of(({ id }) => id)}::text[], ${of(({ fromNumber }) => fromNumber)}::bigint[],
      ${of(({ toNumber }) => toNumber)}::bigint[], ${of(({ currency }) => currency)}::text[],
      ${of(({ amount }) => amount)}::bigint[], ${of(({ status }) => status)}::text[],
      ${of(({ expiresAt }) => expiresAt)}::bigint[], ${of(({ reference }) => reference)}::text[],
      ${of(({ transfer }) => transfer)}::text[], ${of(({ createdAt }) => createdAt)}::bigint[],
      ${of(({ updatedAt }) => updatedAt)}::bigint[])`.execute(db);
}

async function updateHolds(db: Kysely<Database>, holds: readonly Hold[]): Promise<void> {
  const of = <T>(pick: (hold: Hold) => T): T[] => holds.map(pick);
  await sql`
    update hold h set status = n.status, transfer = n.transfer, updated_at = n.updated_at
    from unnest(
      ${of(({ id }) => id)}::text[], ${of(({ status }) => status)}::text[],
      ${of(({ transfer }) => transfer)}::text[], ${of(({ updatedAt }) => updatedAt)}::bigint[])
      as n (id, status, transfer, updated_at)
    where h.id = n.id`.execute(db);
}
