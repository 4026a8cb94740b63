// The operations on the journal: one transfer, lists by cursor and filters, the audit.

import { type KeysetPage, type KeysetRequest, keysetPage } from '../../contracts/keyset-page.ts';
import type { AnyOperation, ReadOperation } from '../../contracts/operation.ts';
import type { JournalReport } from '../core/journal-audit.ts';
import type { LedgerReads, TransferConditions } from '../core/ledger-reads.ts';
import { transferNotFound } from '../core/transfer-decisions.ts';
import { accountMissing } from '../core/transfer-rules.ts';
import { digitsOf } from '../model/currency.ts';
import type { Transfer } from '../model/transfer.ts';

import { ledgerReads } from './ledger-store.ts';

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

/** A page of the transfers, newest first. Keys are positions. */
export interface TransfersRequest extends TransferFilter, KeysetRequest<bigint> {}

/** One transfer. Throws `transfer-not-found`. */
export const getTransfer: ReadOperation<{ readonly id: string }, Transfer> = {
  kind: 'read',
  name: 'ledger.getTransfer',
  async run(context, { id }) {
    const found = await ledgerReads(context).transfer(id);
    if (found === undefined) throw transferNotFound(id);
    return found;
  },
};

/** Transfers, newest first. Throws `unknown-currency`, `account-not-found`. */
export const listTransfers: ReadOperation<TransfersRequest, KeysetPage<Transfer>> = {
  kind: 'read',
  name: 'ledger.listTransfers',
  async run(context, request) {
    const reads = ledgerReads(context);
    const conditions = await conditionsOf(reads, request);
    return await keysetPage(
      request,
      (from: bigint | undefined, backwards, most) =>
        reads.transfers(conditions, { from, up: backwards, most }),
      ({ position }) => position,
    );
  },
};

async function conditionsOf(reads: LedgerReads, filter: TransferFilter): Promise<TransferConditions> {
  const { currency, reference, externalId, since, until } = filter;
  if (currency !== undefined) digitsOf(currency);
  const account = filter.account === undefined ? undefined : await reads.account(filter.account);
  if (filter.account !== undefined && account === undefined) accountMissing(filter.account, 'account');
  // Times rise with positions: a range of time is a range of positions.
  const above = since === undefined ? undefined : await reads.positionAt(since - 1);
  const below = until === undefined ? undefined : (await reads.positionAt(until - 1)) + 1n;
  return { account, currency, reference, externalId, above, below };
}

/** Checks the whole ledger in one snapshot. Takes time in proportion to the journal, memory to the accounts. */
export const verifyJournal: ReadOperation<undefined, JournalReport> = {
  kind: 'read',
  name: 'ledger.verify',
  run: (context) => ledgerReads(context).audit(),
};

export const journalOperations: readonly AnyOperation[] = [getTransfer, listTransfers, verifyJournal];
