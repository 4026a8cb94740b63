// Reads accounts as they are now. The balance of an account that cannot go negative is in its row. The balance of one that can
// is the one after its last transfer of the journal, plus the transfers that have no position yet.

import type { Kysely, RawBuilder } from 'kysely';
import type { Database } from '../../schema/database.ts';
import { sql } from '../../schema/kysely.ts';
import { type Account, type AccountRow, accountOfRow } from '../model/account.ts';

/** The balance of an account `a` of any kind. */
export function currentBalance(): RawBuilder<bigint> {
  return sql<bigint>`
    case when a.allow_negative = 0 then a.balance else
      coalesce((select s.balance from entry_side s where s.account = a.number order by s.position desc limit 1), 0)
      + coalesce((select sum(t.amount) from transfer t where t.to_account = a.number and t.position is null), 0)
      - coalesce((select sum(t.amount) from transfer t where t.from_account = a.number and t.position is null), 0)
    end`;
}

/** The time at which a statement began, in ms since 1970. */
function statementTime(): RawBuilder<bigint> {
  return sql<bigint>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;
}

/** The amount that expired holds, which are not marked yet, still reserve of an account `a`. */
function expiredAt(time: RawBuilder<bigint>): RawBuilder<bigint> {
  return sql<bigint>`
    case when a.held = 0 then 0 else
      coalesce((select sum(h.amount) from hold h
        where h.from_account = a.number and h.status = 'pending' and h.expires_at <= ${time}), 0)
    end`;
}

/** A row with its current balance and the expired part of `held`. */
export interface CurrentAccountRow extends AccountRow {
  readonly expired: bigint;
  /** The time of the row, ms since 1970. */
  readonly now: bigint;
}

/**
 * Accounts as they are at `now` or, without it, when the statement begins. `condition` is about `a`, and may order and limit.
 */
export async function accountRows(
  db: Kysely<Database>,
  condition: RawBuilder<unknown>,
  now: number | undefined,
): Promise<CurrentAccountRow[]> {
  const time = now === undefined ? statementTime() : sql<bigint>`${BigInt(now)}::bigint`;
  const { rows } = await sql<CurrentAccountRow>`
    select a.number, a.id, a.currency, a.allow_negative, a.closed, ${currentBalance()} as balance, a.held,
      ${expiredAt(time)} as expired, ${time} as now, a.created_at, a.updated_at
    from account a where ${condition}`.execute(db);
  return rows;
}

export function currentAccount(row: CurrentAccountRow): Account {
  return accountOfRow(row, row.held - row.expired);
}
