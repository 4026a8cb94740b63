// A server whose records have moved, or have not arrived, says so before it does what no event would be sent
// for: to balancers, to writers of documents in a cluster, in metrics and log. It never tells callers where
// the records are.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRecords, recordsFence } from '@octavo/records';
import { parseClusterAddress } from '../src/proxy/client/address.ts';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { openCluster } from '../src/serve.ts';
import { type Answer, type Ask, askOver } from './ask.ts';
import { eventually } from './eventually.ts';
import { fakeNode } from './fake-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'octavo-moved-'));
after(() => rmSync(folder, { recursive: true }));
const PLACE = '/secret/place';
const TIME = Date.UTC(2026, 0, 2);

/** The row that a move leaves, or takes away. */
function fence(state?: 'gone' | 'coming'): void {
  const database = new DatabaseSync(join(folder, 'records.db'), { timeout: 60_000 });
  database.exec('DELETE FROM move_fence');
  const insert = database.prepare(
    'INSERT INTO move_fence (name, state, place, event, transfers, time, move) VALUES (?, ?, ?, 0, 0, ?, ?)',
  );
  // How the records came here says nothing of writes.
  insert.run('came', 'coming', PLACE, TIME, 'm');
  if (state !== undefined) insert.run('writes', state, PLACE, TIME, 'm');
  database.close();
  // They know nothing of what is changed past the store, and are made anew.
  rmSync(join(folder, 'records.sums'), { force: true });
}

const INDEX = { aliases: {}, mappings: { properties: { n: { type: 'long' } } }, settings: {} };
const WRITTEN = { _index: 'books', _id: '1', result: 'created', _seq_no: 7, _version: 1, _shards: {} };
let whileWritten = (): void => {};
const node = await fakeNode(({ line }) => {
  if (line.startsWith('GET /_all?')) return { books: INDEX };
  if (line.startsWith('POST /_mget')) return { docs: [{ _index: 'books', _id: '1', found: false }] };
  if (line.startsWith('POST /_bulk')) return { took: 1, errors: false, items: [{ create: WRITTEN }] };
  if (!line.startsWith('PUT /books/_doc/')) return { took: 1, hits: { hits: [] }, items: [], errors: false };
  whileWritten();
  return WRITTEN;
});
const writes = (): number =>
  node.heard.filter(({ line }) => /^(PUT|DELETE|POST) \/.*(_doc|_bulk|_update)/.test(line)).length;

/** What was asked about documents: which indices there are is asked now and then by itself. */
const aboutDocuments = (): string[] =>
  node.heard.map(({ line }) => line).filter((line) => /books|_mget|_bulk|_search/.test(line));

interface Opened {
  readonly ask: Ask;
  readonly log: () => string;
  readonly end: () => Promise<void>;
}

