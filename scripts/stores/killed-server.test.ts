// A server in front of a cluster is killed during a write. Every completed change is still reported as an
// event, by another server or by the same one after its restart. Kills happen at every step of a write and at
// random moments.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from '@octavo/engine';
import { Client } from 'pg';
import { createServer } from '../../packages/server/src/serve.ts';
import { eventually } from '../../packages/server/test/eventually.ts';
import { type Served, serveProcess } from '../../packages/server/test/process.ts';
import { newPlace } from './migrate-records.ts';
import { startPostgres } from './postgres-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'octavo-killed-'));
const engine = await open(join(folder, 'cluster'), { ballastBytes: 0 });
const inner = await createServer(engine, { logLevel: 'silent' });
const cluster = new URL(await inner.listen({ port: 0, host: '127.0.0.1' }));
const postgres = await startPostgres();
after(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await inner.close();
  await engine.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Step = 'asked' | 'answered';
/** What a write meets on its way: holds it for ever where it never resolves. */
let meet: (step: Step) => Promise<void> = async () => {};

/** The cluster, as far as it can be reached. */
const proxy = createHttp((asked, answer) => {
  const parts: Buffer[] = [];
  asked.on('data', (part: Buffer) => parts.push(part));
  asked.on('end', () => void pass(asked.method!, asked.url!, asked.headers, Buffer.concat(parts), answer));
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

async function pass(
  method: string,
  path: string,
  headers: object,
  body: Buffer,
  answer: ServerResponse,
): Promise<void> {
  const isWrite = /_doc|_bulk|_update/.test(path) && method !== 'GET';
  if (isWrite) await meet('asked');
  const { status, type, text } = await new Promise<{ status: number; type: string; text: Buffer }>(
    (resolve, reject) => {
      const request = httpRequest(
        { ...{ hostname: cluster.hostname, port: cluster.port, method, path }, headers: { ...headers } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              type: response.headers['content-type'] ?? 'application/json',
              text: Buffer.concat(parts),
            }),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    },
  );
  if (isWrite) await meet('answered');
  answer.writeHead(status, { 'content-type': type, 'content-length': String(text.length) });
  answer.end(text);
}

interface Event {
  readonly type: string;
  readonly subject: string;
  readonly data: { readonly index: string; readonly id: string; readonly seq_no?: number };
}

async function eventsOf(server: Served, after: string): Promise<Event[]> {
  const all: Event[] = [];
  for (let place = after; ; ) {
    const { status, body } = await server.ask(`GET /api/events?format=json&limit=1000&after=${place}`);
    assert.equal(status, 200, JSON.stringify(body));
    all.push(...(body['items'] as Event[]));
    place = String(body['next']);
    if (body['more'] !== true) return all;
  }
}

/** What is in the cluster now: the newest sequence number by index and id. */
async function there(...indices: string[]): Promise<Map<string, number>> {
  const all = new Map<string, number>();
  for (const index of indices) {
    await fetch(new URL(`/${index}/_refresh`, cluster), { method: 'POST' });
    const body = JSON.stringify({ size: 10_000, seq_no_primary_term: true, _source: false });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(new URL(`/${index}/_search`, cluster), { method: 'POST', headers, body });
    const { hits } = (await reply.json()) as { hits?: { hits: { _id: string; _seq_no: number }[] } };
    for (const { _id, _seq_no } of hits?.hits ?? []) all.set(`${index}/${_id}`, _seq_no);
  }
  return all;
}

const LIMITS = ['clusterIntentMs=3000', 'clusterConnectMs=5000'].flatMap((limit) => ['--limit', limit]);

for (const store of ['SQLite, started again', 'PostgreSQL, another server'] as const) {
  const isShared = store.startsWith('PostgreSQL');
  const skip = isShared && postgres === undefined ? 'PostgreSQL is not installed' : false;
  const index = isShared ? 'shared' : 'own';
  const url = isShared && postgres !== undefined ? newPlace(postgres) : undefined;
  const records = url === undefined ? [] : ['--records', url];
  let started = 0;
  const serve = async (): Promise<Served> =>
    await serveProcess(join(folder, isShared ? `${index}-${started++}` : index), [
      ...['--documents', address, ...records, ...LIMITS],
    ]);
  /** Ends a server as a crash does, and gives one that is left. */
  const killed = async (server: Served): Promise<Served> => {
    const other = isShared ? await serve() : undefined;
    await server.end('SIGKILL');
    return other ?? (await serve());
  };
  const place = async (server: Served): Promise<string> =>
    String((await server.ask('GET /api/events?format=json')).body['next']);

  let left: Served | undefined;
  after(() => left?.end('SIGKILL'));

  test(`a kill at each step: ${store}`, { skip, timeout: 900_000 }, async () => {
    let server = await serve();
    left = server;
    await server.ask(`PUT /${index}-1`, { aliases: { [`${index}-alias`]: {} } });
    await place(server);
    const steps: ('asked' | 'answered' | 'told')[] = isShared
      ? ['asked', 'answered', 'told']
      : ['asked', 'answered'];
    for (const step of steps) {
      const [kept, gone, changed] = [`${step}-kept`, `${step}-gone`, `${step}-changed`];
      for (const id of [gone, changed])
        assert.equal((await server.ask(`PUT /${index}-1/_doc/${id}`, { n: 0 })).status, 201);
      const start = await place(server);
      const before = await there(`${index}-1`, `${index}-2`);
      const held = Promise.withResolvers<void>();
      let waiting = 0;
      const lines = [
        [`PUT /${index}-1/_doc/${kept}`, { n: 1 }],
        [`POST /${index}-1/_doc`, { n: 5 }],
        [`DELETE /${index}-alias/_doc/${gone}`, undefined],
        [`POST /${index}-alias/_update/${changed}`, { doc: { n: 2 } }],
        [
          'POST /_bulk',
          `{"index":{"_index":"${index}-2"}}\n{"n":1}\n{"create":{"_index":"${index}-2","_id":"${step}"}}\n{}\n`,
        ],
      ] as const;
      // Nobody can commit an event: the cluster has answered all, and none of it is told.
      const locker = step === 'told' ? new Client(url) : undefined;
      await locker?.connect();
      await locker?.query('BEGIN; LOCK TABLE outbox_queue IN EXCLUSIVE MODE');
      meet = async (at) => {
        if (at !== (step === 'told' ? 'answered' : step)) return;
        if (++waiting === lines.length) held.resolve();
        if (step !== 'told') await new Promise(() => {});
      };
      const answers = Promise.allSettled(lines.map(([line, body]) => server.ask(line, body)));
      await held.promise;
      if (step === 'told') await sleep(200);
      server = await killed(server);
      left = server;
      await locker?.end();
      meet = async () => {};
      // Events that wait for more than two seconds are acknowledged before they are told.
      const acknowledged = (await answers).filter(({ status }) => status === 'fulfilled');
      assert.ok(acknowledged.length === 0 || step === 'told');
      const now = await there(`${index}-1`, `${index}-2`);
      const changes = [...now].filter(([subject, seqNo]) => before.get(subject) !== seqNo);
      // Where nothing was done, what was there before may be told once more.
      if (step === 'asked') assert.deepEqual(now, before);
      else assert.equal(changes.length, 5, 'one of them with an id that was made on the way');
      const due =
        step === 'asked' ? [...before].filter(([subject]) => /-(gone|changed)$/.test(subject)) : changes;
      await eventually(async () => {
        const told = await eventsOf(server, start);
        for (const [subject, seqNo] of due)
          assert.ok(
            told.some((event) => event.subject === subject && event.data.seq_no === seqNo),
            `${step}: ${subject} at ${seqNo}`,
          );
        if (step === 'asked') assert.ok(!told.some(({ subject }) => !now.has(subject)));
        else {
          const deleted = `${index}-1/${gone}`;
          assert.ok(!now.has(deleted));
          assert.ok(
            told.some(({ type, subject }) => type === 'octavo.document.deleted' && subject === deleted),
            step,
          );
        }
      });
    }
  });

  test(`a kill anywhere: ${store}`, { skip, timeout: 900_000 }, async () => {
    meet = async () => {};
    let server = left!;
    const name = `${index}-any`;
    await server.ask(`PUT /${name}`, {});
    const start = await place(server);
    const acknowledged = new Set<string>();
    let [made, answered] = [0, 0];
    for (let round = 0; round < 3; round++) {
      let isOver = false;
      const current = server;
      const writers = Array.from({ length: 8 }, async (_, line) => {
        for (let i = 0; !isOver; i++) {
          const id = `${line}-${i % 5}`;
          const begun = performance.now();
          const asked =
            i % 3 === 0
              ? current.ask(`POST /${name}/_doc`, { n: made++ })
              : i % 7 === 6
                ? current.ask(`DELETE /${name}/_doc/${id}`)
                : current.ask(`PUT /${name}/_doc/${id}`, { n: made++ });
          const reply = await asked.catch(() => undefined);
          if (reply === undefined) return;
          const { _id, _seq_no, result } = reply.body;
          // Busy for once, or nothing to delete. What waits for two seconds is acknowledged before it is told.
          if (reply.status >= 300 || result === 'not_found') continue;
          answered++;
          if (performance.now() - begun < 1_900) acknowledged.add(`${name}/${_id} ${_seq_no}`);
        }
      });
      const enough = answered + 25 + 20 * round;
      while (answered < enough) await sleep(3 * round);
      server = await killed(current);
      left = server;
      isOver = true;
      await Promise.all(writers);
    }
    // Whatever is left over is due by now, and looked for.
    const inCluster = await there(name);
    await eventually(async () => {
      const events = await eventsOf(server, start);
      const told = new Set(events.map(({ subject, data }) => `${subject} ${data.seq_no}`));
      assert.deepEqual(
        [...inCluster].filter(([subject, seqNo]) => !told.has(`${subject} ${seqNo}`)),
        [],
      );
      // Each acknowledged write, whatever came over it later.
      assert.deepEqual(
        [...acknowledged].filter((each) => !told.has(each)),
        [],
      );
      const mine = events.filter(({ subject }) => subject.startsWith(`${name}/`));
      const gone = mine.filter(({ subject }) => !inCluster.has(subject));
      for (const { subject } of gone)
        assert.ok(
          gone.some((event) => event.subject === subject && event.type.endsWith('deleted')),
          subject,
        );
    });
  });
}
