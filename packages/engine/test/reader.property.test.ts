// A thread that only reads answers as the thread that writes. Over random lives of indices (writes, deletes,
// seals, merges, mappings, aliases, held-back refreshes, indices deleted and created again), every answer of
// the reader equals the writer's right after each acknowledgement. Searches that began before a change are
// not touched by it.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  attachReplica,
  type Engine,
  EngineError,
  NeedsWriterThread,
  open,
  openReplica,
  type SearchRequest,
  type SearchResult,
  type WriteOp,
} from '@octavo/engine';
import fc from 'fast-check';
import { createMemory } from '../src/memory/arenas.ts';
import type { Block, Memory } from '../src/memory/memory.ts';

const RUNS = Number(process.env['OCTAVO_READER_RUNS'] ?? 8);
const NAMES = ['one', 'two'] as const;
type Name = (typeof NAMES)[number];

// What is used again is written over at once: nobody may be reading it.
const arenas = Object.getPrototypeOf(createMemory()) as Memory;
const { alloc } = arenas;
arenas.alloc = function (this: Memory, bytes: number): Block {
  const block = alloc.call(this, bytes);
  new Uint8Array(block.buffer, block.ptr, block.bytes).fill(0xee);
  return block;
};

const docArb = fc.record(
  {
    n: fc.integer({ min: -3, max: 3 }),
    k: fc.constantFrom('a', 'b', 'ä', 'z'),
    text: fc.constantFrom(
      'red fox',
      'red red hen',
      'blue hen',
      'fox',
      'a hippopotamus that is longer than eight',
    ),
    // Fields that the mapping does not know.
    extra: fc.oneof(fc.integer(), fc.constant('new words')),
    more: fc.record({ deep: fc.boolean() }),
  },
  { requiredKeys: ['n'] },
);
const idArb = fc.integer({ min: 0, max: 60 }).map((n) => `id${n}`);
const nameArb = fc.constantFrom(...NAMES);
const stepArb = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      put: fc.array(fc.tuple(nameArb, idArb, docArb), { minLength: 1, maxLength: 30 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ remove: fc.array(fc.tuple(nameArb, idArb), { maxLength: 15 }) }) },
  { weight: 2, arbitrary: fc.record({ flush: nameArb }) },
  { weight: 2, arbitrary: fc.record({ merge: nameArb }) },
  { weight: 1, arbitrary: fc.record({ recreate: nameArb }) },
  { weight: 1, arbitrary: fc.record({ map: nameArb, field: fc.constantFrom('late', 'later') }) },
  { weight: 1, arbitrary: fc.record({ hold: nameArb, isHeld: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ refresh: nameArb }) },
  { weight: 1, arbitrary: fc.record({ alias: nameArb }) },
  { weight: 1, arbitrary: fc.constant({ another: true as const }) },
);
type Step = typeof stepArb extends fc.Arbitrary<infer S> ? S : never;

const QUERIES: readonly Omit<SearchRequest, 'indices'>[] = [
  { query: { match_all: {} }, sort: [{ n: 'desc' }], size: 100 },
  { query: { match: { text: 'red hen' } }, size: 100 },
  { query: { match: { text: 'hippopotamus' } }, size: 100 },
  { query: { match_phrase: { text: 'red hen' } }, size: 100 },
  {
    query: { range: { n: { gte: 0 } } },
    sort: [{ k: { order: 'asc', missing: '_first' } }],
    from: 3,
    size: 7,
  },
  { query: { term: { k: 'ä' } }, sort: ['n'], size: 100 },
  { query: { wildcard: { text: 'h*' } }, size: 100 },
  { query: { match: { extra: 'words' } }, size: 100 },
  {
    query: { bool: { must: [{ match: { text: 'fox' } }], filter: [{ exists: { field: 'more.deep' } }] } },
    size: 100,
  },
];

interface Seen {
  readonly total: SearchResult['total'];
  readonly hits: readonly (readonly unknown[])[];
}

