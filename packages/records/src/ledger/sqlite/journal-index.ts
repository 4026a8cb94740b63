// The index of the journal by account and by currency: posting lists that follow the journal a stretch at a time. A row holds
// the transfers of one account within a stretch, so that a transfer costs no row of its own. The tail of the journal that is
// not indexed yet is short and is read directly.
//
// A row of `journal_list` has the number of an account, or a currency; the position of the first transfer of the stretch;
// and how far behind it each of its transfers is, as u16 in rising order, little-endian.

import { insertRows } from '../../contracts/insert-rows.ts';
import type { Statements } from '../../contracts/operation.ts';
import { JournalReader } from './journal-reader.ts';

/** Transfers of a stretch, and of the tail at most between groups: reading that takes less than a millisecond. */
export const STRETCH = 4_096n;

const READ = "SELECT position FROM journal_mark WHERE name = 'lists'";
const WRITE = "UPDATE journal_mark SET position = ? WHERE name = 'lists'";
const ROWS =
  'SELECT position, from_account, to_account, currency FROM transfer WHERE position >= ? AND position <= ?';

/** The writing side of the index. */
export class JournalIndexWriter {
  readonly #sql: Statements;
  /** Everything up to this position is indexed. */
  #mark: bigint | undefined;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The journal ends at `position` now: indexes all stretches that are complete. */
  reach(position: bigint): void {
    this.#mark ??= indexedUpTo(this.#sql);
    const before = this.#mark;
    while (position - this.#mark >= STRETCH) {
      this.#follow(this.#mark + 1n);
      this.#mark += STRETCH;
    }
    if (this.#mark !== before) this.#sql.run(WRITE, this.#mark);
  }

  #follow(first: bigint): void {
    const places = placesByList(this.#sql, first, first + STRETCH - 1n);
    // In the order of their key, so that neighbouring rows go into the same page.
    const lists = [...places.keys()].sort();
    insertRows(
      this.#sql,
      'journal_list (list, first, places)',
      3,
      lists.flatMap((list) => [list, first, packPlaces(places.get(list)!)]),
    );
  }

  /** After a rollback. */
  forget(): void {
    this.#mark = undefined;
  }
}

/** The position up to which the journal is indexed. */
export function indexedUpTo(sql: Statements): bigint {
  return sql.get<{ position: bigint }>(READ)?.position ?? 0n;
}

/**
 * The lists of a stretch of the journal: for each account and currency, the distances of its transfers from `first`. With
 * `only`, just that list. O(transfers).
 */
export function placesByList(
  sql: Statements,
  first: bigint,
  last: bigint,
  only?: string,
): Map<string, number[]> {
  const lists = new Map<string, number[]>();
  const add = (list: string, place: number): void => {
    if (only !== undefined && list !== only) return;
    const places = lists.get(list);
    if (places === undefined) lists.set(list, [place]);
    else places.push(place);
  };
  for (const { position, from_account, to_account, currency } of sql.all<IndexedRow>(ROWS, first, last)) {
    const place = Number(position - first);
    add(String(from_account), place);
    add(String(to_account), place);
    add(currency, place);
  }
  const hasRows = lists.size > 0;
  for (const block of new JournalReader(sql).blocksBetween(first, last)) {
    const names = block.accounts.map(({ number }) => String(number));
    const start = Number(block.first - first);
    const end = Math.min(block.count, Number(last - block.first) + 1);
    for (let at = Math.max(0, -start); at < end; at++) {
      const from = block.from(at);
      add(names[from]!, start + at);
      add(names[block.to(at)]!, start + at);
      add(block.accounts[from]!.currency, start + at);
    }
  }
  if (hasRows) for (const places of lists.values()) places.sort((a, b) => a - b);
  return lists;
}

interface IndexedRow {
  readonly position: bigint;
  readonly from_account: bigint;
  readonly to_account: bigint;
  readonly currency: string;
}

export function packPlaces(places: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(places.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [i, place] of places.entries()) view.setUint16(i * 2, place, true);
  return bytes;
}

export function unpackPlaces(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 2 }, (_, i) => view.getUint16(i * 2, true));
}
