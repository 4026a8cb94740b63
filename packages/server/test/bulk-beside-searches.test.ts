// A long body arrives whole while it is read in pieces between searches.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createServer, listen } from '../src/serve.ts';
import { ownEngine } from './own-engine.ts';

const { engine, end } = await ownEngine();
const app = await createServer(engine, {});
const url = await listen(app, { port: 0 });
after(async () => {
  await app.close();
  await end();
});

async function ask(method: string, path: string, body?: string): Promise<Record<string, never>> {
  const headers = body === undefined ? {} : { 'content-type': 'application/x-ndjson' };
  const reply = await fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
  assert.equal(reply.status, 200);
  return (await reply.json()) as Record<string, never>;
}

test('bulk requests beside searches are taken whole, on connections that are used again', async () => {
  await ask('PUT', '/books', '{}');
  let sending = true;
  let found = 0;
  const searching = (async () => {
    while (sending) {
      const reply = await fetch(new URL('/books/_search', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"size":1}',
      });
      assert.equal(reply.status, 200);
      await reply.arrayBuffer();
      found++;
    }
  })();
  const [bulks, docs] = [8, 600];
  for (let bulk = 0; bulk < bulks; bulk++) {
    let body = '';
    for (let i = 0; i < docs; i++) {
      body += `{"index":{"_id":"${bulk}-${i}"}}\n{"title":"book ${i}","text":"${'word '.repeat(200)}"}\n`;
    }
    const reply = await ask('POST', '/books/_bulk', body);
    assert.equal(reply['errors'], false);
  }
  sending = false;
  await searching;
  assert.ok(found > 0);
  const { count } = await ask('GET', '/books/_count');
  assert.equal(count, bulks * docs);
});
