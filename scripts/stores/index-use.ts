// PostgreSQL seeks instead of reading and sorting. The plans of pages in the middle of a list, under mixed
// directions and nulls, have only index scans that start at the position, and no sort of more than a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kyselySource } from '@octavo/paging/kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import type { startPostgres } from './postgres-server.ts';

type Server = NonNullable<Awaited<ReturnType<typeof startPostgres>>>;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const ROWS = 200_000;
const SIZE = 20;

export function pagesUseTheIndexOnPostgres(server: Server | undefined): void {
  const skip = server === undefined && 'no PostgreSQL here';
  test(`a page in the middle of ${ROWS} rows of PostgreSQL reads a page`, { skip }, async () => {
    const pool = new Pool({ host: server!.socket, user: 'octavo', database: 'postgres' });
    const db = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: new PostgresDialect({ pool }),
    });
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(db);
    await run('CREATE TABLE plans (id text COLLATE "C" NOT NULL, k0 numeric, k1 text COLLATE "C")');
    await run(
      `INSERT INTO plans SELECT 'id' || i, CASE WHEN i % 10 = 0 THEN NULL ELSE i % 1000 END,
         CASE WHEN i % 7 = 0 THEN NULL ELSE 'w' || i % 50 END FROM generate_series(1, ${ROWS}) AS i`,
    );
    await run('CREATE INDEX plans_walk ON plans (k0 ASC NULLS LAST, k1 DESC NULLS FIRST, id)');
    await run('VACUUM ANALYZE plans');

    const plans: Plan[] = [];
    const source = kyselySource<Record<string, unknown>>(
      {
        executeQuery: async (query) => {
          const { sql: text, parameters } = query as { sql: string; parameters: readonly unknown[] };
          const explained = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...parameters]);
          plans.push(explained.rows[0]['QUERY PLAN'][0].Plan as Plan);
          return await pool.query(text, [...parameters]);
        },
      },
      {
        dialect: 'postgres',
        query: db.selectFrom('plans').selectAll(),
        keys: [{ column: 'k0' }, { column: 'k1', descending: true, nulls: 'first' }],
        id: 'id',
        item: (row) => row,
        anchor: (row) => ({
          tuple: [row['k0'] === null ? null : Number(row['k0']), row['k1'] as string | null],
          id: String(row['id']),
        }),
      },
    );
    const places = [
      { tuple: [500, 'w20'], id: 'id3' },
      { tuple: [500, null], id: 'id3' },
      { tuple: [null, 'w20'], id: 'id3' },
      { tuple: [null, null], id: 'id3' },
    ];
    for (const at of places) {
      for (const backwards of [false, true]) {
        const page = await source.page({ at, backwards, size: SIZE });
        assert.equal(page.items.length, SIZE);
        const [plan] = plans.splice(0);
        const nodes = flat(plan!);
        const types = nodes.map((node) => node['Node Type']);
        const what = `${JSON.stringify(at)} ${backwards ? 'backwards' : 'forwards'}: ${types.join(', ')}`;
        assert.ok(
          types.some((type) => /^Index (Only )?Scan/.test(type)),
          what,
        );
        assert.ok(!types.includes('Seq Scan'), what);
        const read = nodes.reduce(
          (sum, node) =>
            sum + node['Actual Rows'] * node['Actual Loops'] + (node['Rows Removed by Filter'] ?? 0),
          0,
        );
        // At most seven branches each pass one page through a few plan nodes.
        assert.ok(read < 60 * SIZE, `${what}: ${read} rows went through its nodes`);
      }
    }
    await run('DROP TABLE plans');
    await db.destroy();
  });
}

function flat(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(flat)];
}
