// A server that closes sends every answer that has begun, however slowly its client reads. A client that
// reads nothing is cut; requests that can no longer be answered are not carried out.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as secure } from 'node:tls';
import { Lane } from '../src/http/lane/lane.ts';
import { createServer, listen } from '../src/serve.ts';
import { eventually } from './eventually.ts';
import { ownEngine } from './own-engine.ts';

/** More than the system takes for a client that does not read. */
const DOCS = 120;
const DOC_BYTES = 200_000;
const BODY = `{"size":${DOCS}}`;
/** A body of unknown length is read by node:http itself. */
const SEARCH =
  'POST /big/_search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
  `transfer-encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

type Options = NonNullable<Parameters<typeof createServer>[1]>;

const tls = (() => {
  const folder = join(import.meta.dirname, 'fixtures/tls');
  return { cert: readFileSync(join(folder, 'a.crt')), key: readFileSync(join(folder, 'a.key')) };
})();

interface Serving {
  readonly engine: Awaited<ReturnType<typeof ownEngine>>['engine'];
  /** A connection to it, over TLS where it has that. */
  dial(): Socket;
  /** The server's ends of its connections. */
  readonly accepted: readonly Socket[];
  close(): Promise<void>;
}

/** What happens over a server that closes once, and an engine that outlives it. */
async function overServer(options: Options, then: (serving: Serving) => Promise<void>): Promise<void> {
  const own = await ownEngine();
  const server = await createServer(own.engine, options);
  const accepted: Socket[] = [];
  server.server.on('connection', (socket) => accepted.push(socket));
  const { hostname: host, port: at } = new URL(await listen(server, { port: 0 }));
  const port = Number(at);
  const dial = (): Socket => {
    const socket = options.tls ? secure({ port, host, rejectUnauthorized: false }) : connect(port, host);
    return socket.on('error', () => {});
  };
  await then({ engine: own.engine, dial, accepted, close: async () => await server.close() });
  await own.end();
}

/** Asks for more than leaves at once, and reads no further than the beginning. */
async function halfRead(
  { engine, dial }: Serving,
  search: string = SEARCH,
): Promise<{ socket: Socket; begin: Buffer }> {
  const source = Buffer.from(JSON.stringify({ text: 'x'.repeat(DOC_BYTES) }));
  for (let id = 0; id < DOCS; id++)
    await engine.write([{ kind: 'index', index: 'big', id: String(id), source }]);
  const socket = dial();
  socket.write(search);
  const [begin] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, begin };
}

/** Of the answer that begins there, its head and its body. */
function lengthOf(begin: Buffer): number {
  const head = begin.indexOf('\r\n\r\n') + 4;
  return head + Number(/content-length: (\d+)/i.exec(String(begin.subarray(0, head)))?.[1]);
}

for (const [how, options] of [
  ['plainly', {}],
  ['over TLS', { tls }],
] as const) {
  test(`an answer that is leaving ${how} leaves whole`, { timeout: 120_000 }, async () => {
    await overServer(options, async (serving) => {
      const { socket, begin } = await halfRead(serving);
      const closed = serving.close();
      await sleep(300);
      let bytes = begin.length;
      socket.on('data', (part) => {
        bytes += part.length;
      });
      socket.resume();
      await once(socket, 'close');
      assert.ok(bytes > DOCS * DOC_BYTES);
      assert.equal(bytes, lengthOf(begin));
      await closed;
    });
  });

  test(`a client that does not read what leaves ${how} is cut`, { timeout: 120_000 }, async () => {
    await overServer({ ...options, limits: { writeIdleTimeoutMs: 1_000 } }, async (serving) => {
      const { socket } = await halfRead(serving);
      await serving.close();
      socket.destroy();
    });
  });

  test(`a client that does not read ${how} holds a close up for one write limit, not for two`, {
    timeout: 120_000,
  }, async () => {
    for (const search of [SEARCH, SEARCH.replace('\r\n\r\n', '\r\nte: trailers\r\n\r\n')])
      await overServer({ ...options, limits: { writeIdleTimeoutMs: 3_000 } }, async (serving) => {
        const { socket } = await halfRead(serving, search);
        // Both wait in the same event loop, so a slow machine delays both.
        const first = await Promise.race([serving.close().then(() => 'closed'), sleep(5_500, 'two limits')]);
        assert.equal(first, 'closed');
        socket.destroy();
      });
  });
}

const plain = (target: string, body = ''): string =>
  `${body === '' ? 'GET' : 'POST'} ${target} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
  `content-length: ${body.length}\r\n\r\n${body}`;

for (const [who, search] of [
  ['a lane', plain('/big/_search', BODY)],
  ['node:http', SEARCH],
] as const) {
  test(`an answer of ${who} leaves whole though its client has sent more`, { timeout: 120_000 }, async () => {
    await overServer({}, async (serving) => {
      const { socket, begin } = await halfRead(serving, search);
      const side = plain('/side/_doc', `{"text":"${'y'.repeat(30_000)}"}`);
      for (let sent = 0; sent < 8; sent++) socket.write(side);
      await sleep(100);
      const closed = serving.close();
      await sleep(100);
      let bytes = begin.length;
      socket.on('data', (part) => {
        bytes += part.length;
      });
      socket.resume();
      await once(socket, 'close');
      // Behind it node:http may have answered what it had read.
      assert.ok(bytes >= lengthOf(begin), `${bytes} of ${lengthOf(begin)} bytes`);
      await closed;
    });
  });
}

