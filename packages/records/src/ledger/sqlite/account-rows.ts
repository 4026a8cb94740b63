// Reads accounts from their rows. A hold that has expired no longer counts as held, whether its row is marked or not.

import type { Statements } from '../../contracts/operation.ts';
import { type Account, type AccountRow, accountOfRow } from '../model/account.ts';

const BY_ID = 'SELECT * FROM account WHERE id = ?';
const EXPIRED =
  "SELECT coalesce(sum(amount), 0) AS amount FROM hold WHERE from_account = ? AND status = 'pending' AND expires_at <= ?";

/** The account as it is at `now`; undefined where there is none. */
export function findAccount(sql: Statements, id: string, now: number): Account | undefined {
  const stored = storedAccount(sql, id);
  return stored && accountAt(sql, stored, now);
}

/** The account as its row has it: `held` includes expired holds. */
export function storedAccount(sql: Statements, id: string): Account | undefined {
  const row = sql.get<AccountRow>(BY_ID, id);
  return row && accountOfRow(row, row.held);
}

/** An account as stored, without the holds that have expired by `now`. */
export function accountAt(sql: Statements, stored: Account, now: number): Account {
  if (stored.held === 0n) return stored;
  const { amount } = sql.get<{ amount: bigint }>(EXPIRED, stored.number, BigInt(now))!;
  return { ...stored, held: stored.held - amount };
}
