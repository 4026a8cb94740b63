// How is the journal found by account and by currency? By lists that follow it a stretch at a time, each stretch written by
// one statement and in the order of the list: so a transfer does not pay for them alone. What they do not have yet is the
// tail of the journal, which is short and can be read as it is.

import type { ReadContext, Statements } from '../operation.ts';

/** Transfers of the tail at most, between groups: reading it all takes less than a millisecond. */
const STRETCH = 1_024n;

const READ = "SELECT position FROM journal_mark WHERE name = 'lists'";
const WRITE = "UPDATE journal_mark SET position = ? WHERE name = 'lists'";
const SIDES =
  'INSERT INTO entry_side (account, position, balance) ' +
  'SELECT from_account, position, from_balance FROM transfer WHERE position > ?1 AND position <= ?2 UNION ALL ' +
  'SELECT to_account, position, to_balance FROM transfer WHERE position > ?1 AND position <= ?2 ORDER BY 1, 2';
const CURRENCIES =
  'INSERT INTO currency_entry (currency, position) ' +
  'SELECT currency, position FROM transfer WHERE position > ?1 AND position <= ?2 ORDER BY 1, 2';

/** The writing side of the lists. */
export class Lists {
  readonly #sql: Statements;
  /** What they hold: everything up to this position. */
  #mark: bigint | undefined;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The journal ends at `position` now: the lists follow when there is a stretch of it. */
  reach(position: bigint): void {
    this.#mark ??= this.#sql.get<{ position: bigint }>(READ)!.position;
    if (position - this.#mark < STRETCH) return;
    this.#sql.run(SIDES, this.#mark, position);
    this.#sql.run(CURRENCIES, this.#mark, position);
    this.#sql.run(WRITE, position);
    this.#mark = position;
  }

  /** Something was rolled back. */
  forget(): void {
    this.#mark = undefined;
  }
}

/** Up to where the lists hold the journal; what is behind it is in the journal alone. */
export async function listedUpTo({ db }: Pick<ReadContext, 'db'>): Promise<bigint> {
  const row = await db
    .selectFrom('journal_mark')
    .select('position')
    .where('name', '=', 'lists')
    .executeTakeFirst();
  return row?.position ?? 0n;
}
