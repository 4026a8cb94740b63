// The stores suite (`npm run test:stores`). It starts PostgreSQL, OpenSearch and Octavo, runs the paging
// suite on each, and walks one list across all of them by token. Then it runs the records tests on
// PostgreSQL, the wire tests over OpenSearch, moves between stores, and a cluster that loses a node. A store
// that is not installed is reported.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { open } from '@octavo/engine';
import { tokenList, walk } from '@octavo/paging';
import { type Driver, pageSourceCases, type Row, tiedRows } from '@octavo/paging/testing';
import { createServer } from '@octavo/server';
import { Pool } from 'pg';
import { startElasticsearch } from '../../bench/peers/elasticsearch.ts';
import { startOpenSearch } from '../../bench/peers/opensearch.ts';
import { postgresDriver } from '../../packages/paging/test/postgres.ts';
import { sqliteDriver } from '../../packages/paging/test/sqlite.ts';
import { clusterDriver, pitOfOwn } from './clusters.ts';
import { walksOutliveANode, wireOnCluster, wireOnElasticsearch, wireWhileFollowed } from './documents.ts';
import { driftOnPostgres } from './drift.ts';
import { farPagesOfAMillion, farPagesOnCluster } from './far-pages.ts';
import { pagesUseTheIndexOnPostgres } from './index-use.ts';
import { documentsMove } from './migrate-documents.ts';
import { recordsMove } from './migrate-records.ts';
import { startPostgres } from './postgres-server.ts';
import { QUICK_FILES, recordsOnPostgres, SLOW_FILES } from './records.ts';
import { WITH_ELASTICSEARCH, WITH_OPENSEARCH, WITH_QUICK } from './selected-parts.ts';

const drivers = new Map<string, Driver>([['SQLite', sqliteDriver()]]);

const postgres = await startPostgres();
if (postgres !== undefined) {
  const pool = new Pool({ host: postgres.socket, user: 'octavo', database: 'postgres' });
  drivers.set('PostgreSQL', postgresDriver(pool));
  after(async () => {
    await pool.end();
    await postgres.stop();
  });
}

const peer = WITH_OPENSEARCH ? await startOpenSearch('512m', console.error) : undefined;
if (peer !== undefined) {
  const driver = clusterDriver(peer.url, 'opensearch');
  drivers.set('OpenSearch', driver);
  after(async () => {
    await driver.close();
    await peer.stop();
  });
}

const elasticsearch = WITH_ELASTICSEARCH ? await startElasticsearch('512m', console.error) : undefined;
if (elasticsearch !== undefined) {
  const driver = clusterDriver(elasticsearch.url, 'elasticsearch 7');
  drivers.set('Elasticsearch', driver);
  after(async () => {
    await driver.close();
    await elasticsearch.stop();
  });
}

const folder = await mkdtemp(join(tmpdir(), 'octavo-stores-'));
const engine = await open(folder, { ballastBytes: 0 });
const server = await createServer(engine, { logLevel: 'silent' });
const octavo = clusterDriver(await server.listen({ port: 0, host: '127.0.0.1' }), 'octavo');
drivers.set('Octavo', octavo);
after(async () => {
  await octavo.close();
  await server.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

// A current Elasticsearch is in no registry, so its client and driver are tested against Octavo.
const compatible = await createServer(engine, { logLevel: 'silent', compat: 'elasticsearch' });
const elastic = clusterDriver(await compatible.listen({ port: 0, host: '127.0.0.1' }), 'elasticsearch');
drivers.set("Elasticsearch's client on Octavo", elastic);
after(async () => {
  await elastic.close();
  await compatible.close();
});

for (const [store, driver] of drivers)
  for (const { name, run } of pageSourceCases(driver)) test(`${store}: ${name}`, run);

driftOnPostgres(postgres);
pagesUseTheIndexOnPostgres(postgres);
documentsMove(peer);
walksOutliveANode(postgres);
recordsMove(postgres);

test('a store that is not installed', { skip: drivers.size === 6 ? 'all are installed' : false }, (t) => {
  t.diagnostic(`walked without all stores: ${[...drivers.keys()].join(', ')}`);
});

test('a walk continues in another store by its token', async () => {
  const rows = tiedRows(97);
  const order = [{ descending: true, nulls: 'last' }, { nulls: 'first' }] as const;
  const lists = await Promise.all([...drivers.values()].map((driver) => driver.create(rows, order)));
  const expected: string[] = [];
  for await (const row of walk(lists[0]!.source)) expected.push(row.id);
  const walked: string[] = [];
  let token: string | undefined;
  for (let i = 0; i === 0 || token !== undefined; i++) {
    const list = tokenList<Row>(lists[i % lists.length]!.source, {
      fingerprint: { rows: 1 },
      principal: 'ann',
    });
    const page = await list.page({ size: 7, ...(token === undefined ? {} : { token }) });
    walked.push(...page.items.map((r) => r.id));
    token = page.next;
  }
  assert.deepEqual(walked, expected);
  for (const list of lists) await list.close?.();
});

const LOST = [
  ['OpenSearch', peer?.url, 'opensearch'],
  ['Elasticsearch', elasticsearch?.url, 'elasticsearch 7'],
] as const;
for (const [store, url, through] of LOST)
  test(`${store}: a lost point in time is reopened, and the page reports it`, {
    skip: url === undefined && `no ${store} here`,
  }, async () => {
    const ids = tiedRows(30).map(({ id }) => id);
    const lost = await pitOfOwn(url!, through, ids);
    const first = await lost.source.page({ size: 10 });
    await lost.lose();
    const second = await lost.source.page({ size: 20, at: lost.source.anchor(first.items.at(-1)!) });
    assert.equal(first.renewed, undefined);
    assert.equal(second.renewed, true);
    assert.deepEqual([...first.items, ...second.items].toSorted(), ids.toSorted());
    await lost.close();
  });

// The files come last, because the cluster is emptied for each.
farPagesOnCluster(peer?.url);
farPagesOfAMillion(peer?.url);
describe('test files over each store', { concurrency: true }, () => {
  recordsOnPostgres(postgres, WITH_QUICK ? [...QUICK_FILES, ...SLOW_FILES] : SLOW_FILES);
  // One after the other: they share the cluster.
  describe('OpenSearch', { concurrency: 1 }, () => {
    wireOnCluster(peer?.url);
    wireWhileFollowed(peer?.url);
  });
  wireOnElasticsearch(elasticsearch?.url);
});
