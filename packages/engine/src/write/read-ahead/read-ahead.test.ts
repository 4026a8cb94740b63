// Everything is the same with and without the thread: engines side by side, stretches byte by byte, threads
// that die.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sealedBytes } from '../../../test/sealed.ts';
import { buildAnalysis } from '../../analysis/registry.ts';
import type { Engine, IndexInfo, WriteOp, WriteResult } from '../../api.ts';
import { SimulatedDisk } from '../../disk/simulated.ts';
import { open } from '../../engine/start/open.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { createMemory } from '../../memory/arenas.ts';
import { Recording } from '../../tail/recording/recording.ts';
import { Tail } from '../../tail/tail.ts';
import { IndexState } from '../index-state/index-state.ts';
import { RefreshHistory } from '../leases/refresh-history.ts';
import type { ResolvedOp } from '../operation/operation.ts';
import { ReadAhead } from './read-ahead.ts';

const memory = createMemory();
const ahead = new ReadAhead({ threadFrom: 1 });
after(() => ahead.close());

const mappings = {
  properties: {
    text: { type: 'text', fields: { raw: { type: 'keyword' } } },
    tags: { type: 'keyword' },
    n: { type: 'long' },
    when: { type: 'date' },
  },
};

function stateOf(): IndexState {
  const analysis = buildAnalysis({});
  const info: IndexInfo = {
    name: 'i',
    uuid: 'u',
    createdAt: 0,
    state: 'open',
    settings: {},
    mappings: {},
    aliases: {},
  } as unknown as IndexInfo;
  return new IndexState(1, info, parseMapping(mappings, analysis), analysis, new RefreshHistory());
}

function source(i: number): Buffer {
  if (i % 97 === 5) return Buffer.from(`{"n":"no number ${i}"}`);
  if (i % 89 === 7) return Buffer.from('{"text":');
  const text = Array.from({ length: 3 + (i % 40) }, (_, w) => `w${(i * 31 + w * w) % 501}`).join(' ');
  return Buffer.from(
    JSON.stringify({
      text: `${text} Größe ${i}`,
      tags: [`t${i % 7}`, `u${i}`],
      n: i,
      when: 1_700_000_000_000 + i,
    }),
  );
}

function opsOf(state: IndexState, from: number, to: number): ResolvedOp[] {
  return Array.from({ length: to - from }, (_, i) => ({
    op: { kind: 'index', index: 'i', id: String(from + i), source: source(from + i) },
    state,
  }));
}

