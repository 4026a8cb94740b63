// Pages far beyond the window of an index are exact and take few small searches: Octavo's `page` and the
// library's `jumpToPage` over a real OpenSearch, compared with the known order.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { jumpToPage } from '@octavo/paging';
import { opensearchSource } from '@octavo/paging/opensearch';
import { Client } from '@opensearch-project/opensearch';
import { type Served, serveProcess } from '../../packages/server/test/process.ts';
import { fillIndex, idsOf } from './fill-index.ts';
import { WITH_MILLION } from './selected-parts.ts';

const SIZE = 20;
const MOST_QUERIES = 40;

interface Page {
  readonly ids: readonly string[];
  readonly queries: number;
}

/** Pages of 30,000 documents; always part of the suite. */
export function farPagesOnCluster(url: string | undefined): void {
  const skip = url === undefined ? 'no OpenSearch here' : false;
  test('over OpenSearch: any page by its number', { skip, timeout: 900_000 }, () =>
    served(url!, async (server) => {
      const order = await fillIndex(server.ask, 'far', 30_000, {
        number_of_shards: 2,
        number_of_replicas: 0,
      });
      await arrives(order, [1, 400, 501, 900, 1_377, 1_500, 1_501], (page) => pageOf(server, 'far', page));
    }),
  );
}

/** Pages of 1,000,000 documents, which take minutes to write; left out by `OCTAVO_STORES=without-million`. */
export function farPagesOfAMillion(url: string | undefined): void {
  const skip = url === undefined ? 'no OpenSearch here' : WITH_MILLION ? false : 'left out';
  const count = 1_000_000;
  const last = count / SIZE;
  // Includes pages within ties and within the 90,910 documents without a value.
  const pages = [1, 501, 12_345, 31_416, 45_455, 47_000, last, last + 1];
  test('over OpenSearch: any page of a million', { skip, timeout: 3_600_000 }, () =>
    served(url!, async (server) => {
      const settings = { number_of_shards: 2, number_of_replicas: 0 };
      const order = await fillIndex(server.ask, 'million', count, settings);
      await arrives(order, pages, (page) => pageOf(server, 'million', page));
      const client = new Client({ node: url! });
      await arrives(order, [501, 31_416, 45_455, last], librarysOwn(client, 'million'));
      await client.close();
    }),
  );
}

/** Each page is exact and takes at most 40 searches. */
async function arrives(
  order: readonly string[],
  pages: readonly number[],
  jump: (page: number) => Promise<Page>,
): Promise<void> {
  for (const page of pages) {
    const { ids, queries } = await jump(page);
    assert.deepEqual(ids, order.slice((page - 1) * SIZE, page * SIZE), `page ${page}`);
    assert.ok(queries >= 1 && queries <= MOST_QUERIES, `page ${page} took ${queries} searches`);
  }
}

async function pageOf({ url }: Served, index: string, page: number): Promise<Page> {
  const reply = await fetch(`${url}/${index}/_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sort: [{ k: 'desc' }], size: SIZE, page, _source: false }),
  });
  return { ids: idsOf(await reply.json()), queries: Number(reply.headers.get('octavo-queries')) };
}

/** The same with the library alone. */
function librarysOwn(client: Client, index: string): (page: number) => Promise<Page> {
  const source = opensearchSource<{ id: string; k: number | undefined }>(client, {
    index,
    keys: [{ field: 'k', descending: true }],
    id: 'id',
    keepAlive: false,
    item: (hit) => ({ id: hit._id, k: (hit._source as { k?: number }).k }),
    anchor: ({ id, k }) => ({ tuple: [k ?? null], id }),
  });
  return async (page) => {
    const { items, queries } = await jumpToPage(source, [{ descending: true }], page, SIZE);
    return { ids: items.map(({ id }) => id), queries };
  };
}

async function served(url: string, use: (server: Served) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-far-'));
  const server = await serveProcess(dir, ['--documents', url]);
  try {
    await use(server);
  } finally {
    await server.end();
    await rm(dir, { recursive: true, force: true });
  }
}
