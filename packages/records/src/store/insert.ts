// How do many rows go in? Many by one statement: what a statement costs beside its rows is most of what one row costs.

import type { SqlValue, Statements } from '../operation.ts';

/** Rows of one statement; few sizes, so that each stays prepared. */
const SIZES = [64, 16, 4, 1];

/**
 * Inserts rows that lie one behind the other in `values`, `width` of them a row. `into` is the table with its columns:
 * `outbox (position, time)`.
 */
export function insertRows(sql: Statements, into: string, width: number, values: readonly SqlValue[]): void {
  let at = 0;
  for (const size of SIZES) {
    for (; values.length - at >= size * width; at += size * width)
      sql.run(statementOf(into, width, size), ...values.slice(at, at + size * width));
  }
}

const texts = new Map<string, string>();

function statementOf(into: string, width: number, size: number): string {
  const key = `${size} ${into}`;
  let text = texts.get(key);
  if (text === undefined) {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
    text = `INSERT INTO ${into} VALUES ${Array.from({ length: size }, () => row).join(', ')}`;
    texts.set(key, text);
  }
  return text;
}
