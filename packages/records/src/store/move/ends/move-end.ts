// What a store does as an end of a move: read in the order of a key, insert, remove. The statements are the
// same for both stores.

import type { MovedTable } from '../moved-tables.ts';

/** A value of a column. */
export type EndValue = null | bigint | string | Uint8Array;

/** A row by its columns. */
export type EndRow = Readonly<Record<string, EndValue>>;

/** What is done with an end. A former target was left by a move that is given up: like a source it must hold records. */
export type EndRole = 'source' | 'target' | 'former';

/** One end. */
export interface MoveEnd {
  readonly kind: 'sqlite' | 'postgres';
  /** Where it is, for a person: without name and password. */
  readonly place: string;
  /** Who else has it open now, in words; what they write may not be carried. Undefined where nobody has. */
  readonly inUse: string | undefined;
  /** Rows of a statement with `?` for each value. A source answers from one snapshot. */
  all(text: string, ...values: readonly EndValue[]): Promise<EndRow[]>;
  /** Columns of a table in the order of their names. */
  columns(table: string): Promise<readonly string[]>;
  /** True where a column holds integers. */
  isInteger(table: string, column: string): Promise<boolean>;
  /** Rows by their keys, what there is of them, in any order; `select` ends with the table, which is called `a`. */
  find(select: string, table: MovedTable, keys: readonly EndRow[]): Promise<EndRow[]>;
  /** What is read of a column, where that is not what its row says. */
  columnExpression(table: string, column: string): string | undefined;
  insert(table: string, columns: readonly string[], rows: readonly EndRow[]): Promise<void>;
  remove(table: string, key: readonly string[], rows: readonly EndRow[]): Promise<void>;
  /** A source: sees from now on what is committed by now. `isHeld` where nobody can write (watch.ts). */
  refresh(isHeld?: boolean): Promise<void>;
  /** A source: holds no snapshot until it is refreshed. */
  endSnapshot(): Promise<void>;
  /** What is not sound in the ledger or the store, as `octavo doctor` looks. O(rows). */
  audit(): Promise<readonly string[]>;
  /** All of it or nothing. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
  /** The position of the newest event ever. */
  newestEvent(): Promise<bigint>;
  /** After everything: the next numbers are above all that came. */
  finish(newestEvent: bigint): Promise<void>;
  close(): Promise<void>;
}

/** A name in a statement: some are words of SQL. */
export function quoteName(name: string): string {
  return `"${name}"`;
}

export function nameList(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
