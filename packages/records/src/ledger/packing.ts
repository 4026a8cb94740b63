// How do transfers cross threads? As columns of what the other side does not know: a caller knows accounts and words, the
// journal adds ids and amounts.

import type { Packing, Plain } from '../operation.ts';
import type { Transfer, TransferRequest } from './transfer.ts';

/** Length of an id. */
const ID = 36;
/** Numbers of a transfer: position, amount, both balances. */
const NUMBERS = 4;

/** A column whose values are all the same is one value. */
type Column<T> = T | readonly T[];

type RequestColumns = readonly [
  from: readonly string[],
  to: readonly string[],
  money: readonly string[],
  currency: Column<string | undefined>,
  reference: Column<string | undefined>,
  externalId: Column<string | undefined>,
];

type ResultColumns = readonly [
  numbers: BigInt64Array,
  ids: string,
  currency: Column<string>,
  time: Column<number>,
];

/** `ledger.transfer`. */
export const transferPacking: Packing<TransferRequest, Transfer> = {
  packArgs: packRequests,
  unpackArgs: (packed) => unpackRequests(packed as RequestColumns),
  packResults: packTransfers,
  unpackResults: (packed, calls) => unpackTransfers(packed as ResultColumns, calls),
};

interface BatchRequest {
  readonly transfers: readonly TransferRequest[];
}

/** `ledger.batch`. */
export const batchPacking: Packing<BatchRequest, readonly Transfer[]> = {
  packArgs: (calls) => calls.map(({ transfers }) => packRequests(transfers)),
  unpackArgs: (packed) =>
    (packed as readonly RequestColumns[]).map((columns) => ({ transfers: unpackRequests(columns) })),
  packResults: (results) => results.map(packTransfers),
  unpackResults: (packed, calls) =>
    (packed as readonly ResultColumns[]).map((columns, i) => unpackTransfers(columns, calls[i]!.transfers)),
};

function packRequests(requests: readonly TransferRequest[]): Plain {
  return [
    requests.map(({ from }) => from),
    requests.map(({ to }) => to),
    requests.map(({ money }) => money),
    column(requests, ({ currency }) => currency),
    column(requests, ({ reference }) => reference),
    column(requests, ({ externalId }) => externalId),
  ];
}

function unpackRequests([
  from,
  to,
  money,
  currency,
  reference,
  externalId,
]: RequestColumns): TransferRequest[] {
  return from.map((each, i) => ({
    from: each,
    to: to[i]!,
    money: money[i]!,
    currency: at(currency, i),
    reference: at(reference, i),
    externalId: at(externalId, i),
  }));
}

function packTransfers(transfers: readonly Transfer[]): Plain {
  const numbers = new BigInt64Array(transfers.length * NUMBERS);
  let ids = '';
  let next = 0;
  for (const { id, position, amount, fromBalance, toBalance } of transfers) {
    ids += id;
    numbers[next++] = position;
    numbers[next++] = amount;
    numbers[next++] = fromBalance;
    numbers[next++] = toBalance;
  }
  return [numbers, ids, column(transfers, ({ currency }) => currency), column(transfers, ({ time }) => time)];
}

function unpackTransfers(
  [numbers, ids, currency, time]: ResultColumns,
  requests: readonly TransferRequest[],
): Transfer[] {
  return requests.map(({ from, to, reference, externalId }, i) => ({
    position: numbers[i * NUMBERS]!,
    id: ids.slice(i * ID, i * ID + ID),
    kind: 'transfer',
    from,
    to,
    currency: at(currency, i),
    amount: numbers[i * NUMBERS + 1]!,
    fromBalance: numbers[i * NUMBERS + 2]!,
    toBalance: numbers[i * NUMBERS + 3]!,
    reference: reference ?? null,
    externalId: externalId ?? null,
    hold: null,
    reverses: null,
    time: at(time, i),
  }));
}

function column<T, V extends undefined | string | number>(
  rows: readonly T[],
  read: (row: T) => V,
): Column<V> {
  const first = rows[0];
  if (first === undefined) return [];
  const value = read(first);
  return rows.every((row) => read(row) === value) ? value : rows.map(read);
}

function at<T extends undefined | string | number>(values: Column<T>, i: number): T {
  return Array.isArray(values) ? (values as readonly T[])[i]! : (values as T);
}
