// The memory of a server is bounded whatever its clients ask for and do not read: by `--memory` for documents,
// and by the limits of answers for the rest.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Served, serveProcess } from './process.ts';

const MB = 1_048_576;
const SEARCHES = 1_000;
const MEMORY = 256 * MB;
/** The documentation says so: what a server takes beside `--memory`. */
const BESIDE = 1_024 * MB;

const skip = process.platform === 'linux' ? false : 'the memory of a process is read from /proc';

/** The largest resident set of a process so far. */
function peakBytes({ child }: Served): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1_024;
}

/** Sends a request and reads no more than the status of its answer. */
function askDeaf(port: number, path: string, body: string, sockets: Socket[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', reject);
    socket.once('data', (bytes) => {
      socket.pause();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1]));
    });
    const head = `host: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`);
  });
}

test('a thousand searches whose pages are not read, then long lists', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-memory-'));
  // On a machine with other work some of the thousand requests take long to arrive.
  const patience = 'headersTimeoutMs=600000,requestTimeoutMs=600000';
  const served = await serveProcess(folder, ['--memory', `${MEMORY / MB}m`, '--limit', patience]);
  const sockets: Socket[] = [];
  try {
    const source = JSON.stringify({ t: 'lorem ipsum '.repeat(800) });
    await served.ask('POST /a/_bulk', `{"index":{}}\n${source}\n`.repeat(300));
    // 3 GB in all.
    const port = Number(new URL(served.url).port);
    const statuses = await Promise.all(
      Array.from({ length: SEARCHES }, () => askDeaf(port, '/a/_search?size=300', '{}', sockets)),
    );
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
    const lists = '{"index":"a"}\n{"size":300}\n'.repeat(1_000);
    await Promise.all([1, 2, 3].map(() => askDeaf(port, '/_msearch', lists, sockets)));
    assert.ok(peakBytes(served) < MEMORY + BESIDE, `${Math.round(peakBytes(served) / MB)} MB`);
    for (const socket of sockets) socket.destroy();
    const { body } = await served.ask('GET /a/_count');
    assert.equal(body['count'], 300);
  } finally {
    for (const socket of sockets) socket.destroy();
    await served.end();
    await rm(folder, { recursive: true, force: true });
  }
});
