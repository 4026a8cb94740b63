// How many queries does a far page cost where the store has no ranks? `jumpToPage` over OpenSearch and PostgreSQL, and
// `page` of an Octavo that serves an OpenSearch, exact answers compared with what the rows say, beside deep `from` and OFFSET. `node bench/far-pages.ts --rows 1000000`.

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { jumpToPage } from '@octavo/paging';
import { kyselySource } from '@octavo/paging/kysely';
import { opensearchSource } from '@octavo/paging/opensearch';
import { createEmptyEngine, createServer, openCluster, parseClusterAddress } from '@octavo/server';
import { Client } from '@opensearch-project/opensearch';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { startPostgres } from '../scripts/stores/postgres-server.ts';
import { startOpenSearch } from './opensearch.ts';

const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    jumps: { type: 'string', default: '9' },
    only: { type: 'string' },
  },
});
const ROWS = Number(flags.rows);
const JUMPS = Number(flags.jumps);
const SIZE = 20;

/** Sort values of row i: heavy ties, and a skew (half of the rows share a tenth of the values). */
const keyOf = (i: number): number => (i % 2 === 0 ? i % 97 : (i * 2_654_435_761) % 1_000_003);
const idOf = (i: number): string => `i${String(i).padStart(9, '0')}`;

/** Row numbers in the order of the list: by key, descending, then by id. */
function inOrder(): Uint32Array {
  const rows = Uint32Array.from({ length: ROWS }, (_, i) => i);
  return rows.sort((a, b) => keyOf(b) - keyOf(a) || a - b);
}

interface Store {
  readonly name: string;
  /** Ids of a page by its number, and how many queries that took. */
  jump(page: number): Promise<{ ids: string[]; queries: number }>;
  /** The same by an offset; undefined where the store refuses. */
  offset(from: number): Promise<string[] | undefined>;
}

async function openSearch(): Promise<[Store, () => Promise<void>] | undefined> {
  const peer = await startOpenSearch('2g', console.error);
  if (peer === undefined) return undefined;
  const client = new Client({ node: peer.url });
  await client.indices.create({
    index: 'far',
    body: {
      settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
      mappings: { properties: { id: { type: 'keyword' }, k: { type: 'long' } } },
    },
  });
  for (let at = 0; at < ROWS; at += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, ROWS - at) }, (_, n) => {
      const id = idOf(at + n);
      return `{"index":{"_id":"${id}"}}\n{"id":"${id}","k":${keyOf(at + n)}}\n`;
    });
    const { body } = await client.bulk({ index: 'far', body: lines.join('') as never });
    assert.equal(body.errors, false);
  }
  await client.indices.refresh({ index: 'far' });
  const source = opensearchSource<string>(client, {
    index: 'far',
    keys: [{ field: 'k', descending: true }],
    id: 'id',
    keepAlive: false,
    item: (hit) => (hit._source as { id: string }).id,
    anchor: (id) => ({ tuple: [keyOf(Number(id.slice(1)))], id }),
  });
  const store: Store = {
    name: 'OpenSearch',
    async jump(page) {
      const { items, queries } = await jumpToPage(source, [{ descending: true }], page, SIZE);
      return { ids: [...items], queries };
    },
    async offset(from) {
      try {
        const { body } = await client.search({
          index: 'far',
          body: { from, size: SIZE, sort: [{ k: 'desc' }, { id: 'asc' }], _source: false },
        });
        return body.hits.hits.map((hit) => String(hit._id));
      } catch {
        return undefined;
      }
    },
  };
  return [
    store,
    async () => {
      await client.close();
      await peer.stop();
    },
  ];
}

