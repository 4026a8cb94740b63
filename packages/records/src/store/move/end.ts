// What must a store be able to do to be an end of a move? Read in the order of a key, insert, remove; both stores, in the
// same words.

/** A value of a column. */
export type Value = null | bigint | string | Uint8Array;

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>;

/** One end. */
export interface End {
  readonly kind: 'sqlite' | 'postgres';
  /** Who else has it open now, in words; what they write may not be carried. Undefined where nobody has. */
  readonly inUse: string | undefined;
  /** Rows of a statement with `?` for each value. A source answers from one snapshot. */
  all(text: string, ...values: readonly Value[]): Promise<Row[]>;
  /** Columns of a table in the order of their names. */
  columns(table: string): Promise<readonly string[]>;
  /** What is read of a column, where that is not what its row says. */
  shown(table: string, column: string): string | undefined;
  insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  remove(table: string, key: readonly string[], rows: readonly Row[]): Promise<void>;
  /** All of it or nothing. */
  together<T>(run: () => Promise<T>): Promise<T>;
  /** The position of the newest event ever. */
  newestEvent(): Promise<bigint>;
  /** After everything: the next numbers are above all that came. */
  finish(newestEvent: bigint): Promise<void>;
  close(): Promise<void>;
}

/** A name in a statement: some are words of SQL. */
export function quoted(name: string): string {
  return `"${name}"`;
}

export function listOf(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}