async function started(): Promise<void> {
  const state = stateOf();
  while (!ahead.isReady) {
    ahead.begin(opsOf(state, 0, 20), 1_000)?.end();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The sealed segment of documents, each put into a tail by `put`; those that are refused are left out. */
async function sealed(
  ops: readonly ResolvedOp[],
  put: (i: number, tail: Tail) => Promise<void>,
): Promise<Buffer> {
  const tail = new Tail(memory);
  for (let i = 0; i < ops.length; i++) {
    const place = { chunk: 0, offset: 0, length: 1 };
    const id = Buffer.from(ops[i]!.op.id!);
    tail.begin({ id, seqNo: i, version: 1, type: '_doc', routing: undefined, commit: 1, ...place });
    try {
      await put(i, tail);
      tail.end();
    } catch {
      tail.abort();
    }
  }
  tail.closeBatch();
  const bytes = sealedBytes(tail);
  tail.release();
  return bytes;
}

test('what the thread has read makes the segment that the documents make, byte by byte', async () => {
  await started();
  const state = stateOf();
  const map = async ({ op }: ResolvedOp, tail: Tail): Promise<void> => {
    assert.equal(
      mapDocument(state.mapping, op.source!, 0, op.source!.length, tail, { id: '' }),
      state.mapping,
    );
  };
  for (const [from, to] of [
    [0, 40],
    [40, 4_000],
  ] as const) {
    const ops = opsOf(state, from, to);
    const its = ahead.begin(ops, 1_000_000);
    assert.ok(its !== undefined);
    let played = 0;
    const again = await sealed(ops, async (i, tail) => {
      await its.waitFor(i);
      const read = its.at(i);
      if (read === undefined) return map(ops[i]!, tail);
      assert.equal(read.mapping, state.mapping);
      played++;
      read.recording.play(read.document, ops[i]!.op.source!, tail);
    });
    its.end();
    assert.ok(played > (to - from) * 0.9 && played < to - from);
    assert.deepEqual(again, await sealed(ops, (i, tail) => map(ops[i]!, tail)));
  }
});

test('the thread takes no document that is deeper than documents may be by now', async () => {
  const limits = { nesting: 4 };
  const strict = new ReadAhead({ threadFrom: 1, limits });
  const state = stateOf();
  const ops = Array.from({ length: 20 }, (_, i): ResolvedOp => {
    const depth = i % 4;
    const source = Buffer.from(`{"tags":${'['.repeat(depth)}"t"${']'.repeat(depth)}}`);
    return { op: { kind: 'index', index: 'i', id: String(i), source }, state };
  });
  const readBy = async (): Promise<boolean[]> => {
    const its = strict.begin(ops, 1_000)!;
    await its.waitFor(19);
    const read = ops.map((_, i) => its.at(i) !== undefined);
    its.end();
    return read;
  };
  while (!strict.isReady) {
    strict.begin(ops, 1_000)?.end();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(
    await readBy(),
    ops.map(() => true),
  );
  limits.nesting = 3;
  assert.deepEqual(
    await readBy(),
    ops.map((_, i) => i % 4 < 3),
  );
  await strict.close();
});

test('writes that are given up, or jump from index to index, keep nobody waiting', async () => {
  await started();
  const [one, other] = [stateOf(), stateOf()];
  const mixed = opsOf(one, 0, 100).map((entry, i) => (i % 2 === 0 ? entry : { ...entry, state: other }));
  assert.equal(ahead.begin(mixed, 100_000), undefined);
  const given = Array.from({ length: 8 }, () => ahead.begin(opsOf(one, 0, 3_000), 1_000_000)!);
  for (const its of given.slice(0, 7)) its.end();
  const last = given[7]!;
  for (let i = 0; i < 3_000; i++) await last.waitFor(i);
  assert.ok(last.at(2_999) !== undefined);
  last.end();
});

test('a thread that dies leaves its documents to the writer, and is not started for ever', async () => {
  const dies = new URL(
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit()); parentPort.postMessage('ready');",
  );
  const dying = new ReadAhead({ threadFrom: 1, thread: dies });
  const state = stateOf();
  for (let deaths = 0; deaths < 3; ) {
    const its = dying.begin(opsOf(state, 0, 20), 1_000);
    if (its === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    else {
      await its.waitFor(0);
      assert.equal(its.at(0), undefined);
      its.end();
      deaths++;
    }
  }
  assert.equal(dying.isReady, false);
  assert.equal(dying.begin(opsOf(state, 0, 20), 1_000), undefined);
  await dying.close();
});

/**
 * What an engine answers to the same writes: indexing, conflicts, updates, deletes, faults, and fields that
 * are new.
 */
async function life(engine: Engine): Promise<unknown[]> {
  const out: unknown[] = [];
  await engine.indices.create('i', { mappings });
  const tell = ({ error, source: _, ...result }: WriteResult): object => ({
    ...result,
    error: error?.message,
  });
  for (let round = 0; round < 12; round++) {
    const ops: WriteOp[] = [];
    for (let i = 0; i < 300; i++) {
      const n = round * 200 + i;
      const op: WriteOp = { kind: 'index', index: 'i', id: `id${n}`, source: source(n) };
      if (i % 31 === 3) ops.push({ ...op, kind: 'create' });
      else if (i % 37 === 4) ops.push({ kind: 'delete', index: 'i', id: `id${n - 50}` });
      else if (i % 41 === 5)
        ops.push({ kind: 'update', index: 'i', id: `id${n - 20}`, update: { doc: Buffer.from('{"n":7}') } });
      else if (i % 101 === 6) ops.push({ ...op, source: Buffer.from(`{"new${round}":"a field ${n}"}`) });
      else ops.push(op);
    }
    // Two at once, so that one is read while the other is written.
    const results = await Promise.all([engine.write(ops.slice(0, 150)), engine.write(ops.slice(150))]);
    out.push(results.flat().map(tell));
  }
  // Scores count the dead until a segment is made without them, and when that is differs.
  await engine.indices.forceMerge(['i'], 1);
  for (const query of [
    { match: { text: 'w31 größe' } },
    { match_phrase: { text: 'Größe 77' } },
    { exists: { field: 'when' } },
    { term: { tags: 't3' } },
    { range: { n: { gte: 100, lt: 900 } } },
  ]) {
    const { total, hits } = await engine.search({ indices: ['i'], query, size: 50 });
    out.push(
      total,
      hits.map(({ id, score }) => [id, score]),
    );
  }
  out.push(engine.indices.info('i')?.mappings);
  return out;
}

let plays = 0;
const { play, playInSteps } = Recording.prototype;
Recording.prototype.playInSteps = function (...args) {
  plays++;
  return playInSteps.apply(this, args);
};
Recording.prototype.play = function (...args) {
  plays++;
  play.apply(this, args);
};

test('an engine gives the same answers with the thread and without, and after a stop', async () => {
  const lives: unknown[][] = [];
  for (const readAheadFrom of [1, Number.POSITIVE_INFINITY]) {
    const disk = new SimulatedDisk();
    const options = { disk, readAheadFrom, ballastBytes: 0, tailDocs: 700 };
    const engine = await open('/data', options);
    const before = plays;
    // The thread takes its time to start.
    while (readAheadFrom === 1 && plays === before)
      await engine.write(opsOf(stateOf(), 0, 20).map(({ op }) => ({ ...op, index: 'warm' })));
    lives.push(await life(engine));
    assert.equal(plays > before, readAheadFrom === 1);
    await engine.close();
    const again = await open('/data', options);
    assert.deepEqual(await again.verify(), []);
    await again.close();
  }
  assert.deepEqual(lives[0], lives[1]);
});

test('a disk that fills up under writes that are read ahead refuses whole writes; with space again all is well', async () => {
  const disk = new SimulatedDisk();
  const options = { disk, readAheadFrom: 1, ballastBytes: 4096, logChunkBytes: 16_384, tailDocs: 500 };
  const engine = await open('/data', options);
  await engine.indices.create('i', { mappings });
  const write = async (from: number): Promise<string[]> => {
    const ops = Array.from({ length: 40 }, (_, i): WriteOp => {
      const n = from + i;
      return {
        kind: 'index',
        index: 'i',
        id: String(n),
        source: Buffer.from(`{"text":"word w${n}","n":${n}}`),
      };
    });
    const results = await engine.write(ops);
    return results.filter(({ error }) => error === undefined).map(({ id }) => id);
  };
  for (const before = plays; plays === before; ) await write(0);
  disk.capacity = disk.used() + 20_000;
  const kept: string[][] = [];
  // How many go in before it is full depends on which ones are appended together.
  const group = async (k: number): Promise<void> => {
    kept.push(...(await Promise.all([k, k + 1, k + 2].map((at) => write(100 + 40 * at)))));
  };
  while (kept.every(({ length }) => length > 0)) await group(kept.length);
  for (const _ of [1, 2, 3]) await group(kept.length);
  assert.ok(kept.every(({ length }) => length === 0 || length === 40));
  const expected = 40 + kept.flat().length;
  assert.equal(await engine.count({ indices: ['i'], query: { match: { text: 'word' } } }), expected);
  disk.capacity = Number.POSITIVE_INFINITY;
  // The log looks for space again after a second.
  while ((await write(1_000_000)).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
  await engine.close();
  const again = await open('/data', options);
  assert.equal(await again.count({ indices: ['i'] }), expected + 40);
  assert.deepEqual(await again.verify(), []);
  await again.close();
});

test('a large document waits for the thread, as the first write and beyond the bytes that are parsed ahead', async () => {
  const engine = await open('/data', { disk: new SimulatedDisk(), ballastBytes: 0 });
  await engine.indices.create('i', { mappings: { properties: { text: { type: 'text' } } } });
  const large = Buffer.from(JSON.stringify({ text: 'many words '.repeat(900_000) }));
  for (const count of [1, 3]) {
    const before = plays;
    const ids = Array.from({ length: count }, (_, i) => `${count}-${i}`);
    const results = await engine.write(ids.map((id) => ({ kind: 'index', index: 'i', id, source: large })));
    assert.deepEqual(
      results.map(({ error }) => error),
      ids.map(() => undefined),
    );
    assert.equal(plays, before + count);
  }
  assert.equal(await engine.count({ indices: ['i'], query: { match_phrase: { text: 'many words' } } }), 4);
  await engine.close();
});

test('a large document that is new, faulty or updated gives the same with the thread and without', async () => {
  const many = (count: number, of: (i: number) => unknown): unknown[] =>
    Array.from({ length: count }, (_, i) => of(i));
  const keywords = many(20_000, (i) => `keyword-${(i * 7) % 9_000}`);
  const fields = (count: number, value: unknown): object =>
    Object.fromEntries(many(count, (i) => [`${'field'.repeat(40)}${i}`, value]) as [string, unknown][]);
  const nested = (count: number): object => ({ o: many(count, (i) => ({ a: i, [`b${i % 3}`]: 'c' })) });
  const op = (id: string, source: object): WriteOp => ({
    kind: 'index',
    index: 'i',
    id,
    source: Buffer.from(JSON.stringify(source)),
  });
  const update = (id: string, doc: object, more: object = {}): WriteOp => ({
    ...{ kind: 'update', index: 'i', id },
    update: { doc: Buffer.from(JSON.stringify(doc)), ...more },
  });
  const writes: WriteOp[][] = [
    [op('new', { keywords, when: '2026-01-02', o: { x: [1.5, true] } }), op('small', { n: 1 })],
    [op('new', { keywords, n: 3 })],
    [op('objects', nested(20_000))],
    [op('fields', fields(700, 1)), op('too many', fields(1_200, 1))],
    [op('wrong', { keywords, n: 'none' }), op('broken', { keywords, n: { a: 1 } })],
    [{ ...op('new', { keywords, more: 1 }), kind: 'create' }],
    [update('new', { n: 4 }), update('new', { o: { y: 2, z: keywords } }), update('new', { o: { y: 2 } })],
    [update('new', { o: { y: 2 } }, { detectNoop: false }), update('objects', { o: { wrong: { a: 1 } } })],
    [update('objects', { n: { a: 1 } }), update('none', { n: 1 })],
    [update('made', { o: { y: 3, z: keywords } }, { docAsUpsert: true })],
  ];
  const lives: unknown[] = [];
  for (const readAheadFrom of [1, Number.POSITIVE_INFINITY]) {
    const disk = new SimulatedDisk();
    const engine = await open('/data', { disk, readAheadFrom, ballastBytes: 0 });
    await engine.indices.create('i', {
      mappings: { properties: { n: { type: 'long' }, p: { type: 'nested' } } },
    });
    const before = plays;
    const results = (await Promise.all(writes.map((ops) => engine.write(ops)))).flat();
    assert.equal(plays - before >= 8, readAheadFrom === 1, `${plays - before} plays`);
    const counts: number[] = [];
    for (const query of [
      { term: { 'keywords.keyword': 'keyword-7' } },
      { match: { keywords: '7' } },
      { range: { 'o.a': { gte: 5 } } },
      { term: { n: 4 } },
      { exists: { field: 'o.y' } },
    ])
      counts.push(await engine.count({ indices: ['i'], query }));
    lives.push([
      results.map(({ error, source: _, ...result }) => ({
        ...result,
        error: error && [error.type, error.message, error.status, error.causedBy?.message],
      })),
      counts,
      engine.indices.info('i')?.mappings,
      ['new', 'objects', 'made'].map((id) => Buffer.from(engine.get('i', id)!.source!).toString()),
    ]);
    await engine.close();
    const again = await open('/data', { disk, ballastBytes: 0 });
    assert.deepEqual(await again.verify(), []);
    await again.close();
  }
  assert.deepEqual(lives[0], lives[1]);
});
