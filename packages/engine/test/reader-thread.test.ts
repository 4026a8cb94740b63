// A reader thread sees every acknowledged write while the writer thread writes, seals and merges in growing memory. The writer
// thread continues when a reader thread dies.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MessageChannel, Worker } from 'node:worker_threads';
import { attachReplica, type Engine, open, type SearchRequest } from '@octavo/engine';

interface Answer {
  readonly number: number;
  readonly total?: number;
  readonly rows?: readonly (readonly [id: string, source: string])[];
  readonly error?: string;
}

interface Asked {
  readonly ask: (request: SearchRequest) => Promise<Answer>;
  readonly thread: Worker;
}

function startReader(engine: Engine): Asked {
  const loan = attachReplica(engine);
  const { port1, port2 } = new MessageChannel();
  const waiting = new Map<number, (answer: Answer) => void>();
  const thread = new Worker(new URL('./reader-child.ts', import.meta.url), {
    workerData: { port: port2, loan },
    transferList: [port2, loan.port],
  });
  port1.on('message', (answer: Answer) => {
    waiting.get(answer.number)!(answer);
    waiting.delete(answer.number);
  });
  port1.unref();
  let last = 0;
  const ask = (request: SearchRequest): Promise<Answer> => {
    const number = ++last;
    port1.postMessage({ number, request });
    return new Promise((resolve) => waiting.set(number, resolve));
  };
  return { ask, thread };
}

const folder = await mkdtemp(join(tmpdir(), 'octavo-reader-'));
after(() => rm(folder, { recursive: true, force: true }));

const source = (n: number): Buffer =>
  Buffer.from(JSON.stringify({ n, even: n % 2 === 0, text: `word w${n % 97}` }));
const BATCH = 200;
const ROUNDS = 30;

test('a thread that reads sees every acknowledged write, and each document once', async () => {
  const engine = await open(join(folder, 'live'), { allowReplicas: true, tailDocs: 1_000, threadFrom: 500 });
  await engine.indices.create('live', { mappings: { properties: { n: { type: 'long' } } } });
  const readers = [startReader(engine), startReader(engine)];
  const indices = ['live'];
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = Array.from({ length: BATCH }, (_, i) => round * BATCH + i);
    const written = engine.write([
      ...fresh.map((n) => ({ kind: 'index' as const, index: 'live', id: `d${n}`, source: source(n) })),
      // Written over: each has always one living version.
      ...fresh
        .filter((n) => n >= BATCH)
        .map((n) => ({
          ...{ kind: 'index' as const, index: 'live', id: `d${n - BATCH}`, source: source(n - BATCH) },
        })),
    ]);
    // Beside the write: either none of it or all of it.
    const { total } = await readers[0]!.ask({ indices, query: { match: { text: 'word' } }, size: 0 });
    assert.ok(total === round * BATCH || total === (round + 1) * BATCH, `${total} in round ${round}`);
    await written;
    const count = (round + 1) * BATCH;
    for (const { ask } of readers) {
      const all = await ask({ indices, sort: [{ n: 'asc' }], from: Math.max(0, count - 100), size: 100 });
      assert.equal(all.error, undefined);
      assert.equal(all.total, count);
      assert.deepEqual(
        all.rows,
        Array.from({ length: 100 }, (_, i) => count - 100 + i).map((n) => [`d${n}`, String(source(n))]),
      );
      const words = await ask({ indices, query: { match_phrase: { text: 'word w7' } }, size: 1_000 });
      const expected = Array.from({ length: count }, (_, n) => n).filter((n) => n % 97 === 7);
      assert.deepEqual(new Set(words.rows!.map(([id]) => id)), new Set(expected.map((n) => `d${n}`)));
    }
    if (round === 20) await engine.indices.forceMerge(['live'], 1);
  }
  for (const { thread } of readers) await thread.terminate();
  await engine.close();
});

test('a reading thread that dies takes nothing with it', async () => {
  const engine = await open(join(folder, 'dies'), { allowReplicas: true, tailDocs: 500 });
  const put = (from: number): Promise<unknown> =>
    engine.write(
      Array.from({ length: 300 }, (_, i) => ({
        ...{ kind: 'index' as const, index: 'dies', id: `d${from + i}`, source: source(from + i) },
      })),
    );
  await put(0);
  const [first, second] = [startReader(engine), startReader(engine)];
  const request = { indices: ['dies'], query: { match: { text: 'word' } }, size: 0 };
  assert.equal((await first.ask(request)).total, 300);
  assert.equal((await second.ask(request)).total, 300);
  const gone = new Promise((resolve) => first.thread.once('exit', resolve));
  first.thread.postMessage('die');
  await gone;
  for (let from = 300; from < 3_000; from += 300) await put(from);
  assert.equal((await second.ask(request)).total, 3_000);
  assert.equal((await engine.search(request)).total?.value, 3_000);
  await second.thread.terminate();
  await engine.close();
});
