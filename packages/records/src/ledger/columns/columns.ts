// How do many transfers look when they are asked for or done together? As columns: each account named once, numbers as
// bytes, and nothing said for each that is the same for all.

import { UUID_BYTES, uuidBytes, uuidText } from '../../ids/uuid.ts';
import type { Plain } from '../../operation.ts';
import { moneyText } from '../money.ts';
import type { Transfer, TransferRequest } from '../transfer.ts';

/** A column whose values are all the same is one value. */
export type Column<T> = T | readonly T[];

/** Digits of an amount that a JS number represents exactly. */
const MOST_DIGITS = 15;
const TWO_32 = 0x1_0000_0000;
const WORD = 8;
const DOT = 0x2e;
const ZERO = 0x30;

/** What is asked for. */
export interface RequestColumns {
  readonly length: number;
  /** Ids of accounts, each once. */
  readonly names: readonly string[];
  /** The accounts of each transfer as places in `names`: `from` and `to` in turn. */
  readonly sides: Uint32Array;
  /** Money without its point, and its decimals: 12.30 is 1230 and 2. Empty where `money` is there. */
  readonly digits: Float64Array;
  readonly decimals: Uint8Array;
  /** Money as it was sent, where one of them is not plain. */
  readonly money: readonly string[] | undefined;
  readonly currency: Column<string | undefined>;
  readonly reference: Column<string | undefined>;
  readonly externalId: Column<string | undefined>;
}

/** What was done: ids, then amounts and the balances of both sides as i64, a column behind the other. */
export interface MovedColumns {
  readonly length: number;
  /** The position of the first; the others follow it without gaps. */
  readonly first: bigint;
  readonly ids: Uint8Array;
  readonly words: Uint8Array;
  readonly currency: Column<string>;
  readonly time: number;
}

/** Columns of requests. O(requests). */
export function columnsOfRequests(requests: readonly TransferRequest[]): RequestColumns {
  const n = requests.length;
  const names: string[] = [];
  const places = new Map<string, number>();
  const place = (name: string): number => {
    let found = places.get(name);
    if (found === undefined) places.set(name, (found = names.push(name) - 1));
    return found;
  };
  const sides = new Uint32Array(n * 2);
  const digits = new Float64Array(n);
  const decimals = new Uint8Array(n);
  let plain = true;
  for (let i = 0; i < n; i++) {
    const { from, to, money } = requests[i]!;
    sides[2 * i] = place(from);
    sides[2 * i + 1] = place(to);
    const point = plainPoint(money);
    plain &&= point !== undefined;
    if (point === undefined) continue;
    digits[i] = digitsIn(money);
    decimals[i] = point;
  }
  return {
    ...{ length: n, names, sides, digits, decimals },
    money: plain ? undefined : requests.map(({ money }) => money),
    currency: column(requests, ({ currency }) => currency),
    reference: column(requests, ({ reference }) => reference),
    externalId: column(requests, ({ externalId }) => externalId),
  };
}

/** The decimals of a plain amount (money.ts) of few digits; undefined for any other text. */
export function plainPoint(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > MOST_DIGITS) return undefined;
  let point = length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT && point === length) point = i;
    else if (code < ZERO || code > ZERO + 9) return undefined;
  }
  if (point === 0 || point === length - 1) return undefined;
  if (text.charCodeAt(0) === ZERO && point > 1) return undefined;
  return point === length ? 0 : length - point - 1;
}

/** REQUIRES: `plainPoint(text)` is not undefined. */
export function digitsIn(text: string): number {
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== DOT) value = value * 10 + code - ZERO;
  }
  return value;
}

/** The request at a place, as it was. */
export function requestAt(columns: RequestColumns, i: number): TransferRequest {
  const { names, sides, digits, decimals, money, currency, reference, externalId } = columns;
  return {
    from: names[sides[2 * i]!]!,
    to: names[sides[2 * i + 1]!]!,
    money: money?.[i] ?? moneyText(BigInt(digits[i]!), decimals[i]!),
    currency: at(currency, i),
    reference: at(reference, i),
    externalId: at(externalId, i),
  };
}

