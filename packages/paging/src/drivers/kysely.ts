// Page source over a table, by Kysely. A page is one SELECT: the branches of the cut (see `cut.ts`), each a
// seek in an index on the keys and the id, joined by UNION ALL and limited to the size of the page. Kysely is
// passed in as an object; the SQL is written here.
//
// SQLite sorts nulls first ascending and last descending. A key with the opposite order needs `nullable` (the
// default) and an index with the expression `(column IS NULL)` before its column. PostgreSQL declares the
// order of nulls in the index.

import { type Branch, branchesOf, type Cut, cutAt, keysOf, reversed, type Term } from '../cut.ts';
import type { Anchor, Direction } from '../order.ts';
import type { CountingSource, CutRange, SourcePage } from '../source.ts';
import type { TupleValue } from '../tuple.ts';

/** The parts of a compiled Kysely query that the source reads. */
export interface CompiledSql {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The method of a `Kysely<DB>` that the source calls. */
export interface QueryExecutor {
  // `never` accepts any compiled query: the list's own compiled query is passed with another text.
  executeQuery(query: never): Promise<{ readonly rows: readonly unknown[] }>;
}

/** One key of the order. */
export interface SqlKey extends Direction {
  readonly column: string;
  /** False if the column is NOT NULL, which gives simpler SQL and simpler indices. @default true */
  readonly nullable?: boolean;
  /** Converts a sort value to the column's type. Default in SQLite: dates as milliseconds, booleans as 0 and 1. */
  toColumn?(value: Exclude<TupleValue, null>): unknown;
}

/** The query, keys and conversions that make a list. */
export interface SqlList<T> {
  readonly dialect: 'sqlite' | 'postgres';
  /** Rows and filter, without order and limit: `db.selectFrom('posts').selectAll().where(…)`. Selects all keys. */
  readonly query: { compile(): CompiledSql };
  readonly keys: readonly SqlKey[];
  /** Unique, NOT NULL, a text in code-point order (PostgreSQL: `COLLATE "C"`, as all text keys). */
  readonly id: string;
  /** A row, as it was read. */
  item(row: Readonly<Record<string, unknown>>): T;
  anchor(item: T): Anchor;
}

/** A list in SQLite or PostgreSQL. A page or a count is one query; a page reads its own rows and a few more. */
export function kyselySource<T>(db: QueryExecutor, list: SqlList<T>): CountingSource<T> {
  const base = list.query.compile();
  const columns: readonly SqlKey[] = [...list.keys, { column: list.id, nullable: false }];
  const order = keysOf(list.keys);

  const run = async (
    write: (sql: SqlText) => void,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const text = new SqlText(list.dialect, base, columns);
    write(text);
    const compiled = { ...base, sql: text.sql, parameters: text.parameters };
    return (await db.executeQuery(compiled as never)).rows as readonly Readonly<Record<string, unknown>>[];
  };

  const readPage = async (cut: Cut | undefined, size: number, backwards: boolean): Promise<SourcePage<T>> => {
    const branches = cut === undefined ? [[]] : branchesOf(order, cut, backwards);
    const rows = await run((sql) => sql.page(branches, backwards ? reversed(order) : order, size + 1));
    const items = rows.slice(0, size).map((row) => list.item(row));
    return { items: backwards ? items.reverse() : items, more: rows.length > size };
  };

  return {
    anchor: (item) => list.anchor(item),
    page: ({ at, backwards = false, size }) =>
      readPage(at === undefined ? undefined : cutAt(at, list.keys, !backwards), size, backwards),
    pageAtCut: (cut, size, backwards = false) => readPage(cut, size, backwards),
    async count(ranges) {
      const rows = await run((sql) => sql.counts(ranges, order));
      const counts: number[] = ranges.map(() => 0);
      for (const row of rows) counts[Number(row['range_no'])]! += Number(row['items']);
      return counts;
    },
  };
}

/** Builds the text of one query and its parameters. */
class SqlText {
  sql = '';
  readonly parameters: unknown[] = [];
  readonly #dialect: 'sqlite' | 'postgres';
  readonly #base: CompiledSql;
  readonly #columns: readonly SqlKey[];

