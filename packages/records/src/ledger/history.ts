// What has happened? The journal by cursor and filters, newest first.

import { type RawBuilder, sql as raw, type SqlBool } from 'kysely';
import type { ReadContext, ReadOperation } from '../operation.ts';
import type { AnyOperation } from '../operations.ts';
import { findAccount, statementsOf } from './account.ts';
import { positionAt } from './accounts.ts';
import { digitsOf } from './currency.ts';
import { missing } from './rules.ts';
import { TRANSFER_COLUMNS, TRANSFER_JOIN, type Transfer, type TransferRow, transferOf } from './transfer.ts';
import { transferNotFound } from './transfers.ts';
import { type Filter, rowsBeside } from './walk.ts';

/** Filters; all that are given must hold. */
export interface TransferFilter {
  /** Either side. */
  readonly account?: string | undefined;
  readonly reference?: string | undefined;
  readonly externalId?: string | undefined;
  readonly currency?: string | undefined;
  /** Not before this time, ms since 1970. */
  readonly since?: number | undefined;
  /** Before this time, ms since 1970. */
  readonly until?: number | undefined;
}

/** Which transfers of the list. */
export interface TransfersRequest extends TransferFilter {
  /** Positions beyond this one, in the direction of the walk; from the start where it is not given. */
  readonly after?: bigint | undefined;
  /** True goes towards newer ones; the page is newest first all the same. */
  readonly backwards?: boolean | undefined;
  readonly limit: number;
}

/** A page, and whether there are transfers on either side of it. */
export interface TransfersPage {
  readonly transfers: readonly Transfer[];
  readonly hasNext: boolean;
  readonly hasPrev: boolean;
}

/** One transfer. Throws `transfer-not-found`. */
export const getTransfer: ReadOperation<{ readonly id: string }, Transfer> = {
  kind: 'read',
  name: 'ledger.getTransfer',
  run(context, { id }) {
    const row = statementsOf(context).get<TransferRow>(
      `SELECT ${TRANSFER_COLUMNS} FROM transfer t ${TRANSFER_JOIN} WHERE t.id = ?`,
      id,
    );
    if (row === undefined) throw transferNotFound(id);
    return transferOf(row);
  },
};

/** Transfers, newest first. Throws `unknown-currency`, `account-not-found`. */
export const listTransfers: ReadOperation<TransfersRequest, TransfersPage> = {
  kind: 'read',
  name: 'ledger.listTransfers',
  async run(context, request) {
    const { after, backwards = false, limit } = request;
    const filter = filterOf(context, request);
    const side = (from: bigint | undefined, up: boolean, most: number): Promise<TransferRow[]> =>
      rowsBeside(context, filter, { from, up, most });
    const rows = await side(after, backwards, limit + 1);
    const more = rows.length > limit;
    const page = rows.slice(0, limit);
    if (backwards) page.reverse();
    const edge = backwards ? page.at(-1)?.position : page[0]?.position;
    const behind = after !== undefined && (await side(edge ?? after, !backwards, 1)).length > 0;
    return {
      transfers: page.map(transferOf),
      hasNext: backwards ? behind : more,
      hasPrev: backwards ? more : behind,
    };
  },
};

function filterOf(context: ReadContext, request: TransferFilter): Filter {
  const { account, reference, externalId, currency, since, until } = request;
  if (currency !== undefined) digitsOf(currency);
  const conditions: RawBuilder<SqlBool>[] = [];
  if (reference !== undefined) conditions.push(raw`t.reference = ${reference}`);
  if (externalId !== undefined) conditions.push(raw`t.external_id = ${externalId}`);
  if (currency !== undefined) conditions.push(raw`t.currency = ${currency}`);
  // Times rise with positions: a stretch of time is a stretch of the journal.
  const above = since === undefined ? undefined : positionAt(context, since - 1);
  const below = until === undefined ? undefined : positionAt(context, until - 1) + 1n;
  if (account !== undefined) {
    const { number } =
      findAccount(statementsOf(context), account, context.now) ?? missing(account, 'account');
    return { list: { account: number }, above, below, conditions };
  }
  const indexed = reference !== undefined || externalId !== undefined;
  const list = currency === undefined || indexed ? undefined : { currency };
  return { list, above, below, conditions };
}

export const historyOperations: readonly AnyOperation[] = [getTransfer, listTransfers];
