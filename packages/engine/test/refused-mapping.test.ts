// A mapping change for which the disk had no room leaves nothing behind: not for deletes and documents that
// do not need it, nor for documents that come when there is room again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Engine, open, type WriteOp } from '@octavo/engine';
import { seededRandom } from '../src/disk/random.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const REFUSED = 'cluster_block_exception';
/** More than a document without new fields needs. */
const LONG = `field-${'y'.repeat(2_000)}`;
/** So much does not wait for the append before it. */
const LARGE = 'x'.repeat(300_000);

type Source = Readonly<Record<string, unknown>>;

function write(engine: Engine, ops: readonly Partial<WriteOp>[]): Promise<string[]> {
  const whole = ops.map((op): WriteOp => ({ kind: 'index', index: 'a', ...op }));
  return engine.write(whole).then((results) => results.map(({ error, result }) => error?.type ?? result));
}

const bytes = (source: Source): Uint8Array => Buffer.from(JSON.stringify(source));

async function put(engine: Engine, id: string, source: Source): Promise<string> {
  return (await write(engine, [{ id, source: bytes(source) }]))[0]!;
}

async function found(engine: Engine, query: object): Promise<string[]> {
  const { hits } = await engine.search({ indices: ['a'], query: query as never, size: 1_000 });
  return hits.map(({ id }) => id).sort();
}

const properties = (engine: Engine): string[] =>
  Object.keys((engine.indices.info('a')!.mappings['properties'] as object | undefined) ?? {});

test('after a document with a new field was refused, deletes pass, and documents that need no more room than there is', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 4_096 });
  await put(engine, 'first', { n: 1 });
  await put(engine, 'second', { n: 2 });
  disk.capacity = disk.used() + 500;
  assert.equal(await put(engine, 'wider', { n: 3, [LONG]: 1 }), REFUSED);
  assert.deepEqual(properties(engine), ['n']);
  assert.deepEqual(await write(engine, [{ kind: 'delete', id: 'first' }]), ['deleted']);
  assert.equal(await put(engine, 'third', { n: 3 }), 'created');
  // A delete beside a document that is refused is done by itself.
  const mixed = [
    { id: 'wider', source: bytes({ [LONG]: 1 }) },
    { kind: 'delete', id: 'second' },
  ] as const;
  assert.deepEqual(await write(engine, mixed), [REFUSED, 'deleted']);
  assert.deepEqual(await found(engine, { match_all: {} }), ['third']);
  await engine.close();
});

test('fields of documents that were refused have no type, and do not count', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 4_096 });
  await put(engine, 'first', { n: 1 });
  disk.capacity = disk.used();
  assert.equal(await put(engine, 'refused', { v: 'some words' }), REFUSED);
  for (let i = 0; i < 1_100; i++) assert.equal(await put(engine, 'many', { [`many${i}`]: 1 }), REFUSED);
  assert.deepEqual(properties(engine), ['n']);
  disk.capacity = Number.POSITIVE_INFINITY;
  assert.equal(await put(engine, 'object', { v: { a: 1 } }), 'created');
  assert.equal(await put(engine, 'wider', { w: 1 }), 'created');
  assert.deepEqual(await found(engine, { range: { 'v.a': { gte: 1 } } }), ['object']);
  assert.deepEqual(properties(engine), ['n', 'v', 'w']);
  await engine.close();
});

test('a field that was refused as one kind and as another becomes the first one', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 4_096 });
  await put(engine, 'first', { n: 1 });
  disk.capacity = disk.used();
  for (const v of ['two words', 5, true]) assert.equal(await put(engine, 'refused', { v }), REFUSED);
  disk.capacity = Number.POSITIVE_INFINITY;
  assert.equal(await put(engine, 'second', { v: 'other words' }), 'created');
  assert.deepEqual(await found(engine, { match: { v: 'other' } }), ['second']);
  assert.deepEqual(await found(engine, { match: { v: 'two' } }), []);
  await engine.indices.flush(['a']);
  assert.deepEqual(await found(engine, { match: { v: 'other' } }), ['second']);
  await engine.close();
});

