// How do transfers go in and out without an object for what was done of each? As columns: who prints them anyway is told in
// columns what was done, and who has read a batch as columns asks with them.

import type { Packing, Plain, WriteOperation } from '../../contracts/operation.ts';
import type { Transfer, TransferRequest } from '../model/transfer.ts';
import { transfer, transferBatch } from '../operations/transfer-operations.ts';
import {
  columnsOfRequests,
  type MovedColumns,
  packRequests,
  type RequestColumns,
  requestsOf,
  unpackMoved,
  viewOf,
} from './columns.ts';
import { batchPacking, transferPacking } from './packing.ts';

/** A batch, as it was read. */
export class TransferColumns {
  readonly columns: RequestColumns;
  #transfers: readonly TransferRequest[] | undefined;

  constructor(columns: RequestColumns) {
    this.columns = columns;
  }

  static of(transfers: readonly TransferRequest[]): TransferColumns {
    return new TransferColumns(columnsOfRequests(transfers));
  }

  /** The same, one by one: made when somebody asks. */
  get transfers(): readonly TransferRequest[] {
    return (this.#transfers ??= requestsOf(this.columns));
  }
}

/** What was done of a batch. */
export interface MovedBatch {
  readonly asked: RequestColumns;
  readonly moved: MovedColumns;
}

/** What was done of one request: its place among the columns of those that were done with it. */
export interface MovedTransfer {
  readonly moved: MovedColumns;
  /** `moved.ids` and `moved.words`, looked at once for all. */
  readonly ids: DataView;
  readonly words: DataView;
  readonly at: number;
}

/** `transfer` for who wants columns; an answer of earlier, and that of a store that does not pack, is a transfer. */
export const moveTransfer: WriteOperation<TransferRequest, MovedTransfer | Transfer> = {
  kind: 'write',
  name: transfer.name,
  checksFirst: true,
  putsOff: true,
  packing: {
    packArgs: transferPacking.packArgs,
    unpackArgs: transferPacking.unpackArgs,
    // The thread of the store packs by its own operation.
    packResults: () => undefined,
    unpackResults: (packed, calls) => {
      const moved = unpackMoved(packed);
      const [ids, words] = [viewOf(moved.ids), viewOf(moved.words)];
      return calls.map((_call, at) => ({ moved, ids, words, at }));
    },
  },
  run: (context, request) => transfer.run(context, request),
};

const packing: Packing<TransferColumns, MovedBatch | readonly Transfer[]> = {
  packArgs: (calls) => calls.map(({ columns }) => packRequests(columns)),
  unpackArgs: batchPacking.unpackArgs,
  packResults: () => undefined,
  unpackResults: (packed, calls) =>
    (packed as readonly Plain[]).map((columns, i) => ({
      asked: calls[i]!.columns,
      moved: unpackMoved(columns),
    })),
};

/** `transferBatch` for who has columns; a store that does not pack answers with transfers. */
export const transferColumns: WriteOperation<TransferColumns, MovedBatch | readonly Transfer[]> = {
  kind: 'write',
  name: transferBatch.name,
  checksFirst: true,
  putsOff: true,
  packing,
  run: (context, { transfers }) => transferBatch.run(context, { transfers }),
};
