// Which transfers lie on this side of a place? Those of the whole journal; those of one of its lists, and of the tail that
// the list does not have yet; or those with certain words, which are rows with an index.

import type { SqlValue, Statements } from '../../contracts/operation.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOf,
} from '../model/transfer.ts';
import { listedUpTo, placesByList, unpackPlaces } from './journal-index.ts';
import { JournalReader } from './journal-reader.ts';

/** What is looked for; all that is given must hold. */
export interface Filter {
  /** The number of an account, on either side. */
  readonly account: bigint | undefined;
  readonly currency: string | undefined;
  readonly reference: string | undefined;
  readonly externalId: string | undefined;
  /** Positions above and below these, both without them. */
  readonly above: bigint | undefined;
  readonly below: bigint | undefined;
}

export const EVERYTHING: Filter = {
  account: undefined,
  currency: undefined,
  reference: undefined,
  externalId: undefined,
  above: undefined,
  below: undefined,
};

/** A walk from a position, without it, up or down. */
export interface Walk {
  readonly from: bigint | undefined;
  readonly up: boolean;
  readonly most: number;
}

const LISTED_DOWN =
  'SELECT first, places FROM journal_list WHERE list = ? AND first <= ? ORDER BY first DESC LIMIT 1';
const LISTED_UP =
  'SELECT first, places FROM journal_list WHERE list = ? AND first > ? ORDER BY first LIMIT 1';

/** Transfers in the order of the walk. O(transfers), and the tail where a list is walked. */
export function transfersBeside(sql: Statements, filter: Filter, walk: Walk): Transfer[] {
  if (filter.reference !== undefined || filter.externalId !== undefined)
    return transfersWithWords(sql, filter, walk);
  const reader = new JournalReader(sql);
  const low = highest((filter.above ?? 0n) + 1n, walk.up && walk.from !== undefined ? walk.from + 1n : 1n);
  const high = lowest(
    (filter.below ?? reader.end() + 1n) - 1n,
    walk.up || walk.from === undefined ? reader.end() : walk.from - 1n,
  );
  if (low > high) return [];
  const list = filter.account === undefined ? filter.currency : String(filter.account);
  if (list === undefined) return wholeJournal(reader, low, high, walk);
  const transfers: Transfer[] = [];
  const positions = walk.up ? positionsUp(sql, list, low, high) : positionsDown(sql, list, low, high);
  for (const position of positions) {
    if (transfers.length === walk.most) break;
    const transfer = reader.at(position);
    if (transfer === undefined) continue;
    if (filter.currency === undefined || transfer.currency === filter.currency) transfers.push(transfer);
  }
  return transfers;
}

function wholeJournal(reader: JournalReader, low: bigint, high: bigint, { up, most }: Walk): Transfer[] {
  const width = BigInt(most) - 1n;
  if (up) return reader.between(low, lowest(high, low + width));
  return reader.between(highest(low, high - width), high).reverse();
}

function* positionsUp(sql: Statements, list: string, low: bigint, high: bigint): Iterable<bigint> {
  const mark = listedUpTo(sql);
  // The stretch that `low` lies in, then all behind it.
  let row = sql.get<ListRow>(LISTED_DOWN, list, low) ?? sql.get<ListRow>(LISTED_UP, list, low);
  for (; row !== undefined && row.first <= high; row = sql.get<ListRow>(LISTED_UP, list, row.first)) {
    for (const place of unpackPlaces(row.places)) {
      const position = row.first + BigInt(place);
      if (position > high) return;
      if (position >= low) yield position;
    }
  }
  for (const position of tailOf(sql, list, highest(low, mark + 1n), high)) yield position;
}

function* positionsDown(sql: Statements, list: string, low: bigint, high: bigint): Iterable<bigint> {
  const mark = listedUpTo(sql);
  for (const position of tailOf(sql, list, highest(low, mark + 1n), high).reverse()) yield position;
  for (let from = high; from >= low; ) {
    const row = sql.get<ListRow>(LISTED_DOWN, list, from);
    if (row === undefined) return;
    for (const place of unpackPlaces(row.places).reverse()) {
      const position = row.first + BigInt(place);
      if (position < low) return;
      if (position <= high) yield position;
    }
    from = row.first - 1n;
  }
}

interface ListRow {
  readonly first: bigint;
  readonly places: Uint8Array;
}

function tailOf(sql: Statements, list: string, low: bigint, high: bigint): bigint[] {
  if (low > high) return [];
  return (placesByList(sql, low, high, list).get(list) ?? []).map((place) => low + BigInt(place));
}

function transfersWithWords(sql: Statements, filter: Filter, { from, up, most }: Walk): Transfer[] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const when = (condition: string, ...given: (SqlValue | undefined)[]): void => {
    if (given[0] === undefined) return;
    conditions.push(condition);
    values.push(...(given as SqlValue[]));
  };
  when('t.reference = ?', filter.reference);
  when('t.external_id = ?', filter.externalId);
  when('t.currency = ?', filter.currency);
  when('(t.from_account = ? OR t.to_account = ?)', filter.account, filter.account);
  when('t.position > ?', filter.above);
  when('t.position < ?', filter.below);
  when(up ? 't.position > ?' : 't.position < ?', from);
  const text =
    `SELECT ${TRANSFER_COLUMNS} FROM transfer t ${TRANSFER_JOIN} WHERE ${conditions.join(' AND ')} ` +
    `ORDER BY t.position ${up ? 'ASC' : 'DESC'} LIMIT ?`;
  return sql.all<TransferRow>(text, ...values, BigInt(most)).map(transferOf);
}

function highest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function lowest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