test('what was read on top of a refused mapping is refused with it', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 4_096 });
  await put(engine, 'first', { n: 1 });
  disk.capacity = disk.used() + 1_000;
  const all = [put(engine, 'a', { text: LARGE, [LONG]: 1, v: 'words' })];
  for (let turns = 0; turns < 5; turns++) await turn();
  all.push(put(engine, 'b', { text: LARGE, v: 'more words' }), put(engine, 'c', { v: 'words' }));
  assert.deepEqual(await Promise.all(all), [REFUSED, REFUSED, REFUSED]);
  disk.capacity = Number.POSITIVE_INFINITY;
  assert.equal(await put(engine, 'd', { v: 5 }), 'created');
  assert.deepEqual(await found(engine, { term: { v: 5 } }), ['d']);
  await engine.close();
});

test('a mapping that was put and refused is not there', async () => {
  const disk = new SimulatedDisk();
  const engine = await open('', { disk, ballastBytes: 4_096 });
  await put(engine, 'first', { n: 1 });
  disk.capacity = disk.used() + 500;
  const mappings = (type: string, more = {}): never => ({ properties: { p: { type }, ...more } }) as never;
  const tooLong = mappings('keyword', { [LONG]: { type: 'long' } });
  await assert.rejects(engine.indices.putMapping(['a'], tooLong), { type: REFUSED });
  assert.deepEqual(properties(engine), ['n']);
  assert.deepEqual(await write(engine, [{ kind: 'delete', id: 'first' }]), ['deleted']);
  disk.capacity = Number.POSITIVE_INFINITY;
  await engine.indices.putMapping(['a'], mappings('long'));
  assert.equal(await put(engine, 'second', { p: 5 }), 'created');
  assert.deepEqual(await found(engine, { range: { p: { gte: 5 } } }), ['second']);
  await engine.close();
});

test('a mapping for several indices is that of all or of none, whatever documents bring meanwhile', async () => {
  let [taken, refused] = [0, 0];
  for (let step = 0; step < 40; step++) {
    const disk = new SimulatedDisk();
    let engine = await open('', { disk });
    const type = async (index: string): Promise<unknown> => {
      const { mappings } = engine.indices.info(index)!;
      return (mappings['properties'] as Record<string, { type: string }> | undefined)?.['p']?.type;
    };
    await write(engine, [
      { id: '1', source: bytes({}) },
      { index: 'b', id: '1', source: bytes({}) },
    ]);
    const names = step % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    const put = engine.indices.putMapping(names, { properties: { p: { type: 'keyword' } } }).then(
      () => true,
      () => false,
    );
    for (let turns = step >> 1; turns > 0; turns--) await (turns % 3 === 0 ? turn() : undefined);
    await write(engine, [{ index: 'b', id: '2', source: bytes({ p: 5 }) }]);
    const isTaken = await put;
    if (isTaken) taken++;
    else refused++;
    for (let start = 0; start < 2; start++) {
      assert.deepEqual(
        [await type('a'), await type('b')],
        isTaken ? ['keyword', 'keyword'] : [undefined, 'long'],
        `step ${step}, start ${start}`,
      );
      await engine.close();
      if (start === 0) engine = await open('', { disk });
    }
  }
  assert.ok(taken > 0 && refused > 0, `${taken} were taken, ${refused} refused`);
});

