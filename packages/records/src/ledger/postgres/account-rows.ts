// What is on an account now? Its row knows, unless it may go negative: then the journal knows, with what is still to come.

import type { Kysely, RawBuilder } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import type { Account, AccountRow } from '../model/account.ts';

/** The balance of an account `a` of any kind. */
export const BALANCE: RawBuilder<bigint> = sql<bigint>`
  case when a.allow_negative = 0 then a.balance else
    coalesce((select s.balance from entry_side s where s.account = a.number order by s.position desc limit 1), 0)
    + coalesce((select sum(t.amount) from transfer t where t.to_account = a.number and t.position is null), 0)
    - coalesce((select sum(t.amount) from transfer t where t.from_account = a.number and t.position is null), 0)
  end`;

/** The time at which a statement began, in ms since 1970. */
const STATEMENT_TIME: RawBuilder<bigint> = sql<bigint>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** What is held of an account `a` by holds that have expired at a time and are not marked yet. */
function expiredAt(time: RawBuilder<bigint>): RawBuilder<bigint> {
  return sql<bigint>`
    case when a.held = 0 then 0 else
      coalesce((select sum(h.amount) from hold h
        where h.from_account = a.number and h.status = 'pending' and h.expires_at <= ${time}), 0)
    end`;
}

/** A row with the balance of now and what has expired of `held`. */
export interface AccountNowRow extends AccountRow {
  readonly expired: bigint;
  /** The time of all this. */
  readonly now: bigint;
}

/**
 * Accounts as they are at `now` or, without it, when the statement begins; `condition` is about `a`, and may order and
 * limit.
 */
export async function accountRows(
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
  now: number | undefined,
): Promise<AccountNowRow[]> {
  const time = now === undefined ? STATEMENT_TIME : sql<bigint>`${BigInt(now)}::bigint`;
  const { rows } = await sql<AccountNowRow>`
    select a.number, a.id, a.currency, a.allow_negative, a.closed, ${BALANCE} as balance, a.held,
      ${expiredAt(time)} as expired, ${time} as now, a.created_at, a.updated_at
    from account a where ${condition}`.execute(db);
  return rows;
}

/** The account of a row. */
export function accountOfRow(row: AccountNowRow): Account {
  return {
    number: row.number,
    id: row.id,
    currency: row.currency,
    allowNegative: row.allow_negative !== 0n,
    closed: row.closed !== 0n,
    balance: row.balance,
    held: row.held - row.expired,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

/** One account; undefined where there is none. */
export async function accountNow(
  db: Kysely<Database>,
  id: string,
  now: number,
): Promise<Account | undefined> {
  const [row] = await accountRows(db, sql`a.id = ${id}`, now);
  return row === undefined ? undefined : accountOfRow(row);
}
