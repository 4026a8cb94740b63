// How is money moved? One transfer, many that all happen or none, one taken back; and what would happen, without doing it.

import { RecordsError } from '../../contracts/errors.ts';
import type { AnyOperation, ReadOperation, WriteContext, WriteOperation } from '../../contracts/operation.ts';
import { runBatches, runTransfers } from '../columns/packed-runs.ts';
import { batchPacking, transferPacking } from '../columns/packing.ts';
import { checkFunds, checkOpen, checkOverflow, decide } from '../core/rules.ts';
import { findAccount, statementsOf } from '../model/account.ts';
import type { Transfer, TransferRequest } from '../model/transfer.ts';
import { findTransfer } from '../sqlite/journal-reader.ts';
import { journalOf } from '../sqlite/ledger-buffer.ts';
import { AccountsInUse, append, appendNow, type Posting } from '../sqlite/sqlite-book.ts';

/** Transfers of a batch at most. */
export const MOST_IN_BATCH = 10_000;

/** Moves money. Refusals come in the order of rules.ts. */
export const transfer: WriteOperation<TransferRequest, Transfer> = {
  kind: 'write',
  name: 'ledger.transfer',
  checksFirst: true,
  putsOff: true,
  packing: transferPacking,
  runPacked: runTransfers,
  run(context, request) {
    const accounts = new AccountsInUse(context, journalOf(context));
    const [done] = append(
      context,
      plan(accounts, [request], () => ''),
    );
    return done!;
  },
};

/** Moves money many times, in order, or not at all: the first refusal is that of the batch, its field says which. */
export const transferBatch: WriteOperation<
  { readonly transfers: readonly TransferRequest[] },
  readonly Transfer[]
> = {
  kind: 'write',
  name: 'ledger.batch',
  checksFirst: true,
  putsOff: true,
  packing: batchPacking,
  runPacked: runBatches,
  run(context, { transfers }) {
    const accounts = new AccountsInUse(context, journalOf(context));
    return append(context, plan(accounts, transfers, inBatch));
  },
};

/** What a transfer or a batch would come to. Ids are empty, and positions are 0: nothing has happened. */
export const previewTransfers: ReadOperation<
  { readonly transfers: readonly TransferRequest[]; readonly batch: boolean },
  readonly Transfer[]
> = {
  kind: 'read',
  name: 'ledger.preview',
  run(context, { transfers, batch }) {
    return plan(new AccountsInUse(context), transfers, batch ? inBatch : () => '').map((posting) =>
      imagined(posting, context.now),
    );
  },
};

/** Takes a transfer back, in full, once. The money must still be there. */
export const reverse: WriteOperation<
  { readonly id: string; readonly reference?: string | undefined },
  Transfer
> = {
  kind: 'write',
  name: 'ledger.reverse',
  checksFirst: true,
  run(context, { id, reference }) {
    return appendNow(context, planReversal(context, id, reference));
  },
};

const inBatch = (index: number): string => `transfers[${index}].`;

function plan(
  accounts: AccountsInUse,
  requests: readonly TransferRequest[],
  fieldsOf: (index: number) => string,
): Posting[] {
  const externalIds = new Set<string>();
  return requests.map((request, index) => {
    const { externalId } = request;
    const ground = {
      from: accounts.find(request.from),
      to: accounts.find(request.to),
      externalIdTaken:
        externalId !== undefined && (externalIds.has(externalId) || accounts.isExternalIdTaken(externalId)),
    };
    const decision = decide(request, ground, fieldsOf(index));
    if (externalId !== undefined) externalIds.add(externalId);
    return {
      after: accounts.move(decision),
      amount: decision.amount,
      annotation: {
        kind: 'transfer',
        reference: request.reference ?? null,
        externalId: externalId ?? null,
        hold: null,
        reverses: null,
      },
    };
  });
}

const REVERSED = 'SELECT id FROM transfer WHERE reverses = ?';

function planReversal(context: WriteContext, id: string, reference: string | undefined): Posting {
  const sql = statementsOf(context);
  const taken = findTransfer(sql, id);
  if (taken === undefined) throw transferNotFound(id);
  const reversal = sql.get<{ id: string }>(REVERSED, id);
  if (reversal !== undefined)
    throw new RecordsError('already-reversed', `${id} was reversed by ${reversal.id}.`, {
      extra: { reversal: reversal.id },
    });
  // Accounts never go: those of a transfer are there.
  const from = findAccount(sql, taken.to, context.now)!;
  const to = findAccount(sql, taken.from, context.now)!;
  checkOpen(from, 'id');
  checkOpen(to, 'id');
  checkFunds(from, taken.amount, 'id');
  checkOverflow(from, to, taken.amount, 'id');
  return {
    after: {
      from: { ...from, balance: from.balance - taken.amount },
      to: { ...to, balance: to.balance + taken.amount },
    },
    amount: taken.amount,
    annotation: {
      kind: 'reversal',
      reference: reference ?? null,
      externalId: null,
      hold: null,
      reverses: id,
    },
  };
}

/** The refusal of an id that no transfer has. */
export function transferNotFound(id: string): RecordsError {
  return new RecordsError('transfer-not-found', `There is no transfer ${id}.`, { field: 'id' });
}

function imagined({ after, amount, annotation }: Posting, now: number): Transfer {
  return {
    position: 0n,
    id: '',
    from: after.from.id,
    to: after.to.id,
    currency: after.from.currency,
    amount,
    fromBalance: after.from.balance,
    toBalance: after.to.balance,
    time: now,
    ...annotation,
  };
}

export const transferOperations: readonly AnyOperation[] = [
  transfer,
  transferBatch,
  previewTransfers,
  reverse,
];
