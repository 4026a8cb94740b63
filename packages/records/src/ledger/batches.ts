// How does a batch go in and out without an object for each of its transfers? As columns on both sides: who has read it as
// columns asks with them, and is told in columns what was done.

import type { Packing, Plain, WriteOperation } from '../operation.ts';
import {
  columnsOfRequests,
  type MovedColumns,
  packMoved,
  packRequests,
  type RequestColumns,
  requestsOf,
  unpackMoved,
} from './columns.ts';
import { batchPacking } from './packing.ts';
import type { Transfer, TransferRequest } from './transfer.ts';
import { transferBatch } from './transfers.ts';

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

const packing: Packing<TransferColumns, MovedBatch | readonly Transfer[]> = {
  packArgs: (calls) => calls.map(({ columns }) => packRequests(columns)),
  unpackArgs: batchPacking.unpackArgs,
  packResults: (results) =>
    results.map((result) =>
      'moved' in result ? packMoved(result.moved) : (batchPacking.packResults([result]) as Plain[])[0],
    ),
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
