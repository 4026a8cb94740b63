// A long body is read in several turns of the event loop, so that other work runs between.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { readBody } from './body-reader.ts';

const LENGTH = 4 << 20;
/** Longer than any slice of a turn. */
const LONG_MS = 3;

test('a long body whose slice of a turn is over is read on in a later one, and comes whole', async () => {
  let pauses = 0;
  let body: Uint8Array | undefined;
  const server = createServer((request, response) => {
    // Of the request: a socket that is paused alone goes on as soon as the request is read from.
    request.on('pause', () => pauses++);
    void Promise.resolve(readBody(request, LENGTH)).then((bytes) => {
      body = bytes;
      response.end();
    });
    request.on('data', () => {
      const end = performance.now() + LONG_MS;
      while (performance.now() < end);
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
