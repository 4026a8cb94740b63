// A webhook of `octavo serve` may call this machine only if its operator allows it, by flag or by variable.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { serveProcess } from '../../../test/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'octavo-private-'));
after(() => rmSync(folder, { recursive: true }));

test('a webhook to a loopback address: refused, and called with --webhook-allow-private', async () => {
  const { promise: called, resolve } = Promise.withResolvers<string>();
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      response.writeHead(204).end();
      resolve(body);
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  after(() => receiver.close());
  const hook = {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    types: ['item.created'],
  };
  const strict = await serveProcess(join(folder, 'strict'), ['--quiet']);
  const refused = await strict.ask('POST /api/webhooks', hook);
  assert.deepEqual([refused.status, refused.body['code']], [400, 'webhook-address-refused']);
  await strict.end();
  const open = await serveProcess(join(folder, 'open'), ['--quiet', '--webhook-allow-private']);
  assert.equal((await open.ask('POST /api/webhooks', hook)).status, 201);
  assert.equal((await open.ask('POST /api/newsfeed', { author: 'ada', text: 'hello' })).status, 201);
  assert.match(await called, /item\.created/);
  await open.end();
});
