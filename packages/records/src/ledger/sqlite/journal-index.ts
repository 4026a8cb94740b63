// How is the journal found by account and by currency? By lists that follow it a stretch at a time: a row says which
// transfers of a stretch are those of an account, so that a transfer does not pay for a row of its own. What the lists do
// not have yet is the tail of the journal, which is short and is read as it is.
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

/** The writing side of the lists. */
export class Lists {
  readonly #sql: Statements;
  /** What they hold: everything up to this position. */
  #mark: bigint | undefined;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** The journal ends at `position` now: the lists follow by all stretches that are whole. */
  reach(position: bigint): void {
    this.#mark ??= listedUpTo(this.#sql);
    const before = this.#mark;
    while (position - this.#mark >= STRETCH) {
      this.#follow(this.#mark + 1n);
      this.#mark += STRETCH;
    }
    if (this.#mark !== before) this.#sql.run(WRITE, this.#mark);
  }

  #follow(first: bigint): void {
    const places = placesByList(this.#sql, first, first + STRETCH - 1n);
    // The order of their key: each row goes in beside the one before it, or beside what its list has.
    const lists = [...places.keys()].sort();
    insertRows(
      this.#sql,
      'journal_list (list, first, places)',
      3,
      lists.flatMap((list) => [list, first, packPlaces(places.get(list)!)]),
    );
  }

  /** Something was rolled back. */
  forget(): void {
    this.#mark = undefined;
  }
}

/** Up to where the lists hold the journal; what is behind it is in the journal alone. */
export function listedUpTo(sql: Statements): bigint {
  return sql.get<{ position: bigint }>(READ)?.position ?? 0n;
}

/**
 * What is to be in each list for a stretch of the journal: how far each transfer is behind its first. With `only`, in that
 * list. O(transfers).
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
  for (const { position, from_account, to_account, currency } of sql.all<ListedRow>(ROWS, first, last)) {
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

interface ListedRow {
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
