// Answers the questions of the ledger on SQLite, from the tables as one snapshot shows them.

import type { Statements } from '../../contracts/operation.ts';
import { lowestUuid7 } from '../../ids/uuid.ts';
import type { JournalReport } from '../core/journal-audit.ts';
import type { LedgerView } from '../core/ledger-book.ts';
import type { LedgerReads, TransferConditions, Walk } from '../core/ledger-reads.ts';
import { type Account, type AccountRow, accountOfRow } from '../model/account.ts';
import type { Hold } from '../model/hold.ts';
import type { Transfer } from '../model/transfer.ts';
import { accountAt, findAccount } from './account-rows.ts';
import { findTransfer, JournalReader } from './journal-reader.ts';
import { auditSqlite } from './sqlite-audit.ts';
import { findHold } from './sqlite-book.ts';
import { walkTransfers } from './transfer-walk.ts';

const TAKEN = 'SELECT 1 FROM transfer WHERE external_id = ?';

/** See above. */
export class SqliteReads implements LedgerReads {
  readonly #sql: Statements;
  readonly #now: number;

  constructor(sql: Statements, now: number) {
    this.#sql = sql;
    this.#now = now;
  }

  account(id: string): Account | undefined {
    return findAccount(this.#sql, id, this.#now);
  }

  accounts(currency: string | undefined, { from, up, most }: Walk<string>): Account[] {
    const conditions = [
      ...(currency === undefined ? [] : ['currency = ?']),
      ...(from === undefined ? [] : [up ? 'id > ?' : 'id < ?']),
    ];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const text = `SELECT * FROM account ${where} ORDER BY id ${up ? 'ASC' : 'DESC'} LIMIT ?`;
    const values = [currency, from].filter((value) => value !== undefined);
    return this.#sql
      .all<AccountRow>(text, ...values, BigInt(most))
      .map((row) => accountAt(this.#sql, accountOfRow(row, row.held), this.#now));
  }

  hold(id: string): Hold | undefined {
    return findHold(this.#sql, id, this.#now);
  }

  transfer(id: string): Transfer | undefined {
    return findTransfer(this.#sql, id);
  }

  transfers(conditions: TransferConditions, walk: Walk<bigint>): Transfer[] {
    return walkTransfers(this.#sql, conditions, walk);
  }

  transfersBetween(first: bigint, last: bigint): Transfer[] {
    return new JournalReader(this.#sql).between(first, last);
  }

  /** Ids begin with their time and rise with positions. */
  positionAt(time: number): bigint {
    return time < 0 ? 0n : new JournalReader(this.#sql).below(lowestUuid7(time + 1));
  }

  balanceAfter(account: Account, position: bigint): bigint {
    const [last] = this.transfers({ account, below: position + 1n }, { from: undefined, up: false, most: 1 });
    if (last === undefined) return 0n;
    return last.from === account.id ? last.fromBalance : last.toBalance;
  }

  view(): LedgerView {
    return {
      account: (id) => this.account(id),
      isExternalIdTaken: (externalId) => this.#sql.get(TAKEN, externalId) !== undefined,
    };
  }

  audit(): JournalReport {
    return auditSqlite(this.#sql);
  }
}
