// Does the search wire behave the same over a cluster? The very test files that run on the embedded store run there; then
// what only a real cluster can show: far pages by counting, and walks that outlive a node.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOpenSearchNodes } from '../../bench/opensearch.ts';
import { type Served, serveProcess } from '../../packages/server/test/process.ts';
import { filesPass } from './files.ts';
import { WITH_OPENSEARCH } from './parts.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Tests of the wire. What only the embedded store has is skipped in them, each with its reason. */
export const WIRE_FILES: readonly string[] = [
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

/** A test for each file: it passes over the cluster at an address, which is emptied for it. */
export function wireOnCluster(url: string | undefined, files: readonly string[] = WIRE_FILES): void {
  filesPass(files, {
    store: 'OpenSearch',
    environment: { OCTAVO_TEST_DOCUMENTS: url },
    skip: url === undefined ? 'no OpenSearch here' : false,
  });
}

const idOf = (i: number): string => `i${String(i).padStart(6, '0')}`;
/** Heavy ties, and a skew. */
const keyOf = (i: number): number => (i % 2 === 0 ? i % 97 : (i * 2_654_435_761) % 100_003);

async function fill(ask: Served['ask'], index: string, count: number, settings: object): Promise<string[]> {
  const mappings = { properties: { k: { type: 'long' } } };
  assert.equal((await ask(`PUT /${index}`, { settings, mappings })).status, 200);
  for (let at = 0; at < count; at += 5_000) {
    const lines = Array.from({ length: Math.min(5_000, count - at) }, (_, n) => {
      const i = at + n;
      return `{"index":{"_id":"${idOf(i)}"}}\n{${i % 11 === 0 ? '' : `"k":${keyOf(i)}`}}\n`;
    });
    assert.equal((await ask(`POST /${index}/_bulk?refresh=true`, lines.join(''))).body['errors'], false);
  }
  const rank = (i: number): number => (i % 11 === 0 ? -1 : keyOf(i));
  return Array.from({ length: count }, (_, i) => i)
    .sort((a, b) => rank(b) - rank(a) || a - b)
    .map(idOf);
}

interface Hits {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] };
  readonly next_token?: string;
  readonly _scroll_id?: string;
  readonly renewed?: boolean;
}

const ids = (body: unknown): string[] => (body as Hits).hits.hits.map((hit) => hit._id);

/** Pages far beyond the window of an index, exact, by at most 40 searches. */
export function farPagesOnCluster(url: string | undefined): void {
  const skip = url === undefined ? 'no OpenSearch here' : false;
  test('over OpenSearch: any page by its number', { skip, timeout: 300_000 }, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'octavo-far-'));
    const server = await serveProcess(dir, ['--documents', url!]);
    try {
      const order = await fill(server.ask, 'far', 30_000, { number_of_shards: 2, number_of_replicas: 0 });
      for (const page of [1, 400, 501, 900, 1_377, 1_500, 1_501]) {
        const asked = { sort: [{ k: 'desc' }], size: 20, page, _source: false };
        const reply = await fetch(`${server.url}/far/_search`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(asked),
        });
        assert.deepEqual(ids(await reply.json()), order.slice((page - 1) * 20, page * 20), `page ${page}`);
        assert.ok(Number(reply.headers.get('octavo-queries')) <= 40);
      }
    } finally {
      await server.end();
      await rm(dir, { recursive: true, force: true });
    }
  });
}

/** Three nodes, two servers, and a node that is killed in the middle of walks. */
export function walksOutliveANode(postgres: PostgresServer | undefined): void {
  const skip = !WITH_OPENSEARCH || postgres === undefined ? 'needs OpenSearch and PostgreSQL' : false;
  test('walks over three nodes and two servers outlive a node', { skip, timeout: 600_000 }, async (t) => {
    const nodes = await startOpenSearchNodes(3, '400m', console.error);
    if (nodes === undefined) return t.skip('no OpenSearch here');
    const dirs = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'octavo-nodes-'))));
    const flags = ['--documents', nodes.map((node) => node.url).join(), '--records', postgres!.url];
    const servers = await Promise.all(dirs.map((dir) => serveProcess(dir, flags)));
    try {
      const [one] = servers;
      const settings = { number_of_shards: 3, number_of_replicas: 1 };
      const order = await fill(one!.ask, 'walk', 3_000, settings);
      const healthy = await one!.ask('GET /_cluster/health/walk?wait_for_status=green&timeout=60s');
      assert.equal(healthy.body['status'], 'green');

      const sort = [{ k: 'desc' }];
      const walked = { tokens: [] as string[], scroll: [] as string[] };
      let failures = 0;
      /** Asks one server, then the other; what fails says so, and is asked again with the same place. */
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
        walked.tokens.push(...ids(byToken));
        token = byToken.next_token;
        const byScroll: Hits =
          scroll === undefined
            ? await page(n, 'POST /walk/_search?scroll=5m', { sort, size: 100 })
            : await page(n, `POST /_search/scroll?scroll_seq=${n + 1}`, { scroll_id: scroll, scroll: '5m' });
        walked.scroll.push(...ids(byScroll));
        scroll = byScroll._scroll_id;
        renewed ||= byScroll.renewed === true;
      }
      assert.equal(token, undefined);
      assert.deepEqual(walked.tokens, order);
      assert.deepEqual(walked.scroll, order);
      t.diagnostic(`pages that were asked for again: ${failures}; the scroll was renewed: ${renewed}`);
      assert.equal((await one!.ask('PUT /walk/_doc/after', { k: 1 })).status, 201);
    } finally {
      for (const server of servers) await server.end();
      await Promise.all(nodes.map((node) => node.stop()));
      for (const dir of dirs) await rm(dir, { recursive: true, force: true });
    }
  });
}
