// Walks the journal in both directions: all of it; the transfers of an account or a currency, from the journal's index and from
// the tail that is not indexed yet; or those with a reference or an external id, which are rows with an index of their own.

import type { SqlValue, Statements } from '../../contracts/operation.ts';
import type { TransferConditions, Walk } from '../core/ledger-reads.ts';
import {
  TRANSFER_COLUMNS,
  TRANSFER_JOIN,
  type Transfer,
  type TransferRow,
  transferOfRow,
} from '../model/transfer.ts';
import { indexedUpTo, placesByList, unpackPlaces } from './journal-index.ts';
import { JournalReader } from './journal-reader.ts';

const INDEX_DOWN =
  'SELECT first, places FROM journal_list WHERE list = ? AND first <= ? ORDER BY first DESC LIMIT 1';
const INDEX_UP = 'SELECT first, places FROM journal_list WHERE list = ? AND first > ? ORDER BY first LIMIT 1';

/** Transfers in the order of the walk. O(transfers), and the tail of the journal where its index is walked. */
export function walkTransfers(sql: Statements, filter: TransferConditions, walk: Walk<bigint>): Transfer[] {
  if (filter.reference !== undefined || filter.externalId !== undefined)
    return annotatedTransfers(sql, filter, walk);
  const reader = new JournalReader(sql);
  const low = highest((filter.above ?? 0n) + 1n, walk.up && walk.from !== undefined ? walk.from + 1n : 1n);
  const high = lowest(
    (filter.below ?? reader.end() + 1n) - 1n,
    walk.up || walk.from === undefined ? reader.end() : walk.from - 1n,
  );
  if (low > high) return [];
  const list = filter.account === undefined ? filter.currency : String(filter.account.number);
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

function wholeJournal(
  reader: JournalReader,
  low: bigint,
  high: bigint,
  { up, most }: Walk<bigint>,
): Transfer[] {
  const width = BigInt(most) - 1n;
  if (up) return reader.between(low, lowest(high, low + width));
  return reader.between(highest(low, high - width), high).reverse();
}

function* positionsUp(sql: Statements, list: string, low: bigint, high: bigint): Iterable<bigint> {
  const mark = indexedUpTo(sql);
  // The stretch that contains `low`, then all that follow.
  let row = sql.get<ListRow>(INDEX_DOWN, list, low) ?? sql.get<ListRow>(INDEX_UP, list, low);
  for (; row !== undefined && row.first <= high; row = sql.get<ListRow>(INDEX_UP, list, row.first)) {
    for (const place of unpackPlaces(row.places)) {
      const position = row.first + BigInt(place);
      if (position > high) return;
      if (position >= low) yield position;
    }
  }
  for (const position of tailOf(sql, list, highest(low, mark + 1n), high)) yield position;
}

function* positionsDown(sql: Statements, list: string, low: bigint, high: bigint): Iterable<bigint> {
  const mark = indexedUpTo(sql);
  for (const position of tailOf(sql, list, highest(low, mark + 1n), high).reverse()) yield position;
  for (let from = high; from >= low; ) {
    const row = sql.get<ListRow>(INDEX_DOWN, list, from);
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

function annotatedTransfers(
  sql: Statements,
  filter: TransferConditions,
  { from, up, most }: Walk<bigint>,
): Transfer[] {
  const account = filter.account?.number;
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
  when('(t.from_account = ? OR t.to_account = ?)', account, account);
  when('t.position > ?', filter.above);
  when('t.position < ?', filter.below);
  when(up ? 't.position > ?' : 't.position < ?', from);
  const text =
    `SELECT ${TRANSFER_COLUMNS} FROM transfer t ${TRANSFER_JOIN} WHERE ${conditions.join(' AND ')} ` +
    `ORDER BY t.position ${up ? 'ASC' : 'DESC'} LIMIT ?`;
  return sql.all<TransferRow>(text, ...values, BigInt(most)).map(transferOfRow);
}

function highest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function lowest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