function seen({ total, hits }: SearchResult): Seen {
  return {
    total,
    hits: hits.map((hit) => [
      hit.index,
      hit.id,
      hit.score,
      hit.sort,
      hit.seqNo,
      hit.version,
      Buffer.from(hit.source).toString(),
    ]),
  };
}

async function answer(engine: Engine, request: SearchRequest): Promise<Seen | string> {
  try {
    return seen(await engine.search(request));
  } catch (error) {
    if (error instanceof EngineError) return `${error.type}: ${error.message}`;
    throw error;
  }
}

function requests(): SearchRequest[] {
  return [['one'], ['two'], [...NAMES]].flatMap((indices) => QUERIES.map((query) => ({ ...query, indices })));
}

async function sameAnswers(leader: Engine, reader: Engine): Promise<void> {
  assert.deepEqual(reader.indices.names(), leader.indices.names());
  assert.equal(reader.snapshot(), leader.snapshot());
  for (const name of leader.indices.names()) {
    const [shown, expected] = [reader, leader].map((engine) => engine.indices.info(name));
    assert.equal(JSON.stringify(shown), JSON.stringify(expected));
    for (let n = 0; n <= 60; n += 7) {
      const [a, b] = [leader, reader].map((engine) => engine.get(name, `id${n}`));
      assert.deepEqual(b, a);
      const [c, d] = [leader, reader].map((engine) => engine.get(name, `id${n}`, { realtime: false }));
      assert.deepEqual(d, c);
    }
  }
  assert.deepEqual(reader.settings.list('test'), leader.settings.list('test'));
  for (const request of requests()) await sameAnswer(leader, reader, request);
}

/**
 * What BM25 counts is counted once for a snapshot, the dead that no merge has dropped with the living: where
 * there was a merge since, two threads may have counted differently, and agree again at the next commit.
 */
async function sameAnswer(leader: Engine, reader: Engine, request: SearchRequest): Promise<void> {
  for (let tries = 1; ; tries++) {
    const [expected, found] = await Promise.all([answer(leader, request), answer(reader, request)]);
    if (isDeepStrictEqual(found, expected)) return;
    if (request.sort !== undefined || tries === 40)
      assert.deepEqual(found, expected, JSON.stringify(request));
    assert.deepEqual(unscored(found), unscored(expected), JSON.stringify(request));
    // Where refreshes are held back, it also counts some of the documents that are not shown yet.
    if (request.indices.some((name) => isHeld(leader, name))) return;
    await leader.write([{ kind: 'index', index: 'tick', id: 'tick', source: encoder.encode('{}') }]);
  }
}

function isHeld({ indices }: Engine, name: string): boolean {
  return indices.info(name)?.settings['index.refresh_interval'] === '-1';
}

/** The same documents, whatever they score. */
function unscored(seen: Seen | string): unknown {
  if (typeof seen === 'string') return seen;
  const { total, hits } = seen;
  const rows = hits.map(([index, id, , ...rest]) => [index, id, ...rest]);
  return { total, rows: rows.sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1)) };
}

const encoder = new TextEncoder();

async function apply(engine: Engine, step: Step): Promise<void> {
  const { indices } = engine;
  const isThere = (name: Name): boolean => indices.names().includes(name);
  if ('put' in step) {
    const ops = step.put.map(
      ([index, id, doc]): WriteOp => ({
        kind: 'index',
        index,
        id,
        source: encoder.encode(JSON.stringify(doc)),
      }),
    );
    await engine.write(ops);
  } else if ('remove' in step)
    await engine.write(step.remove.map(([index, id]): WriteOp => ({ kind: 'delete', index, id })));
  else if ('flush' in step) await (isThere(step.flush) ? indices.flush([step.flush]) : undefined);
  else if ('merge' in step) await (isThere(step.merge) ? indices.forceMerge([step.merge], 1) : undefined);
  else if ('recreate' in step) {
    if (isThere(step.recreate)) await indices.delete([step.recreate]);
    else
      await indices.create(step.recreate, {
        mappings: { properties: { k: { type: 'keyword' }, text: { type: 'text' } } },
      });
  } else if ('map' in step) {
    const mappings = { properties: { [step.field]: { type: 'keyword' } } };
    await (isThere(step.map) ? indices.putMapping([step.map], mappings) : undefined);
  } else if ('hold' in step) {
    const settings = { 'index.refresh_interval': step.isHeld ? '-1' : null };
    await (isThere(step.hold) ? indices.putSettings({ [step.hold]: settings }) : undefined);
  } else if ('refresh' in step) await (isThere(step.refresh) ? indices.refresh([step.refresh]) : undefined);
  else if ('alias' in step) {
    const add = { index: step.alias, alias: 'either', spec: { filter: { term: { k: 'a' } } } };
    await (isThere(step.alias) ? indices.updateAliases([{ add }]) : undefined);
    await engine.settings.put('test', step.alias, { at: engine.snapshot() });
  }
}

