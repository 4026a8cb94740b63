// Does a long body that threads share leave room for others while it comes?

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { readBody } from './body-reader.ts';

const LENGTH = 24 << 20;

test('a long body is read a slice a turn, and comes whole', async () => {
  let pauses = 0;
  let body: Uint8Array | undefined;
  const server = createServer((request, response) => {
    // Of the request: a socket that is paused alone goes on as soon as the request is read from.
    request.on('pause', () => pauses++);
    void Promise.resolve(readBody(request, LENGTH, true)).then((bytes) => {
      body = bytes;
      response.end();
    });
  });
  after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const sent = Buffer.alloc(LENGTH, 'what is sent is what comes, ');
  const { port } = server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sent });
  await reply.arrayBuffer();
  assert.ok(sent.equals(body!));
  assert.ok(pauses > 0);
});