for (const [what, behind] of [
  ['', ''],
  [
    ' before a request that has come in part',
    'PUT /one/_doc/1 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{',
  ],
] as const) {
  test(`short answers that wait for their client leave whole${what}`, { timeout: 120_000 }, async () => {
    await overServer({}, async ({ engine, dial, close }) => {
      const source = Buffer.from(JSON.stringify({ text: 'x'.repeat(48_000) }));
      await engine.write([{ kind: 'index', index: 'one', id: '0', source }]);
      const lanes: Lane[] = [];
      const { answer } = Lane.prototype;
      Lane.prototype.answer = function (this: Lane, ...args): number {
        lanes.push(this);
        return answer.apply(this, args);
      };
      const socket = dial();
      try {
        socket.pause();
        // One at a time, until one of them waits.
        for (let asked = 1; !lanes.at(-1)?.hasUnsentBytes; asked++) {
          socket.write(plain('/one/_doc/0'));
          await eventually(() => assert.equal(lanes.length, asked));
        }
      } finally {
        Lane.prototype.answer = answer;
      }
      if (behind !== '') {
        socket.write(behind);
        await eventually(() => assert.equal(lanes.at(-1)?.state, 'partial'));
      }
      const closed = close();
      // Longer than who sends nothing of its request is waited for.
      await sleep(1_500);
      const parts: Buffer[] = [];
      socket.on('data', (part) => parts.push(part));
      socket.resume();
      await once(socket, 'close');
      const all = Buffer.concat(parts);
      assert.equal(all.length, lanes.length * lengthOf(all));
      await closed;
    });
  });
}

for (const [what, before] of [
  ['behind an answer', plain('/')],
  ['first of all', ''],
] as const) {
  test(`what a client has asked before the close, ${what}, is answered`, { timeout: 120_000 }, async () => {
    await overServer({}, async ({ dial, accepted, close }) => {
      const socket = dial();
      let text = '';
      socket.on('data', (part) => (text += part.toString('latin1')));
      await once(socket, 'connect');
      if (before !== '') {
        socket.write(before);
        await eventually(() => assert.match(text, /\}\s*$/));
      } else await eventually(() => assert.equal(accepted.length, 1));
      // In the server's socket, and not read yet.
      socket.write(plain('/_cluster/health'));
      const closed = close();
      await once(socket, 'close');
      assert.equal(text.match(/HTTP\/1\.1 \d/g)?.length, before === '' ? 1 : 2);
      await closed;
    });
  });
}

test('half a head that came before the close is waited for on a new connection, too', {
  timeout: 120_000,
}, async () => {
  await overServer({}, async ({ dial, accepted, close }) => {
    const socket = dial();
    let text = '';
    socket.on('data', (part) => (text += part.toString('latin1')));
    const head = plain('/');
    socket.write(head.slice(0, 20));
    await eventually(() => assert.equal(accepted[0]?.bytesRead, 20));
    const ended = once(socket, 'close');
    const closed = close();
    await sleep(300);
    socket.write(head.slice(20));
    await ended;
    assert.match(text, /^HTTP\/1\.1 \d/);
    await closed;
  });
});

test('a client that sends on and on behind its last answer is cut', { timeout: 120_000 }, async () => {
  await overServer({}, async ({ dial, close }) => {
    const socket = dial();
    socket.on('data', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    const dropped = Buffer.alloc(65_536);
    const flood = setInterval(() => socket.write(dropped), 1);
    // It is reset, so there is an error too.
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(flood);
    assert.ok(socket.bytesWritten < 50 * 1_048_576, `${socket.bytesWritten} bytes`);
    await close();
  });
});

test('a client that keeps its side open is waited for only a moment', { timeout: 120_000 }, async () => {
  await overServer({}, async ({ dial, close }) => {
    const socket = dial();
    socket.allowHalfOpen = true;
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    await close();
    socket.destroy();
  });
});

test('what is asked behind the last answer of a connection is not carried out', {
  timeout: 120_000,
}, async () => {
  await overServer({}, async ({ engine, dial, close }) => {
    const { write } = engine;
    const written: (string | undefined)[] = [];
    engine.write = async (operations, ...more) => {
      const asked = [...operations];
      written.push(...asked.map(({ id }) => id));
      await sleep(300);
      return await write.call(engine, asked, ...more);
    };
    const bulk = (id: string): string => {
      const body = `{"index":{"_index":"slow","_id":"${id}"}}\n{"text":"${'x'.repeat(70_000)}"}\n`;
      const head = 'POST /_bulk HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n';
      return `${head}content-length: ${body.length}\r\n\r\n${body}`;
    };
    const socket = dial();
    let text = '';
    socket.on('data', (part) => {
      text += String(part);
    });
    socket.write(bulk('a'));
    await eventually(() => assert.deepEqual(written, ['a']));
    const closed = close();
    await sleep(50);
    socket.write(bulk('b') + bulk('c') + bulk('d'));
    await once(socket, 'close');
    await closed;
    const answered = [...text.matchAll(/(?<="_id":")\w+/g)].map(([id]) => id);
    assert.deepEqual(written, answered);
    assert.ok(answered.length > 0);
  });
});