const folder = await mkdtemp(join(tmpdir(), 'octavo-reader-'));
after(() => rm(folder, { recursive: true, force: true }));
let opened = 0;

const OPTIONS = { allowReplicas: true, tailDocs: 40, logChunkBytes: 4096, ballastBytes: 0, threadFrom: 60 };

test('what a reader answers is what the lender answers, at every commit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArb, { minLength: 5, maxLength: 40 }), async (steps) => {
      const leader = await open(join(folder, `data${++opened}`), OPTIONS);
      const readers: Engine[] = [];
      try {
        for (const name of NAMES) await apply(leader, { recreate: name });
        readers.push(openReplica(attachReplica(leader)));
        for (const [i, step] of steps.entries()) {
          if ('another' in step) readers.push(openReplica(attachReplica(leader)));
          // Searches of this moment, which go on while things change.
          const before = await Promise.all(requests().map((request) => answer(leader, request)));
          const begun = requests().map((request) => answer(readers[0]!, request));
          await apply(leader, step);
          for (const [at, request] of requests().entries()) {
            const found = await begun[at]!;
            // A tail that nobody has searched is made searchable first: then the search sees what is newest
            // when it is.
            if (!isDeepStrictEqual(unscored(found), unscored(before[at]!)))
              assert.deepEqual(unscored(found), unscored(await answer(leader, request)));
          }
          for (const reader of i % 3 === 0 ? readers : readers.slice(-1)) await sameAnswers(leader, reader);
        }
        for (const reader of readers) await sameAnswers(leader, reader);
      } finally {
        for (const reader of readers) await reader.close();
        await leader.close();
      }
    }),
    { numRuns: RUNS },
  );
});

test('what only the writing thread can do is said to be elsewhere', async () => {
  const leader = await open(join(folder, 'elsewhere'), OPTIONS);
  const reader = openReplica(attachReplica(leader));
  await assert.rejects(reader.write([]), NeedsWriterThread);
  await assert.rejects(reader.indices.create('x', {}), NeedsWriterThread);
  await assert.rejects(reader.search({ indices: [], snapshot: 1 }), NeedsWriterThread);
  assert.throws(() => reader.openLease({ kind: 'scroll', keepAliveMs: 1000 }), NeedsWriterThread);
  await reader.close();
  await leader.close();
});

test('a reader that has no room for what is new shows nothing any more, and holds nothing back', async () => {
  const leader = await open(join(folder, 'broken'), OPTIONS);
  const errors: unknown[] = [];
  const reader = openReplica(attachReplica(leader), {
    memoryBytes: 40_000,
    onBroken: (error) => errors.push(error),
  });
  const request = { indices: ['many'] };
  let written = 0;
  for (; errors.length === 0 && written < 200; written++) {
    const source = encoder.encode(`{"f${written}":"a word"}`);
    await leader.write([{ kind: 'index', index: 'many', source }]);
    await reader.search(request).catch(() => {});
  }
  assert.equal(errors.length, 1);
  await assert.rejects(reader.search(request), NeedsWriterThread);
  assert.throws(() => reader.searchPage(request, (page) => page.count), NeedsWriterThread);
  assert.equal((await leader.search(request)).total?.value, written);
  await leader.close();
});