/** Records that take a second for their first answer about the fence, as those of a busy machine. */
function slowAtFirst(records: OpenRecords): OpenRecords {
  let waits = true;
  const read: OpenRecords['read'] = async (query, input) => {
    if (waits && Object.is(query, recordsFence)) {
      waits = false;
      await sleep(1_000);
    }
    return await records.read(query, input);
  };
  return new Proxy(records, {
    get(target, name) {
      const own: unknown = name === 'read' ? read : Reflect.get(target, name, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

type OpenRecords = Awaited<ReturnType<typeof openRecords>>;

async function opened(through = (records: OpenRecords): OpenRecords => records): Promise<Opened> {
  const records = through(await openRecords(folder));
  const cluster = await openCluster(parseClusterAddress(node.url));
  let log = '';
  const logStream = { write: (line: string) => void (log += line) };
  const { ask, app } = await askOver(createEmptyEngine(), { records, cluster, logStream });
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => (ending ??= app.close().then(() => records.close()));
  after(end);
  return { ask, log: () => log, end };
}

function assertMoved(answer: Answer, words: RegExp): void {
  assert.equal(answer.status, 503, answer.text);
  assert.equal(answer.headers['retry-after'], '60');
  assert.match(answer.text, words);
  assert.doesNotMatch(answer.text, /secret/);
}

test('records that go while documents are written to a cluster', async () => {
  let { ask, log, end } = await opened();
  assert.equal((await ask('GET /api/health/ready')).body.records, 'ready');
  assert.equal((await ask('PUT /books/_doc/1', { n: 1 })).status, 200);
  // The write is at the cluster already when the records go.
  whileWritten = () => fence('gone');
  const late = await ask('PUT /books/_doc/1', { n: 2 });
  whileWritten = () => {};
  assertMoved(late, /the documents were written, but their events are lost/);
  assert.equal(late.body.error.type, 'records_moved_exception');
  assert.match((await ask('GET /api/metrics')).text, /^octavo_cluster_events_lost_total 1$/m);
  assert.match(log(), /document events are lost.*/);
  assert.match(log(), /"documents":\[\{[^\]]*"id":"1"/);
  assert.match(log(), /"place":"\/secret\/place"/, 'the operator is told where');
  for (const restarted of [false, true]) {
    if (restarted) {
      await end();
      ({ ask, log, end } = await opened());
    }
    const before = writes();
    for (const [line, body] of [
      ['PUT /books/_doc/1', { n: 3 }],
      ['POST /books/_bulk', '{"index":{}}\n{"n":1}\n'],
      ['POST /books/_update/1', { doc: { n: 4 } }],
      ['DELETE /books/_doc/1', undefined],
    ] as const)
      assertMoved(
        await ask(line, body),
        /moved to another store at \[2026-01-02.*the request was not performed/,
      );
    assert.equal(writes(), before, 'nothing was sent');
    assert.equal((await ask('GET /books/_search')).status, 200);
    assertMoved(
      await ask('POST /api/transaction/?from=a&to=b&money=1'),
      /records-moved.*moved to another store at 2026-01-02/,
    );
    const ready = await ask('GET /api/health/ready');
    assertMoved(ready, /moved to another store/);
    const { records, cluster, engine, code } = ready.body;
    assert.deepEqual(
      { records, cluster, engine, code },
      {
        records: 'moved',
        cluster: 'ready',
        engine: 'absent',
        code: 'unavailable',
      },
    );
    assert.equal((await ask('GET /api/health')).status, 200);
  }
  await end();
});

test('records on their way here, and arrived', async () => {
  fence('coming');
  const { ask, end } = await opened();
  const before = writes();
  assertMoved(
    await ask('PUT /books/_doc/1', { n: 1 }),
    /being moved here since \[2026-01-02.*the request was not performed/,
  );
  assert.equal(writes(), before);
  const ready = await ask('GET /api/health/ready');
  assertMoved(ready, /being moved here/);
  assert.equal(ready.body.records, 'coming');
  fence();
  await eventually(async () => assert.equal((await ask('GET /api/health/ready')).status, 200));
  assert.equal((await ask('PUT /books/_doc/1', { n: 1 })).status, 200);
  await end();
});

test('a server that is asked as soon as it is there has looked already', async () => {
  fence('gone');
  const { ask, end } = await opened(slowAtFirst);
  const before = writes();
  assertMoved(await ask('PUT /books/_doc/1', { n: 1 }), /the request was not performed/);
  assert.equal(writes(), before, 'nothing was sent');
  await end();
  fence();
});

test('under a key with a document filter nothing is sent either', async () => {
  fence();
  let { ask, end } = await opened();
  const root = (await ask('POST /api/keys', { name: 'root', scopes: ['*'] })).body.token as string;
  const grant = { name: 'f', scopes: ['search:write'], document_filter: { range: { n: { gte: 0 } } } };
  const made = await ask('POST /api/keys', grant, { authorization: `Bearer ${root}` });
  const mine = { authorization: `Bearer ${made.body.token}` };
  assert.equal((await ask('PUT /books/_doc/1', { n: 1 }, mine)).status, 201, 'it may write');
  for (const state of ['gone', 'coming'] as const) {
    await end();
    fence(state);
    ({ ask, end } = await opened());
    const before = aboutDocuments();
    for (const [line, body] of [
      ['PUT /books/_doc/1', { n: 3 }],
      ['POST /books/_doc', { n: 3 }],
      ['POST /books/_bulk', '{"index":{"_id":"1"}}\n{"n":1}\n'],
      ['POST /books/_update/1', { doc: { n: 4 } }],
      ['DELETE /books/_doc/1', undefined],
    ] as const)
      assertMoved(await ask(line, body, mine), /the request was not performed/);
    assert.deepEqual(aboutDocuments(), before, 'the cluster was not even asked what is there');
  }
  await end();
  fence();
});
