// Driver of the test suite: lists in PostgreSQL through Kysely.

import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Pool } from 'pg';
import { kyselySource } from '../src/drivers/kysely.ts';
import type { Driver, Row } from '../src/testing.ts';
import type { Tables } from './sqlite.ts';

let made = 0;

/** One table per list, with an index in its order. Numbers are numeric; texts sort by code point. */
export function postgresDriver(pool: Pool): Driver & { db: Kysely<Tables> } {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    nul: false,
    async create(rows, order) {
      const table = `list${made++}`;
      const kinds = order.map((_, i) =>
        rows.some((r) => typeof r.values[i] === 'string') ? 'text' : 'numeric',
      );
      const type = (kind: string): string => (kind === 'text' ? 'text COLLATE "C"' : kind);
      const columns = kinds.map((kind, i) => `k${i} ${type(kind)}`);
      const run = (text: string): Promise<unknown> => sql.raw(text).execute(db);
      await run(`CREATE TABLE ${table} (id text COLLATE "C" NOT NULL, ${columns.join(', ')})`);
      const keys = order.map(
        ({ descending = false, nulls = 'last' }, i) => `k${i} ${descending ? 'DESC' : 'ASC'} NULLS ${nulls}`,
      );
      await run(`CREATE INDEX ${table}_walk ON ${table} (${keys.join(', ')}, id)`);
      const insert = async (row: Row): Promise<void> => {
        const values = Object.fromEntries(order.map((_, i) => [`k${i}`, row.values[i] ?? null]));
        await db
          .insertInto(table)
          .values({ id: row.id, ...values })
          .execute();
      };
      for (const row of rows) await insert(row);
      const value = (text: unknown, kind: string) =>
        text === null || kind === 'text'
          ? (text as string | null)
          : /^-?\d+$/.test(String(text))
            ? BigInt(String(text))
            : Number(text);
      const source = kyselySource<Row>(db, {
        dialect: 'postgres',
        query: db.selectFrom(table).selectAll(),
        keys: order.map((direction, i) => ({ ...direction, column: `k${i}` })),
        id: 'id',
        item: (row) => ({ id: String(row['id']), values: kinds.map((kind, i) => value(row[`k${i}`], kind)) }),
        anchor: (row) => ({ tuple: row.values, id: row.id }),
      });
      return {
        source,
        insert,
        remove: async (id) => void (await db.deleteFrom(table).where('id', '=', id).execute()),
        close: async () => void (await run(`DROP TABLE ${table}`)),
      };
    },
  };
}
