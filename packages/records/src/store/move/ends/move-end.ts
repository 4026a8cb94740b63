// What a store does as an end of a move: read in the order of a key, insert, remove. The statements are the
// same for both stores.

import type { MovedTable } from '../moved-tables.ts';

/** A value of a column. */
export type EndValue = null | bigint | string | Uint8Array;

/** A row by its columns. */
export type EndRow = Readonly<Record<string, EndValue>>;

/** The role of an end. `former`: the target of a move that is abandoned; like a source it must have records. */
export type EndRole = 'source' | 'target' | 'former';

/** One end. */
export interface MoveEnd {
  readonly kind: 'sqlite' | 'postgres';
  /** The address for a person, without name and password. */
  readonly place: string;
  /** The other openers, in words: their writes may be missed. Undefined without any. */
  readonly inUse: string | undefined;
  /** Rows of a statement with `?` for each value. A source answers from one snapshot. */
  all(text: string, ...values: readonly EndValue[]): Promise<EndRow[]>;
  /** Columns of a table in the order of their names. */
  columns(table: string): Promise<readonly string[]>;
  /** True where a column holds integers. */
  isInteger(table: string, column: string): Promise<boolean>;
  /** The existing rows of some keys, in any order; `select` ends with the table, which is called `a`. */
  find(select: string, table: MovedTable, keys: readonly EndRow[]): Promise<EndRow[]>;
  /** An expression for a column whose row does not have its value. */
  columnExpression(table: string, column: string): string | undefined;
  insert(table: string, columns: readonly string[], rows: readonly EndRow[]): Promise<void>;
  remove(table: string, key: readonly string[], rows: readonly EndRow[]): Promise<void>;
  /** A source: takes a new snapshot. `isBlocked` where writers are blocked (change-watch.ts). */
  refresh(isHeld?: boolean): Promise<void>;
  /** A source: releases its snapshot until `refresh`. */
  endSnapshot(): Promise<void>;
  /** Findings in the ledger or the store, as `octavo doctor` reports them. O(rows). */
  audit(): Promise<readonly string[]>;
  /** Runs in one transaction, which may be nested. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
  /** The position of the newest event ever. */
  newestEvent(): Promise<bigint>;
  /** After everything: raises sequences above all carried rows. */
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
