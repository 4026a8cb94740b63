// A start leaves the words of texts packed. Lists are right without them, and searches for words are right
// too, whichever needs them first.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Engine, EngineError, open } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import type { IndexTable } from '../src/engine/indices/index-table.ts';
import { readPackedTable, SegmentUnpacker } from '../src/segment/packed/unpack.ts';

const COLORS = ['red', 'green', 'blue'];
const DOCS = 300;

/** An engine that has been opened again, its documents in segments. */
async function opened(disk: SimulatedDisk = new SimulatedDisk()): Promise<Engine> {
  const options = { disk, tailDocs: 100, ballastBytes: 0, threadFrom: 1 };
  const before = await open('', options);
  const properties = { t: { type: 'text' }, k: { type: 'keyword' }, n: { type: 'integer' } };
  await before.indices.create('a', { mappings: { properties } });
  for (let n = 0; n < DOCS; n++) {
    const color = COLORS[n % 3]!;
    const source = Buffer.from(JSON.stringify({ t: `a ${color} fox number ${n}`, k: color, n }));
    await before.write([{ kind: 'index', index: 'a', id: String(n), source }]);
  }
  await before.indices.flush(['a']);
  await before.close();
  return open('', options);
}

const search = (engine: Engine, query: object, size = 3) =>
  engine.search({ indices: ['a'], query: query as never, sort: [{ n: 'desc' }], size, trackTotalHits: true });
const ids = ({ hits }: Awaited<ReturnType<typeof search>>): string[] => hits.map(({ id }) => id);

const PHRASE = { match_phrase: { t: 'red fox number' } };

test('lists and filters do without words, and leave them packed', async () => {
  const engine = await opened();
  const packed = (): number =>
    (engine.indices as IndexTable).state('a').countUninverted(engine.snapshot(), 'all');
  assert.deepEqual(ids(await search(engine, { match_all: {} })), ['299', '298', '297']);
  assert.deepEqual(ids(await search(engine, { term: { k: 'red' } })), ['297', '294', '291']);
  assert.equal(Buffer.from(engine.get('a', '7')!.source).toString().includes('number 7'), true);
  assert.notEqual(packed(), 0);
  assert.equal((await search(engine, PHRASE)).total?.value, DOCS / 3);
  assert.equal(packed(), 0);
  await engine.close();
});

test('words are found by searches that come together, and by merges', async () => {
  const engine = await opened();
  const found = await Promise.all([search(engine, PHRASE), search(engine, { match: { t: '299' } })]);
  assert.deepEqual(found.map(ids), [['297', '294', '291'], ['299']]);
  await engine.close();

  const other = await opened();
  await other.indices.forceMerge(['a'], 1);
  assert.equal((await search(other, PHRASE)).total?.value, DOCS / 3);
  await other.close();
});

test('an engine that closes while a merge waits for words merges nothing', async () => {
  for (const turns of [0, 1, 3, 8]) {
    const disk = new SimulatedDisk();
    const engine = await opened(disk);
    const merging = engine.indices.forceMerge(['a'], 1);
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    await engine.close();
    await merging.catch(() => {});
    const again = await open('', { disk, tailDocs: 100, ballastBytes: 0, threadFrom: 1 });
    assert.deepEqual(await again.verify(), [], `after ${turns} turns`);
    assert.equal((await search(again, PHRASE)).total?.value, DOCS / 3, `after ${turns} turns`);
    assert.deepEqual(ids(await search(again, { match: { t: '299' } })), ['299']);
    await again.close();
  }
});

test('an index may go, and an engine close, while words are on their way', async () => {
  const engine = await opened();
  const found = search(engine, PHRASE);
  const gone = engine.indices.delete(['a']);
  const late = (error: unknown): void => assert.ok(error instanceof EngineError, String(error));
  await Promise.all([found.catch(late), gone]);
  await engine.indices.create('a', {});
  await engine.write([
    { kind: 'index', index: 'a', id: '1', source: Buffer.from('{"t":"a red fox number","n":1}') },
  ]);
  assert.deepEqual(ids(await search(engine, PHRASE)), ['1']);
  await engine.close();

  const other = await opened();
  const last = search(other, PHRASE).catch(late);
  await other.close();
  await last;
});

const fixture = (name: string): Uint8Array =>
  Uint8Array.from(readFileSync(new URL(`fixtures/${name}/life.seg`, import.meta.url)));

/** Packed files, and what is in them. */
const PACKED = { 'packed-v1': 'segment-v1', 'packed-v2': 'segment-v1', 'packed-v3': 'segment-v3' };

for (const [version, unpacked] of Object.entries(PACKED))
  test(`words come piece by piece, at once, or not at all when they are stopped (${version})`, async () => {
    const [segment, file] = [fixture(unpacked), fixture(version)];
    const table = readPackedTable(file);
    const begun = async (): Promise<{ into: Uint8Array; unpacking: SegmentUnpacker }> => {
      const into = new Uint8Array(table.byteLength).fill(0xaa);
      const unpacking = new SegmentUnpacker(file, table, into);
      await unpacking.unpackRest();
      assert.equal(unpacking.isDone, false);
      assert.notDeepEqual(into, segment);
      return { into, unpacking };
    };
    const waited = await begun();
    await Promise.all([waited.unpacking.unpack(), waited.unpacking.unpack()]);
    assert.deepEqual(waited.into, segment);
    assert.equal(waited.unpacking.isDone, true);

    const hurried = await begun();
    const words = hurried.unpacking.unpack();
    hurried.unpacking.unpackNow();
    assert.deepEqual(hurried.into, segment);
    await words;
    assert.deepEqual(hurried.into, segment);

    const stopped = await begun();
    const before = stopped.into.slice();
    const never = stopped.unpacking.unpack();
    stopped.unpacking.stop();
    await never;
    assert.deepEqual(stopped.into, before);
    stopped.unpacking.unpackNow();
    assert.deepEqual(stopped.into, segment);
  });