  constructor(dialect: 'sqlite' | 'postgres', base: CompiledSql, columns: readonly SqlKey[]) {
    this.#dialect = dialect;
    this.#base = base;
    this.#columns = columns;
    // PostgreSQL numbers its parameters, so one copy of the base's parameters serves every copy of its text.
    if (dialect === 'postgres') this.parameters.push(...base.parameters);
  }

  /** The branches one after another, each in order, up to `limit` rows in all. */
  page(branches: readonly Branch[], order: readonly Direction[], limit: number): void {
    const sorted = this.#orderBy(order);
    const parts = branches.map((branch, i) => {
      const from = `SELECT list.*, ${i} AS page_branch FROM (${this.#rows()}) AS list`;
      return `SELECT * FROM (${from} WHERE ${this.#all(branch)} ORDER BY ${sorted} LIMIT ${limit}) AS b${i}`;
    });
    const [only] = parts;
    this.sql =
      parts.length === 1 && only !== undefined
        ? `${only} ORDER BY ${sorted}`
        : `SELECT * FROM (${parts.join(' UNION ALL ')}) AS page ORDER BY page_branch, ${sorted} LIMIT ${limit}`;
  }

  /** One row per branch of each range: `range_no`, `items`. */
  counts(ranges: readonly CutRange[], order: readonly Direction[]): void {
    const parts = ranges.flatMap(({ from, to }, i) =>
      (from === undefined ? [[]] : branchesOf(order, from)).map((branch) => {
        const rows = `SELECT ${i} AS range_no, count(*) AS items FROM (${this.#rows()}) AS list`;
        const start = this.#all(branch);
        const end =
          to === undefined
            ? ''
            : ` AND (${branchesOf(order, to, true)
                .map((b) => this.#all(b))
                .join(' OR ')})`;
        return `${rows} WHERE ${start}${end}`;
      }),
    );
    this.sql = parts.join(' UNION ALL ');
  }

  #rows(): string {
    if (this.#dialect === 'sqlite') this.parameters.push(...this.#base.parameters);
    return this.#base.sql;
  }

  #all(branch: Branch): string {
    return branch.length === 0 ? '1 = 1' : `(${branch.map((term) => this.#term(term)).join(' AND ')})`;
  }

  #term(term: Term): string {
    const key = this.#columns[term.key]!;
    const column = quoted(key.column);
    const flagged = this.#flagged(key);
    if (!('value' in term)) {
      const isNull = term.test === 'null';
      if (flagged) return `(${column} IS NULL) = ${Number(isNull)}`;
      return `${column} IS ${isNull ? '' : 'NOT '}NULL`;
    }
    const { value, test } = term;
    this.parameters.push(key.toColumn?.(value) ?? this.#column(value));
    const place = this.#dialect === 'sqlite' ? '?' : `$${this.parameters.length}`;
    const operator = { equal: '=', less: '<', greater: '>' }[test];
    return `${flagged ? `(${column} IS NULL) = 0 AND ` : ''}${column} ${operator} ${place}`;
  }

  #column(value: Exclude<TupleValue, null>): unknown {
    if (this.#dialect === 'postgres') return value;
    if (value instanceof Date) return value.getTime();
    return typeof value === 'boolean' ? Number(value) : value;
  }

  #orderBy(order: readonly Direction[]): string {
    return order
      .map(({ descending = false, nulls = 'last' }, i) => {
        const key = this.#columns[i]!;
        const text = `${quoted(key.column)} ${descending ? 'DESC' : 'ASC'}`;
        if (key.nullable === false) return text;
        if (this.#dialect === 'postgres') return `${text} NULLS ${nulls.toUpperCase()}`;
        if (!this.#flagged(key)) return text;
        return `(${quoted(key.column)} IS NULL) ${nulls === 'last' ? 'ASC' : 'DESC'}, ${text}`;
      })
      .join(', ');
  }

  /** True if SQLite by itself would sort this key's nulls to the other end. */
  #flagged({ nullable = true, descending = false, nulls = 'last' }: SqlKey): boolean {
    return this.#dialect === 'sqlite' && nullable && (nulls === 'last') !== descending;
  }
}

function quoted(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