/** Health, metrics, backup, limits, problems, the OpenAPI document and its page. */
export function requestsOf(columns: RequestColumns): TransferRequest[] {
  return Array.from({ length: columns.length }, (_, i) => requestAt(columns, i));
}

/** Columns of transfers that lie one behind the other. REQUIRES: plain ones, but for `reference` and `externalId`. */
export function columnsOfTransfers(transfers: readonly Transfer[]): MovedColumns {
  const n = transfers.length;
  const ids = new Uint8Array(n * UUID_BYTES);
  const words = new BigInt64Array(n * 3);
  for (let i = 0; i < n; i++) {
    const { id, amount, fromBalance, toBalance } = transfers[i]!;
    ids.set(uuidBytes(id), i * UUID_BYTES);
    words[i] = amount;
    words[n + i] = fromBalance;
    words[2 * n + i] = toBalance;
  }
  return {
    ...{ length: n, first: transfers[0]?.position ?? 0n, ids, words: new Uint8Array(words.buffer) },
    currency: column(transfers, ({ currency }) => currency),
    time: transfers[0]?.time ?? 0,
  };
}

/** The transfers that were done of what was asked for. */
export function transfersOf(moved: MovedColumns, requests: readonly TransferRequest[]): Transfer[] {
  const { length, first, currency, time } = moved;
  const ids = viewOf(moved.ids);
  const words = viewOf(moved.words);
  return requests.map(({ from, to, reference, externalId }, i) => ({
    position: first + BigInt(i),
    id: uuidText(ids, i * UUID_BYTES),
    kind: 'transfer',
    from,
    to,
    currency: at(currency, i),
    amount: words.getBigInt64(i * WORD, true),
    fromBalance: words.getBigInt64((length + i) * WORD, true),
    toBalance: words.getBigInt64((2 * length + i) * WORD, true),
    reference: reference ?? null,
    externalId: externalId ?? null,
    hold: null,
    reverses: null,
    time,
  }));
}

/** As they cross threads. */
export function packRequests(requests: RequestColumns): Plain {
  const { length, names, sides, digits, decimals, money, currency, reference, externalId } = requests;
  return [length, names, sides, digits, decimals, money, currency, reference, externalId];
}

type RequestTuple = [
  number,
  string[],
  Uint32Array,
  Float64Array,
  Uint8Array,
  string[] | undefined,
  Column<string | undefined>,
  Column<string | undefined>,
  Column<string | undefined>,
];

export function unpackRequests(packed: Plain): RequestColumns {
  const [length, names, sides, digits, decimals, money, currency, reference, externalId] =
    packed as RequestTuple;
  return { length, names, sides, digits, decimals, money, currency, reference, externalId };
}

export function packMoved({ length, first, ids, words, currency, time }: MovedColumns): Plain {
  return [length, first, ids, words, currency, time];
}

export function unpackMoved(packed: Plain): MovedColumns {
  const [length, first, ids, words, currency, time] = packed as [
    number,
    bigint,
    Uint8Array,
    Uint8Array,
    Column<string>,
    number,
  ];
  return { length, first, ids, words, currency, time };
}

/** Writes a whole number of less than 2^53 as an i64, without making a bigint of it. */
export function setWhole(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / TWO_32);
  view.setUint32(at, value - high * TWO_32, true);
  view.setInt32(at + 4, high, true);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function column<T, V extends undefined | string | number>(
  rows: readonly T[],
  read: (row: T) => V,
): Column<V> {
  const first = rows[0];
  if (first === undefined) return [];
  const value = read(first);
  return rows.every((row) => read(row) === value) ? value : rows.map(read);
}

export function at<T extends undefined | string | number>(values: Column<T>, i: number): T {
  return Array.isArray(values) ? (values as readonly T[])[i]! : (values as T);
}
