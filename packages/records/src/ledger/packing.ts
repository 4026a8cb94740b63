// How do transfers cross threads? As rows of what the other side does not know: a caller knows accounts and words, the
// journal adds ids and amounts. A batch crosses as columns, its amounts as bytes.

import type { Packing, Plain } from '../operation.ts';
import type { Transfer, TransferRequest } from './transfer.ts';

/** Length of an id. */
const ID = 36;

/** `ledger.transfer`. */
export const transferPacking: Packing<TransferRequest, Transfer> = {
  packArgs({ from, to, money, currency, reference, externalId }) {
    return currency === undefined && reference === undefined && externalId === undefined
      ? [from, to, money]
      : [from, to, money, currency, reference, externalId];
  },
  unpackArgs(packed): TransferRequest {
    const [from, to, money, currency, reference, externalId] = packed as RequestRow;
    return { from, to, money, currency, reference, externalId };
  },
  packResult({ position, id, currency, amount, fromBalance, toBalance, time }) {
    return [position, id, currency, amount, fromBalance, toBalance, time];
  },
  unpackResult(packed, { from, to, reference, externalId }) {
    const [position, id, currency, amount, fromBalance, toBalance, time] = packed as ResultRow;
    return {
      position,
      id,
      kind: 'transfer',
      from,
      to,
      currency,
      amount,
      fromBalance,
      toBalance,
      reference: reference ?? null,
      externalId: externalId ?? null,
      hold: null,
      reverses: null,
      time,
    };
  },
};

type Text = string | undefined;
type RequestRow = [string, string, string, currency?: Text, reference?: Text, externalId?: Text];
type ResultRow = [bigint, string, string, bigint, bigint, bigint, number];

/** A column that is mostly empty crosses as nothing. */
type Sparse = readonly Text[] | undefined;
type RequestColumns = readonly [
  from: readonly string[],
  to: readonly string[],
  money: readonly string[],
  currency: Sparse,
  reference: Sparse,
  externalId: Sparse,
];
type ResultColumns = readonly [
  first: bigint,
  time: number,
  ids: string,
  /** One for all of them, where they are all in one. */
  currencies: string | readonly string[],
  amounts: BigInt64Array,
  fromBalances: BigInt64Array,
  toBalances: BigInt64Array,
];

interface BatchRequest {
  readonly transfers: readonly TransferRequest[];
}

/** `ledger.batch`. */
export const batchPacking: Packing<BatchRequest, readonly Transfer[]> = {
  packArgs({ transfers }): Plain {
    return [
      transfers.map(({ from }) => from),
      transfers.map(({ to }) => to),
      transfers.map(({ money }) => money),
      sparse(transfers, 'currency'),
      sparse(transfers, 'reference'),
      sparse(transfers, 'externalId'),
    ];
  },
  unpackArgs(packed): BatchRequest {
    const [from, to, money, currency, reference, externalId] = packed as RequestColumns;
    return {
      transfers: from.map((each, i) => ({
        from: each,
        to: to[i]!,
        money: money[i]!,
        currency: currency?.[i],
        reference: reference?.[i],
        externalId: externalId?.[i],
      })),
    };
  },
  packResult(transfers): Plain {
    const first = transfers[0];
    if (first === undefined) return undefined;
    const amounts = new BigInt64Array(transfers.length);
    const fromBalances = new BigInt64Array(transfers.length);
    const toBalances = new BigInt64Array(transfers.length);
    let ids = '';
    let alike = true;
    for (let i = 0; i < transfers.length; i++) {
      const { id, currency, amount, fromBalance, toBalance } = transfers[i]!;
      ids += id;
      alike &&= currency === first.currency;
      amounts[i] = amount;
      fromBalances[i] = fromBalance;
      toBalances[i] = toBalance;
    }
    const currencies = alike ? first.currency : transfers.map(({ currency }) => currency);
    return [first.position, first.time, ids, currencies, amounts, fromBalances, toBalances];
  },
  unpackResult(packed, { transfers }) {
    if (packed === undefined) return [];
    const [first, time, ids, currencies, amounts, fromBalances, toBalances] = packed as ResultColumns;
    return transfers.map(({ from, to, reference, externalId }, i) => ({
      position: first + BigInt(i),
      id: ids.slice(i * ID, i * ID + ID),
      kind: 'transfer',
      from,
      to,
      currency: typeof currencies === 'string' ? currencies : currencies[i]!,
      amount: amounts[i]!,
      fromBalance: fromBalances[i]!,
      toBalance: toBalances[i]!,
      reference: reference ?? null,
      externalId: externalId ?? null,
      hold: null,
      reverses: null,
      time,
    }));
  },
};

function sparse(
  transfers: readonly TransferRequest[],
  name: 'currency' | 'reference' | 'externalId',
): Sparse {
  return transfers.some((one) => one[name] !== undefined) ? transfers.map((one) => one[name]) : undefined;
}
