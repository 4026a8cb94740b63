// The search wire behaves the same over a cluster: the test files of the embedded store run there. Further
// tests need a real cluster: walks that survive the loss of a node.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOpenSearchNodes } from '../../bench/peers/opensearch.ts';
import { serveProcess } from '../../packages/server/test/process.ts';
import { fillIndex, type Hits, idsOf } from './fill-index.ts';
import type { PostgresServer } from './postgres-server.ts';
import { filesPass } from './run-test-files.ts';
import { WITH_OPENSEARCH } from './selected-parts.ts';

/** Test files of the wire. They skip what only the embedded store has, with a reason. */
const WIRE_FILES: readonly string[] = [
  'packages/server/test/http.test.ts',
  'packages/server/test/settings.test.ts',
  'packages/server/test/translated-searches.test.ts',
  'packages/server/test/places.test.ts',
  'packages/server/test/slices.test.ts',
  'packages/server/test/pit-ties.test.ts',
  'packages/server/test/walks.test.ts',
  'packages/server/test/events.test.ts',
  'packages/server/test/cluster-events.test.ts',
  'packages/server/test/cluster-followed.test.ts',
  'packages/server/test/bulk.test.ts',
  'packages/server/test/documents.test.ts',
  'packages/server/test/keys.test.ts',
  'packages/server/test/leaks.property.test.ts',
  'packages/server/test/named-queries.test.ts',
  'packages/server/test/planting.test.ts',
  'packages/server/test/search.test.ts',
  'packages/server/test/security.test.ts',
  'packages/server/test/token-indices.test.ts',
];

/** A test per file: it passes over the cluster at an address, which is emptied first. */
export function wireOnCluster(url: string | undefined, files: readonly string[] = WIRE_FILES): void {
  filesPass(files, {
    store: 'OpenSearch',
    environment: { OCTAVO_TEST_DOCUMENTS: url },
    skip: url === undefined ? 'no OpenSearch here' : false,
  });
}

/** The same while a client follows document events. Writes then take another path, with the same results. */
export function wireWhileFollowed(url: string | undefined): void {
  filesPass(
    ['documents', 'bulk', 'places', 'planting', 'search'].map(
      (name) => `packages/server/test/${name}.test.ts`,
    ),
    {
      store: 'OpenSearch, followed',
      environment: { OCTAVO_TEST_DOCUMENTS: url, OCTAVO_TEST_FOLLOWED: 'true' },
      skip: url === undefined ? 'no OpenSearch here' : false,
    },
  );
}

/** Test files that also pass over Elasticsearch 7 without modules. The others depend on replies that differ, as `_type`. */
const ELASTIC_FILES: readonly string[] = [
  'packages/server/test/walks.test.ts',
  'packages/server/test/bulk.test.ts',
  'packages/server/test/token-indices.test.ts',
];

/** The same over Elasticsearch. */
export function wireOnElasticsearch(url: string | undefined): void {
  filesPass(ELASTIC_FILES, {
    store: 'Elasticsearch',
    environment: { OCTAVO_TEST_DOCUMENTS: url },
    skip: url === undefined ? 'no Elasticsearch here' : false,
  });
}

/** Three nodes, two servers, and a node that is killed during walks. */
export function walksOutliveANode(postgres: PostgresServer | undefined): void {
  const skip = !WITH_OPENSEARCH || postgres === undefined ? 'needs OpenSearch and PostgreSQL' : false;
  test('walks over three nodes and two servers outlive a node', { skip, timeout: 1_800_000 }, async (t) => {
    const nodes = await startOpenSearchNodes(3, '400m', console.error);
    if (nodes === undefined) return t.skip('no OpenSearch here');
    const dirs = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'octavo-nodes-'))));
    const flags = ['--documents', nodes.map((node) => node.url).join(), '--records', postgres!.url];
    const servers = await Promise.all(dirs.map((dir) => serveProcess(dir, flags)));
    try {
      const [one, two] = servers;
      const settings = { number_of_shards: 3, number_of_replicas: 1 };
      const order = await fillIndex(one!.ask, 'walk', 3_000, settings);
      const healthy = await one!.ask('GET /_cluster/health/walk?wait_for_status=green&timeout=60s');
      assert.equal(healthy.body['status'], 'green');

      const sort = [{ k: 'desc' }];
      const walked = { tokens: [] as string[], scroll: [] as string[] };
      let failures = 0;
      /** Asks one server, then the other. A failed request is repeated with the same position. */
      const page = async (n: number, line: string, body: unknown): Promise<Hits> => {
        for (let attempt = 0; ; attempt++) {
          const reply = await servers[(n + attempt) % 2]!.ask(line, body);
          if (reply.status === 200) return reply.body as unknown as Hits;
          failures++;
          assert.ok(attempt < 60, JSON.stringify(reply.body));
          assert.ok('error' in reply.body, JSON.stringify(reply.body));
          await sleep(500);
        }
      };
      let token: string | undefined;
      let scroll: string | undefined;
      let renewed = false;
      for (let n = 0; n < 30; n++) {
        if (n === 5) process.kill(nodes[1]!.pid, 'SIGKILL');
        const place = token === undefined ? {} : { next_token: token };
        const byToken = await page(n, 'POST /walk/_search', { sort, size: 100, tokens: true, ...place });
        walked.tokens.push(...idsOf(byToken));
        token = byToken.next_token;
        const byScroll: Hits =
          scroll === undefined
            ? await page(n, 'POST /walk/_search?scroll=5m', { sort, size: 100 })
            : await page(n, `POST /_search/scroll?scroll_seq=${n + 1}`, { scroll_id: scroll, scroll: '5m' });
        walked.scroll.push(...idsOf(byScroll));
        scroll = byScroll._scroll_id;
        renewed ||= byScroll.renewed === true;
      }
      assert.equal(token, undefined);
      assert.deepEqual(walked.tokens, order);
      assert.deepEqual(walked.scroll, order);
      t.diagnostic(`pages that were asked for again: ${failures}; the scroll was renewed: ${renewed}`);
      // A write on one server is visible on the other once the writer has its reply.
      const before = await two!.ask('GET /api/events?format=json');
      assert.equal((await one!.ask('PUT /walk/_doc/after', { k: 1 })).status, 201);
      const { body } = await two!.ask(`GET /api/events?format=json&after=${String(before.body['next'])}`);
      const told = body['items'] as { type: string; subject: string }[];
      assert.deepEqual(
        told.map(({ type, subject }) => `${type} ${subject}`),
        ['octavo.document.indexed walk/after'],
      );
    } finally {
      for (const server of servers) await server.end();
      await Promise.all(nodes.map((node) => node.stop()));
      for (const dir of dirs) await rm(dir, { recursive: true, force: true });
    }
  });
}
