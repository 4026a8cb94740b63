// The operations that move money: transfer, batch, reversal; and their simulation.

import type { AnyOperation, ReadOperation } from '../../contracts/operation.ts';
import {
  type BatchRequest,
  moveBatch,
  moveMoney,
  type ReversalRequest,
  reverseTransfer,
  simulate,
} from '../core/transfer-decisions.ts';
import { type Transfer, type TransferRequest, transferView } from '../model/transfer.ts';
import { type LedgerWrite, ledgerReads, ledgerWrite } from './ledger-store.ts';

/** Moves money. Refusals come in the order of transfer-rules.ts. */
export const transfer: LedgerWrite<TransferRequest, Transfer> = ledgerWrite(
  'ledger.transfer',
  moveMoney,
  true,
);

/** Moves money many times, in order, or not at all: the first refusal is that of the batch, and its field names the transfer. */
export const transferBatch: LedgerWrite<BatchRequest, readonly Transfer[]> = ledgerWrite(
  'ledger.batch',
  moveBatch,
  true,
);

/**
 * `transferBatch` with the views of its transfers as a JSON array. One string crosses threads in no time; as objects the
 * transfers cost 2 µs each, a quarter of a batch over HTTP.
 */
export const transferBatchJson: LedgerWrite<BatchRequest, string> = ledgerWrite(
  'ledger.batchJson',
  (book, request) => JSON.stringify(moveBatch(book, request).map(transferView)),
  true,
);

/** Reverses a transfer, in full, once. The money must still be there. */
export const reverse: LedgerWrite<ReversalRequest, Transfer> = ledgerWrite('ledger.reverse', reverseTransfer);

/** What a transfer or a batch would come to. Ids are empty, and positions are 0: nothing has happened. */
export const previewTransfers: ReadOperation<
  BatchRequest & { readonly batch: boolean },
  readonly Transfer[]
> = {
  kind: 'read',
  name: 'ledger.preview',
  async run(context, request) {
    const view = await ledgerReads(context).view(request.transfers);
    return simulate(view, request, context.now);
  },
};

export const transferOperations: readonly AnyOperation[] = [
  transfer,
  transferBatch,
  transferBatchJson,
  previewTransfers,
  reverse,
];
