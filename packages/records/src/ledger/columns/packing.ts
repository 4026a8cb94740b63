// How do transfers cross threads? As columns of what the other side does not know: a caller knows accounts and words, the
// journal adds ids and amounts.

import type { Packing } from '../../contracts/operation.ts';
import type { Transfer, TransferRequest } from '../model/transfer.ts';
import {
  columnsOfRequests,
  columnsOfTransfers,
  packMoved,
  packRequests,
  requestsOf,
  transfersOf,
  unpackMoved,
  unpackRequests,
} from './columns.ts';

/** `ledger.transfer`. */
export const transferPacking: Packing<TransferRequest, Transfer> = {
  packArgs: (calls) => packRequests(columnsOfRequests(calls)),
  unpackArgs: (packed) => requestsOf(unpackRequests(packed)),
  packResults: (results) => packMoved(columnsOfTransfers(results)),
  unpackResults: (packed, calls) => transfersOf(unpackMoved(packed), calls),
};

interface BatchRequest {
  readonly transfers: readonly TransferRequest[];
}

/** `ledger.batch`. */
export const batchPacking: Packing<BatchRequest, readonly Transfer[]> = {
  packArgs: (calls) => calls.map(({ transfers }) => packRequests(columnsOfRequests(transfers))),
  unpackArgs: (packed) =>
    (packed as Parameters<typeof unpackRequests>[0][]).map((columns) => ({
      transfers: requestsOf(unpackRequests(columns)),
    })),
  packResults: (results) => results.map((transfers) => packMoved(columnsOfTransfers(transfers))),
  unpackResults: (packed, calls) =>
    (packed as Parameters<typeof unpackMoved>[0][]).map((columns, i) =>
      transfersOf(unpackMoved(columns), calls[i]!.transfers),
    ),
};