test('other settings do not mix up the fields of documents that are not sealed yet', async () => {
  const engine = await open('', { disk: new SimulatedDisk() });
  await put(engine, '1', { a: { x: 'one' }, b: 'two' });
  await put(engine, '2', { a: { y: 'three' } });
  await engine.indices.putSettings({ a: { 'index.mapping.total_fields.limit': '50' } });
  await put(engine, '3', { a: { y: 'four' }, b: 'five' });
  assert.deepEqual(await found(engine, { match: { 'a.y': 'four' } }), ['3']);
  assert.deepEqual(await found(engine, { match: { b: 'five' } }), ['3']);
  assert.deepEqual(await found(engine, { match: { b: 'four' } }), []);
  await engine.indices.flush(['a']);
  assert.deepEqual(await found(engine, { match: { b: 'five' } }), ['3']);
  await engine.close();
});

const WORDS = ['red', 'green', 'blue'];

for (let seed = 1; seed <= 6; seed++)
  test(`what is acknowledged is found by its fields, whatever was refused between (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
    const disk = new SimulatedDisk();
    // Half of them have writes read ahead by a thread, as soon as it is there.
    const ahead = seed % 2 === 0 ? { readAheadFrom: 1 } : {};
    const options = { disk, ballastBytes: 4_096, tailDocs: 64, ...ahead };
    let engine = await open('', options);
    const model = new Map<string, Source>();
    await put(engine, 'first', { n: 1 });
    model.set('first', { n: 1 });
    const value = (): unknown =>
      pick([() => pick(WORDS), () => Math.floor(random() * 5), () => random() < 0.5])();
    const source = (): Source => {
      const fields: Record<string, unknown> = { n: Math.floor(random() * 5) };
      for (let k = Math.floor(random() * 3); k > 0; k--) fields[`f${Math.floor(random() * 30)}`] = value();
      if (random() < 0.2) fields['text'] = 'x'.repeat(random() * 200_000);
      return fields;
    };
    const check = async (): Promise<void> => {
      for (let f = 0; f < 30; f++) {
        const field = `f${f}`;
        const holders = [...model].filter(([, each]) => field in each);
        assert.deepEqual(await found(engine, { exists: { field } }), holders.map(([id]) => id).sort(), field);
        for (const wanted of new Set(holders.map(([, each]) => each[field]))) {
          const same = holders.filter(([, each]) => String(each[field]) === String(wanted));
          const ids = await found(engine, { match: { [field]: wanted } });
          assert.deepEqual(ids, same.map(([id]) => id).sort(), `${field}: ${String(wanted)}`);
        }
      }
    };
    for (let step = 0; step < 60; step++) {
      disk.capacity = random() < 0.5 ? disk.used() + pick([0, 300, 2_000]) : Number.POSITIVE_INFINITY;
      // An id is written once at a time.
      const ids = new Set(Array.from({ length: 1 + random() * 6 }, () => `d${Math.floor(random() * 60)}`));
      const writes: Promise<void>[] = [];
      for (const id of ids) {
        const next = random() < 0.2 ? undefined : source();
        const op = next === undefined ? { kind: 'delete' as const, id } : { id, source: bytes(next) };
        writes.push(
          write(engine, [op]).then(([result]) => {
            if (result === 'deleted') model.delete(id);
            else if (result === 'created' || result === 'updated') model.set(id, next!);
          }),
        );
        for (let turns = Math.floor(random() * 6); turns > 0; turns--) await turn();
      }
      if (random() < 0.1) {
        const mappings = { properties: { [`f${Math.floor(random() * 30)}`]: { type: 'keyword' } } };
        writes.push(engine.indices.putMapping(['a'], mappings as never).catch(() => {}));
      }
      if (random() < 0.1) {
        const limit = { 'index.mapping.total_fields.limit': String(500 + step) };
        writes.push(engine.indices.putSettings({ a: limit }).catch(() => {}));
      }
      await Promise.all(writes);
      if (step % 20 === 19) await check();
      if (random() < 0.05) {
        disk.capacity = Number.POSITIVE_INFINITY;
        await engine.indices.flush(['a']);
      }
    }
    disk.capacity = Number.POSITIVE_INFINITY;
    await check();
    await engine.close();
    engine = await open('', options);
    await check();
    await engine.close();
  });
