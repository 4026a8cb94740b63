// The rows of limits of connections, over sockets: a client beyond one gets an error, or is cut.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { listening, periods, type Rows, taken } from './row.ts';

type Names =
  | 'headerBytes'
  | 'headersTimeoutMs'
  | 'requestTimeoutMs'
  | 'keepAliveTimeoutMs'
  | 'writeIdleTimeoutMs'
  | 'connectionsCheckMs'
  | 'connections';

function dial(port: number, text: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

/** One that was cut is closed too, behind its error. */
async function closed(socket: Socket): Promise<void> {
  await new Promise((resolve) => socket.once('close', resolve));
}

/** Everything until the connection ends. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => (text += data));
  await closed(socket);
  return text;
}

const GET = 'GET /a/_count HTTP/1.1\r\nhost: localhost\r\n';
const PUT = 'PUT /a/_doc/1 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
/** What takes node:http, and not the lane of plain requests. */
const ODD = 'expect: 100-continue\r\n';
const SOON = { connectionsCheckMs: 20 };

export const CONNECTION_ROWS: Rows<Names> = {
  async headerBytes() {
    const { port } = await listening({ headerBytes: 1_000 });
    for (const odd of ['', ODD]) {
      const long = `${GET}${odd}connection: close\r\nx-long: ${'x'.repeat(1_000)}\r\n\r\n`;
      assert.match(await heard(dial(port, long)), /^HTTP\/1\.1 431 /);
    }
  },
  async headersTimeoutMs() {
    const { port } = await listening({ ...SOON, headersTimeoutMs: 50 });
    // Long enough otherwise that this never ends.
    assert.match(await heard(dial(port, GET)), /^HTTP\/1\.1 408 |^$/);
    assert.match(await heard(dial(port, '')), /^HTTP\/1\.1 408 |^$/);
  },
  async requestTimeoutMs() {
    const { port } = await listening({ ...SOON, headersTimeoutMs: 50, requestTimeoutMs: 60 });
    for (const odd of ['', ODD])
      assert.match(await heard(dial(port, `${PUT}${odd}content-length: 10\r\n\r\n{}`)), /HTTP\/1\.1 408 /);
  },
  async keepAliveTimeoutMs() {
    const { port } = await listening({ ...SOON, keepAliveTimeoutMs: 1_000 });
    assert.match(await heard(dial(port, `${GET}\r\n`)), /^HTTP\/1\.1 404 .*keep-alive: timeout=1\r/is);
  },
  async writeIdleTimeoutMs() {
    const { ask, app, port } = await listening({ writeIdleTimeoutMs: 100, pageSize: 1_000 });
    const lines = `{"index":{}}\n${JSON.stringify({ t: 'x'.repeat(100_000) })}\n`;
    taken(await ask('POST /a/_bulk', lines.repeat(300)));
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const deaf = dial(port, 'GET /a/_search?size=300 HTTP/1.1\r\nhost: localhost\r\n\r\n');
    deaf.pause();
    const [served] = await accepted;
    await closed(served);
    deaf.destroy();
  },
  async connectionsCheckMs(t) {
    const found = periods(t);
    const { app } = await listening({ connectionsCheckMs: 1_234 });
    assert.ok(found.has(1_234), 'plain connections');
    const { connectionsCheckingInterval } = app.server as unknown as { connectionsCheckingInterval: number };
    assert.equal(connectionsCheckingInterval, 1_234, 'the others');
  },
  async connections() {
    const { ask, port } = await listening({ connections: 2 });
    const open = [dial(port, ''), dial(port, '')];
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    const refused = await heard(dial(port, `${GET}\r\n`));
    assert.match(refused, /^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n.*connection: close\r\n.*"status":503/s);
    const { nodes } = (await ask('GET /_nodes/stats/http')).body;
    assert.equal((Object.values(nodes)[0] as { http: { dropped: number } }).http.dropped, 1);
    for (const socket of open) socket.destroy();
  },
};
