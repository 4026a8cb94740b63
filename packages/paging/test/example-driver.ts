import type { DatabaseSync } from 'node:sqlite';
import {
  branchesOf,
  type Cut,
  cutAt,
  type Direction,
  keysOf,
  type PageSource,
  reversed,
} from '@octavo/paging';

/** A table and the order of its list. The table has a column k0, k1, … for each key, and an `id`. */
export interface TableList {
  readonly database: DatabaseSync;
  readonly table: string;
  readonly order: readonly Direction[];
}

/** A row as SQLite gives it, integers as bigints. */
export type TableRow = Readonly<Record<string, string | number | bigint | null>>;

/** Pages of a table, without OFFSET. */
export function tableSource({ database, table, order }: TableList): PageSource<TableRow> {
  const column = (key: number): string => (key < order.length ? `k${key}` : 'id');

  // Each branch is one seek in an index on the keys and the id; the branches follow each other in list order.
  function read(cut: Cut | undefined, backwards: boolean, limit: number): TableRow[] {
    const walked = backwards ? reversed(keysOf(order)) : keysOf(order);
    const sorted = walked.map(
      ({ descending = false, nulls = 'last' }, key) =>
        `${column(key)} ${descending ? 'DESC' : 'ASC'} NULLS ${nulls}`,
    );
    const rows: TableRow[] = [];
    for (const branch of cut === undefined ? [[]] : branchesOf(keysOf(order), cut, backwards)) {
      const values: never[] = [];
      const terms = branch.map((term) => {
        if (!('value' in term)) return `${column(term.key)} IS ${term.test === 'null' ? '' : 'NOT '}NULL`;
        values.push(term.value as never);
        return `${column(term.key)} ${{ equal: '=', less: '<', greater: '>' }[term.test]} ?`;
      });
      const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
      const statement = database.prepare(
        `SELECT * FROM ${table} ${where} ORDER BY ${sorted.join(', ')} LIMIT ${limit - rows.length}`,
      );
      statement.setReadBigInts(true);
      rows.push(...(statement.all(...values) as TableRow[]));
      if (rows.length === limit) break;
    }
    return rows;
  }

  return {
    anchor: (row) => ({ tuple: order.map((_, key) => row[`k${key}`] ?? null), id: String(row['id']) }),
    page({ at, backwards = false, size }) {
      // One row more than requested shows whether there are more.
      const rows = read(at && cutAt(at, order, !backwards), backwards, size + 1);
      const items = rows.slice(0, size);
      return { items: backwards ? items.reverse() : items, more: rows.length > size };
    },
  };
}
