// Events survive a restart: a stream goes on after its last id; a webhook gets what was not acknowledged,
// under the same id and with a valid signature.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createReceiver, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import { Webhook } from 'standardwebhooks';
import { createServer, listen } from '../src/serve.ts';
import { eventually } from './eventually.ts';
import { follow } from './follow.ts';

interface Run {
  readonly port: number;
  ask(line: string, body?: unknown): Promise<Record<string, unknown>>;
  end(): Promise<void>;
}

/** A server over a data directory; each begins where the one before it ended. */
async function run(dir: string): Promise<Run> {
  const engine = await open(dir, { ballastBytes: 0 });
  const records = await openRecords(dir);
  const app = await createServer(engine, { records, webhookAllowPrivate: true, webhookDelay: () => 5 });
  const url = await listen(app, { port: 0 });
  return {
    port: Number(new URL(url).port),
    async ask(line, body) {
      const [method = 'GET', path = '/'] = line.split(' ');
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json', connection: 'close' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(reply.ok, `${line}: ${reply.status}`);
      return (await reply.json()) as Record<string, unknown>;
    },
    async end() {
      await app.close();
      await records.close();
      await engine.close();
    },
  };
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'octavo-restart-'));
  after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const item = ({ ask }: Run, text: string): Promise<unknown> =>
  ask('POST /api/newsfeed', { author: 'ada', text });

test('a stream goes on behind the last id over restarts, wherever it broke off', async () => {
  const dir = await folder();
  let server = await run(dir);
  let last = (await server.ask('GET /api/events')).next as string;
  const subjects: string[] = [];
  const ids: string[] = [];
  let n = 0;
  for (let round = 0; round < 2; round++) {
    // Some are told before the stream breaks off, some are written after that, some only after the restart.
    const told = follow(server.port, '', (frames) => frames.length >= 3, { 'last-event-id': last });
    for (let i = 0; i < 3; i++) {
      await item(server, `${n}`);
      await server.ask(`PUT /books/_doc/${n++}`, { title: 'x' });
    }
    const { frames } = await told;
    for (const frame of frames.slice(0, 3)) {
      ids.push(frame.data.id);
      subjects.push(frame.data.subject);
      last = frame.id;
    }
    await server.end();
    server = await run(dir);
  }
  const rest = await follow(server.port, '', (frames) => ids.length + frames.length >= 6 * 2, {
    'last-event-id': last,
  });
  for (const frame of rest.frames) {
    ids.push(frame.data.id);
    subjects.push(frame.data.subject);
  }
  assert.equal(new Set(ids).size, 6 * 2, 'each once');
  const documents = subjects.filter((subject) => subject.startsWith('books/'));
  assert.deepEqual(
    documents,
    Array.from({ length: n }, (_, i) => `books/${i}`),
  );
  await server.end();
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers as told; undefined is no answer at all. */
async function receiver(
  answer: (n: number) => number | undefined,
): Promise<{ url: string; got: Received[]; server: Server }> {
  const got: Received[] = [];
  const server = createReceiver((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      const status = answer(got.length);
      if (status !== undefined) response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got, server };
}

test('a webhook is told the rest after a restart: in order, repeats under their id, all signed', async () => {
  const dir = await folder();
  // Three are taken, the fourth is refused until the restart, the sixth hangs when the second server ends.
  let phase = 1;
  const { url, got } = await receiver((n) => {
    if (phase === 1) return n <= 3 ? 204 : 503;
    const { text } = JSON.parse(got.at(-1)!.body).data as { text: string };
    return phase === 2 && text === '5' ? undefined : 200;
  });
  let server = await run(dir);
  const { secret } = (await server.ask('POST /api/webhooks', { url, types: ['item.created'] })) as {
    secret: string;
  };
  for (let i = 0; i < 5; i++) await item(server, `${i}`);
  await eventually(() => assert.ok(got.length >= 5));
  await server.end();
  phase = 2;
  server = await run(dir);
  for (let i = 5; i < 8; i++) await item(server, `${i}`);
  const texts = (): string[] => got.map(({ body }) => JSON.parse(body).data.text as string);
  await eventually(() => assert.ok(texts().includes('5')));
  await server.end();
  phase = 3;
  server = await run(dir);
  await eventually(() => assert.equal(texts().at(-1), '7'));
  await server.end();

  const calls = got.map(({ headers, body }) => ({ id: String(headers['webhook-id']), body }));
  const webhook = new Webhook(secret);
  for (const { headers, body } of got) webhook.verify(body, headers as Record<string, string>);
  // Without repeats: each once and in order. With them: nothing goes backwards, and one id is one event.
  assert.deepEqual([...new Set(texts())], ['0', '1', '2', '3', '4', '5', '6', '7']);
  assert.deepEqual(texts(), texts().toSorted());
  assert.equal(new Set(calls.map(({ id }) => id)).size, 8);
  assert.equal(new Set(calls.map(({ id, body }) => `${id} ${body}`)).size, 8);
  assert.ok(texts().filter((text) => text === '3').length >= 2, 'what was refused is sent again');
  assert.ok(texts().filter((text) => text === '5').length >= 2, 'what was not answered is sent again');
});
