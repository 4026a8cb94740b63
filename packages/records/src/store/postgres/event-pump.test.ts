// An event pump lets go of a database that answers no more.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventPump } from './event-pump.ts';

/** A message of the protocol. */
function message(type: string, ...parts: (string | number)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : word(part))),
  );
  return Buffer.concat([Buffer.from(type), word(body.length + 4), body]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const READY = message('Z', 'I');

for (const [when, answers] of [
  ['while it connects', 1],
  ['while it works', 2],
] as const) {
  test(`a database that falls silent ${when} holds no close up`, { timeout: 20_000 }, async () => {
    const sockets: Socket[] = [];
    const asked = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      sockets.push(socket);
      let answered = 0;
      socket.on('error', () => {});
      // It takes the caller, and `LISTEN` where it is to get so far.
      socket.on('data', () => {
        if (answered === answers) asked.resolve();
        else if (answered++ === 0) socket.write(Buffer.concat([message('R', 0), READY]));
        else socket.write(Buffer.concat([message('C', 'LISTEN\0'), READY]));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pump = new EventPump({ host: '127.0.0.1', port, user: 'x', database: 'x' }, 'news', () => {});
    const opened = pump.open().catch(() => {});
    await asked.promise;
    const settled = pump.settle();
    await sleep(100);
    const began = performance.now();
    await pump.close();
    assert.ok(performance.now() - began < 10_000);
    await Promise.all([opened, settled]);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}
