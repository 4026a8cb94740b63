// Does a connection that reads into shared memory get what it was sent, and nobody else's bytes?

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, Server, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { eventually } from '../../test/eventually.ts';
import { leaveShared, readShared } from './shared-reads.ts';

const server = new Server();
before(() => once(server.listen(0, '127.0.0.1'), 'listening'));
after(() => server.close());

/** A client, and the server's end of its connection. */
async function joined(): Promise<[client: Socket, taken: Socket]> {
  const { port } = server.address() as AddressInfo;
  const [[taken], client] = await Promise.all([
    once(server, 'connection') as Promise<[Socket]>,
    connect({ port, host: '127.0.0.1', noDelay: true }),
  ]);
  return [client, taken];
}

test('the Node that we come with can be told so', async () => {
  const [client, taken] = await joined();
  assert.equal(
    readShared(taken, () => {}),
    true,
  );
  client.destroy();
});

test('a socket that keeps nothing of the kind is left alone', () => {
  assert.equal(
    readShared(new Socket(), () => {}),
    false,
  );
  assert.equal(
    readShared({ _handle: {} } as unknown as Socket, () => {}),
    false,
  );
});

test('each gets its own bytes, which stay as they came', async () => {
  const pairs = [await joined(), await joined(), await joined()];
  const sent: Buffer[][] = [[], [], []];
  const came: Buffer[][] = [[], [], []];
  for (const [i, [, taken]] of pairs.entries()) readShared(taken, (bytes) => came[i]!.push(bytes));
  for (let round = 0; round < 40; round++)
    for (const [i, [client]] of pairs.entries()) {
      const bytes = Buffer.alloc((round * 977 * (i + 1)) % 20_000, `${i}:${round} `);
      sent[i]!.push(bytes);
      client.write(bytes);
      if (round % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  const ends = pairs.map(([, taken]) => once(taken, 'end'));
  for (const [client] of pairs) client.end();
  await Promise.all(ends);
  for (const [i, all] of sent.entries())
    assert.equal(Buffer.compare(Buffer.concat(came[i]!), Buffer.concat(all)), 0);
});

test('what is paused reads no more until it goes on', async () => {
  const [client, taken] = await joined();
  let came = 0;
  readShared(taken, (bytes) => {
    came += bytes.length;
    taken.pause();
  });
  client.write(Buffer.alloc(4_000_000));
  await eventually(() => assert.ok(came > 0));
  const before = came;
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(came, before);
  const going = setInterval(() => taken.resume(), 1);
  await eventually(() => assert.equal(came, 4_000_000));
  clearInterval(going);
  client.destroy();
});

test('whoever takes the socket over listens to it as to any other', async () => {
  const [client, taken] = await joined();
  const first: Buffer[] = [];
  readShared(taken, (bytes) => {
    first.push(bytes);
    leaveShared(taken);
  });
  client.write('to the lane');
  await eventually(() => assert.equal(first.length, 1));
  const then: Buffer[] = [];
  taken.on('data', (bytes: Buffer) => then.push(bytes));
  client.write('to its heir');
  await eventually(() => assert.equal(then.length, 1));
  client.end('and the end');
  await once(taken, 'end');
  assert.equal(Buffer.concat(first).toString(), 'to the lane');
  assert.equal(Buffer.concat(then).toString(), 'to its heirand the end');
});
