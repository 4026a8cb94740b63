// Inserts many rows with few statements: most of the cost of inserting a row is that of its statement.

import type { SqlValue, Statements } from './operation.ts';

/** Rows of one statement; few sizes, so that each stays prepared. */
const SIZES = [64, 16, 4, 1];

const NOTHING: readonly SqlValue[] = [];

/**
 * Inserts rows whose values follow each other in `values`, `width` for each row. `into` is the table with its columns:
 * `outbox (position, time)`. The first columns may have the same values in all rows: those of `alike`.
 */
export function insertRows(
  sql: Statements,
  into: string,
  width: number,
  values: readonly SqlValue[],
  alike: readonly SqlValue[] = NOTHING,
): void {
  let at = 0;
  for (const size of SIZES) {
    for (; values.length - at >= size * width; at += size * width) {
      const rows = values.slice(at, at + size * width);
      sql.run(statementOf(into, width, alike.length, size), ...alike, ...rows);
    }
  }
}

const texts = new Map<string, string>();

function statementOf(into: string, width: number, alike: number, size: number): string {
  const key = `${size} ${into}`;
  let text = texts.get(key);
  if (text === undefined) {
    const marks = (n: number): string => Array.from({ length: n }, () => '?').join(', ');
    const rows = `VALUES ${Array.from({ length: size }, () => `(${marks(width)})`).join(', ')}`;
    // Not by numbers, which would let a value stand in every row: SQLite searches those one by one.
    text = `INSERT INTO ${into} ${alike === 0 ? rows : `SELECT ${marks(alike)}, * FROM (${rows})`}`;
    texts.set(key, text);
  }
  return text;
}
