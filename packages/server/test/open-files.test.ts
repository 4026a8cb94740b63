// The limit of open files of a process: connections beyond it are refused with 503 and never take the
// descriptors of the engine, so writes and merges go on under more clients than the limit has descriptors.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Served, serveProcess } from './process.ts';

const root = mkdtempSync(join(tmpdir(), 'octavo-files-'));
after(() => rmSync(root, { recursive: true, force: true }));
const skip = process.platform === 'win32' ? 'there is no such limit' : false;

/** What a connection got by its end, or after a while. */
interface Dialled {
  readonly socket: Socket;
  text: string;
  isOver: boolean;
}

function dial(url: string, head: string): Dialled {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const dialled: Dialled = { socket, text: '', isOver: false };
  socket.on('error', () => {});
  socket.on('data', (data) => (dialled.text += data));
  socket.on('close', () => (dialled.isOver = true));
  socket.write(head);
  return dialled;
}

/** Asks over one connection, which is open before the others. */
function asker(url: string): { ask: Served['ask']; end(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async ask(line, body) {
      const [method = 'GET', path = '/'] = line.split(' ');
      const sent = request(new URL(path, url), {
        agent,
        method,
        headers: { 'content-type': 'application/json' },
      });
      sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      for await (const part of reply) text += part;
      return { status: reply.statusCode!, body: JSON.parse(text) as Record<string, unknown> };
    },
    end: () => agent.destroy(),
  };
}

const REQUEST = 'GET /files/_count HTTP/1.1\r\nhost: localhost\r\n\r\n';

for (const threads of [1, 2])
  test(`more idle clients than descriptors end nothing, with ${threads} threads`, {
    skip,
    timeout: 120_000,
  }, async (t) => {
    const dir = join(root, `data-${threads}`);
    const served = await serveProcess(dir, ['--threads', String(threads)], { openFiles: 512 });
    t.after(() => served.child.kill('SIGKILL'));
    assert.match(served.stderr(), /leaves room for \d+ connections, not 10000; raise it with ulimit -n/);
    const { ask, end } = asker(served.url);
    assert.equal((await ask('PUT /files/_doc/0', { n: 0 })).status, 201);
    const idle: Dialled[] = [];
    for (let i = 0; i < 700; i++) {
      idle.push(dial(served.url, REQUEST));
      if (i % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // Writes that seal and merge segments, and the change of a mapping.
    let written = 1;
    const line = (n: number): string =>
      `{"index":{"_id":"${n}"}}\n${JSON.stringify({ n, [`f${n % 7}`]: 'red fox' })}\n`;
    for (let batch = 0; batch < 12; batch++) {
      let body = '';
      for (let i = 0; i < 2_000; i++) body += line(written + i);
      const reply = await ask('POST /files/_bulk', body);
      assert.equal(reply.status, 200, JSON.stringify(reply.body).slice(0, 300));
      assert.equal(reply.body['errors'], false);
      written += 2_000;
      assert.equal((await ask('POST /files/_flush')).status, 200);
    }
    assert.equal((await ask('POST /files/_forcemerge?max_num_segments=1')).status, 200);
    const refused = idle.filter(({ text }) => text.startsWith('HTTP/1.1 503'));
    const answered = idle.filter(({ text }) => text.startsWith('HTTP/1.1 200'));
    assert.ok(refused.length > 0, 'none was refused');
    assert.ok(answered.length > 100, `${answered.length} were served`);
    for (const { text } of refused) assert.match(text, /\r\nretry-after: \d+\r\n/);
    for (const { socket } of idle) socket.destroy();
    assert.equal((await ask('GET /files/_count')).body['count'], written);
    end();
    assert.equal(await served.end(), 0, served.stderr());
    const again = await serveProcess(dir);
    assert.equal((await again.ask('GET /files/_count')).body['count'], written);
    assert.equal(await again.end(), 0);
  });
