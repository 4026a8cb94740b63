// PostgreSQL as a peer for lists: Debian's packages, a Unix socket, one table, an index per order.

import { Client, types } from 'pg';
import { startPostgres } from '../../scripts/stores/postgres-server.ts';
import { conditions, type Table, type TableRow } from './table.ts';

const INT8 = 20;
const BATCH = 1000;
const COLUMNS = ['id', 'section', 'score', 'gmt_modified', 'size', 'source'] as const;

/** Undefined if PostgreSQL is not installed. */
export async function openPostgres(): Promise<Table | undefined> {
  const server = await startPostgres();
  if (server === undefined) return undefined;
  types.setTypeParser(INT8, Number);
  const client = new Client({ host: server.socket, user: 'octavo', database: 'postgres' });
  await client.connect();
  await client.query(
    'CREATE TABLE docs (id text COLLATE "C" PRIMARY KEY, section text, score float8, gmt_modified int8, size int, source text)',
  );
  const names = new Map<string, string>();
  /** Statements are prepared once per text; `?` becomes $1, $2, … */
  const all = async (sql: string, values: readonly unknown[]): Promise<unknown[]> => {
    let n = 0;
    const text = sql.replaceAll('?', () => `$${++n}`);
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return (await client.query({ name, text, values: [...values] })).rows as unknown[];
  };
  return {
    async fill(rows) {
      let batch: TableRow[] = [];
      const flush = async (): Promise<void> => {
        await client.query(
          'INSERT INTO docs SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::int8[], $5::int[], $6::text[])',
          COLUMNS.map((column) => batch.map((row) => row[column])),
        );
        batch = [];
      };
      for (const row of rows) if (batch.push(row) === BATCH) await flush();
      await flush();
      await client.query('CREATE INDEX ON docs (gmt_modified DESC, score DESC, id ASC)');
      await client.query('CREATE INDEX ON docs (section, gmt_modified DESC, score DESC, id ASC)');
      await client.query('VACUUM ANALYZE docs');
    },
    async page(ask) {
      const { where, order, values } = conditions(ask);
      const sql = `SELECT * FROM docs ${where} ${order} LIMIT ? OFFSET ?`;
      return (await all(sql, [...values, ask.size, ask.from])) as TableRow[];
    },
    async count(ask) {
      const { where, values } = conditions({ ...ask, after: undefined });
      const [row] = (await all(`SELECT count(*) AS n FROM docs ${where}`, values)) as { n: number }[];
      return row?.n ?? 0;
    },
    async close() {
      await client.end();
      await server.stop();
    },
  };
}
