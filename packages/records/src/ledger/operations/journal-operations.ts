// What has happened? The journal by cursor and filters, newest first.

import type { AnyOperation, ReadContext, ReadOperation } from '../../contracts/operation.ts';
import { missing } from '../core/rules.ts';
import { findAccount, statementsOf } from '../model/account.ts';
import { digitsOf } from '../model/currency.ts';
import type { Transfer } from '../model/transfer.ts';
import { findTransfer } from '../sqlite/journal-reader.ts';
import { type Filter, transfersBeside } from '../sqlite/transfer-walk.ts';
import { positionAt } from './account-operations.ts';
import { transferNotFound } from './transfer-operations.ts';

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
    const found = findTransfer(statementsOf(context), id);
    if (found === undefined) throw transferNotFound(id);
    return found;
  },
};

/** Transfers, newest first. Throws `unknown-currency`, `account-not-found`. */
export const listTransfers: ReadOperation<TransfersRequest, TransfersPage> = {
  kind: 'read',
  name: 'ledger.listTransfers',
  run(context, request) {
    const { after, backwards = false, limit } = request;
    const sql = statementsOf(context);
    const filter = filterOf(context, request);
    const side = (from: bigint | undefined, up: boolean, most: number): Transfer[] =>
      transfersBeside(sql, filter, { from, up, most });
    const found = side(after, backwards, limit + 1);
    const more = found.length > limit;
    const page = found.slice(0, limit);
    if (backwards) page.reverse();
    const edge = backwards ? page.at(-1)?.position : page[0]?.position;
    const behind = after !== undefined && side(edge ?? after, !backwards, 1).length > 0;
    return { transfers: page, hasNext: backwards ? behind : more, hasPrev: backwards ? more : behind };
  },
};

function filterOf(context: ReadContext, request: TransferFilter): Filter {
  const { account, reference, externalId, currency, since, until } = request;
  if (currency !== undefined) digitsOf(currency);
  // Times rise with positions: a stretch of time is a stretch of the journal.
  const above = since === undefined ? undefined : positionAt(context, since - 1);
  const below = until === undefined ? undefined : positionAt(context, until - 1) + 1n;
  const found = account === undefined ? undefined : findAccount(statementsOf(context), account, context.now);
  if (account !== undefined && found === undefined) missing(account, 'account');
  return { account: found?.number, currency, reference, externalId, above, below };
}

export const historyOperations: readonly AnyOperation[] = [getTransfer, listTransfers];