/** The same list through `octavo serve --documents`: ties by `_id`, queries as its header tells them. */
async function octavoOverOpenSearch(): Promise<[Store, () => Promise<void>] | undefined> {
  const peer = await startOpenSearch('2g', console.error);
  if (peer === undefined) return undefined;
  const cluster = await openCluster(parseClusterAddress(peer.url));
  const server = await createServer(createEmptyEngine(), { cluster, logLevel: 'silent' });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const ask = (line: string, body: string): Promise<Response> => {
    const [method = '', path = ''] = line.split(' ');
    return fetch(`${url}${path}`, { method, body, headers: { 'content-type': 'application/json' } });
  };
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' };
  await ask('PUT /far', JSON.stringify({ settings, mappings: { properties: { k: { type: 'long' } } } }));
  for (let at = 0; at < ROWS; at += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, ROWS - at) }, (_, n) => {
      return `{"index":{"_id":"${idOf(at + n)}"}}\n{"k":${keyOf(at + n)}}\n`;
    });
    const reply = (await (await ask('POST /far/_bulk', lines.join(''))).json()) as { errors: boolean };
    assert.equal(reply.errors, false);
  }
  await ask('POST /far/_refresh', '');
  const search = async (body: object): Promise<{ reply: Response; ids: string[] | undefined }> => {
    const reply = await ask('POST /far/_search', JSON.stringify({ ...body, size: SIZE, _source: false }));
    const { hits } = (await reply.json()) as { hits?: { hits: { _id: string }[] } };
    return { reply, ids: hits?.hits.map((hit) => hit._id) };
  };
  const store: Store = {
    name: 'Octavo over OpenSearch',
    async jump(page) {
      const { reply, ids } = await search({ sort: [{ k: 'desc' }], page });
      return { ids: ids ?? [], queries: Number(reply.headers.get('octavo-queries')) };
    },
    // Beyond the window it is a jump as well.
    offset: async () => undefined,
  };
  return [
    store,
    async () => {
      await server.close();
      await peer.stop();
    },
  ];
}

async function postgres(): Promise<[Store, () => Promise<void>] | undefined> {
  const server = await startPostgres();
  if (server === undefined) return undefined;
  const pool = new Pool({ host: server.socket, user: 'octavo', database: 'postgres' });
  // The server ends its connections when it stops.
  pool.on('error', () => {});
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect: new PostgresDialect({ pool }) });
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(db);
  await run('CREATE TABLE far (id text COLLATE "C" NOT NULL, k bigint NOT NULL)');
  for (let at = 0; at < ROWS; at += 10_000) {
    const numbers = Array.from({ length: Math.min(10_000, ROWS - at) }, (_, n) => at + n);
    await pool.query('INSERT INTO far SELECT * FROM unnest($1::text[], $2::bigint[])', [
      numbers.map(idOf),
      numbers.map(keyOf),
    ]);
  }
  await run('CREATE INDEX far_walk ON far (k DESC, id)');
  await run('VACUUM ANALYZE far');
  const source = kyselySource<string>(db, {
    dialect: 'postgres',
    query: db.selectFrom('far').selectAll(),
    keys: [{ column: 'k', descending: true, nullable: false }],
    id: 'id',
    item: (row) => String(row['id']),
    anchor: (id) => ({ tuple: [keyOf(Number(id.slice(1)))], id }),
  });
  const store: Store = {
    name: 'PostgreSQL',
    async jump(page) {
      const { items, queries } = await jumpToPage(source, [{ descending: true }], page, SIZE);
      return { ids: [...items], queries };
    },
    async offset(from) {
      const { rows } = await pool.query('SELECT id FROM far ORDER BY k DESC, id LIMIT $1 OFFSET $2', [
        SIZE,
        from,
      ]);
      return rows.map((row: { id: string }) => row.id);
    },
  };
  return [
    store,
    async () => {
      await pool.end();
      await server.stop();
    },
  ];
}

const order = inOrder();
console.log(
  `${ROWS} rows, ${JUMPS} pages of ${SIZE} spread over the list, each exact; times are of this machine now`,
);
console.log('store        page     queries  by jump ms  by offset ms');
for (const start of [postgres, openSearch, octavoOverOpenSearch]) {
  if (flags.only !== undefined && flags.only.toLowerCase() !== start.name.toLowerCase()) continue;
  const started = await start();
  if (started === undefined) {
    console.log(`${start.name}: not installed here`);
    continue;
  }
  const [store, stop] = started;
  let most = 0;
  for (let n = 0; n < JUMPS; n++) {
    const page = 1 + Math.floor(((ROWS / SIZE - 1) * n) / Math.max(1, JUMPS - 1));
    const from = (page - 1) * SIZE;
    const expected = [...order.subarray(from, from + SIZE)].map(idOf);
    const began = performance.now();
    const { ids, queries } = await store.jump(page);
    const jumped = performance.now();
    assert.deepEqual(ids, expected, `${store.name}, page ${page}`);
    const by = await store.offset(from);
    const took = by === undefined ? 'refused' : (performance.now() - jumped).toFixed(1);
    if (by !== undefined) assert.deepEqual(by, expected);
    most = Math.max(most, queries);
    console.log(
      `${store.name.padEnd(12)} ${String(page).padStart(6)}  ${String(queries).padStart(7)}  ${(jumped - began).toFixed(1).padStart(10)}  ${took.padStart(12)}`,
    );
  }
  console.log(`${store.name}: at most ${most} queries`);
  await stop();
}
