// A page with a document whose bytes have changed on disk reports the damage, whichever way it is answered.
// Other pages, and the process, are not affected.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { open, type WriteOp } from '@octavo/engine';
import { createServer, listen } from '../src/serve.ts';

const DOCS = 400;
const dir = await mkdtemp(join(tmpdir(), 'octavo-damaged-'));
after(() => rm(dir, { recursive: true }));

async function filled(): Promise<void> {
  const engine = await open(dir);
  const properties = { n: { type: 'long' }, text: { type: 'text', index: false } };
  await engine.indices.create('w', { mappings: { properties } });
  for (let from = 0; from < DOCS; from += 50) {
    const ops = Array.from({ length: 50 }, (_, i): WriteOp => {
      const text = Buffer.from(`${(from + i) * 7919}`.repeat(100)).toString('base64');
      return {
        kind: 'index',
        index: 'w',
        id: `d${from + i}`,
        source: Buffer.from(JSON.stringify({ n: from + i, text })),
      };
    });
    await engine.write(ops);
  }
  await engine.indices.flush(['w']);
  await engine.close();
}

/** One bit in the middle of every chunk is another one. */
async function damaged(): Promise<void> {
  for (const name of await readdir(join(dir, 'log'))) {
    const bytes = await readFile(join(dir, 'log', name));
    bytes[bytes.length >> 1]! ^= 4;
    await writeFile(join(dir, 'log', name), bytes);
  }
}

test('a damaged document is told of in every page that has it, asked again and again', {
  timeout: 120_000,
}, async () => {
  await filled();
  await damaged();
  const engine = await open(dir, { logCacheBytes: 64 << 10, onNote: () => {} });
  const app = await createServer(engine);
  after(() => app.close());
  const url = await listen(app, { port: 0 });
  const statuses = new Map<number, number>();
  for (let round = 0; round < 3; round++)
    for (let from = 0; from < DOCS; from += 10) {
      const response = await fetch(`${url}/w/_search`, {
        method: 'POST',
        // Encoded answers go the way that waits.
        headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
        body: JSON.stringify({ sort: [{ n: 'asc' }], from, size: 10 }),
      });
      const body = (await response.json()) as {
        error?: { type: string };
        hits?: { hits: { _source: { n: number } }[] };
      };
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 200)
        assert.deepEqual(
          body.hits!.hits.map(({ _source }) => _source.n),
          Array.from({ length: 10 }, (_, i) => from + i),
        );
      else assert.match(JSON.stringify(body.error), /corrupt_index_exception/);
    }
  assert.deepEqual([...statuses.keys()].sort(), [200, 500]);
  assert.equal(statuses.get(500)! % 3, 0);
});
