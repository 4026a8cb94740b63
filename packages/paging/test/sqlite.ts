// Driver of the test suite: lists in an in-memory node:sqlite database through Kysely.

import { DatabaseSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { kyselySource } from '../src/drivers/kysely.ts';
import type { Direction } from '../src/order.ts';
import type { Driver as PagingDriver, Row, TestList } from '../src/testing.ts';

/** Any table. */
export type Tables = Record<string, Record<string, unknown>>;

function sqliteKysely(database: DatabaseSync, saw?: (query: CompiledQuery) => void): Kysely<Tables> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery) {
      saw?.(query);
      const statement = database.prepare(query.sql);
      statement.setReadBigInts(true);
      return { rows: statement.all(...(query.parameters as never[])) as R[] };
    },
    async *streamQuery() {},
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => {},
    commitTransaction: async () => {},
    rollbackTransaction: async () => {},
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** The columns of a SQLite index in this order. */
export function sqliteIndex(order: readonly Direction[]): string {
  return [
    ...order.map(({ descending = false, nulls = 'last' }, i) => {
      const column = `k${i} ${descending ? 'DESC' : 'ASC'}`;
      if ((nulls === 'last') === descending) return column;
      return `(k${i} IS NULL) ${nulls === 'last' ? 'ASC' : 'DESC'}, ${column}`;
    }),
    'id',
  ].join(', ');
}

/** Lists of the suite in SQLite. */
export function sqliteDriver(saw?: (query: CompiledQuery, database: DatabaseSync) => void): PagingDriver {
  return {
    create(rows, order): TestList {
      const database = new DatabaseSync(':memory:');
      const columns = order.map((_, i) => `k${i}`);
      database.exec(`CREATE TABLE rows (id TEXT NOT NULL, ${columns.join(', ')})`);
      database.exec(`CREATE INDEX walk ON rows (${sqliteIndex(order)})`);
      const add = database.prepare(`INSERT INTO rows VALUES (?${', ?'.repeat(order.length)})`);
      const insert = (row: Row): void =>
        void add.run(row.id, ...order.map((_, i) => (row.values[i] ?? null) as string | null));
      for (const row of rows) insert(row);
      const db = sqliteKysely(database, saw && ((query) => saw(query, database)));
      const source = kyselySource<Row>(db, {
        dialect: 'sqlite',
        query: db.selectFrom('rows').selectAll(),
        keys: order.map((direction, i) => ({ ...direction, column: `k${i}` })),
        id: 'id',
        item: (row): Row => ({ id: String(row['id']), values: columns.map((c) => row[c] as bigint | null) }),
        anchor: (row) => ({ tuple: row.values, id: row.id }),
      });
      return {
        source,
        insert,
        remove: (id) => void database.prepare('DELETE FROM rows WHERE id = ?').run(id),
        close: () => database.close(),
      };
    },
  };
}
