// When a file of the log is missing, the start reports it or refuses, because what only the log held is lost.
// Where files go rightly (overwritten, moved, of a deleted index), whatever the process was doing when it was
// killed, the start reports nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open, type WriteOp } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const RUNS = Number(process.env['OCTAVO_MISSING_RUNS'] ?? 60);
const SMALL = { tailDocs: 8, logChunkBytes: 700, ballastBytes: 0, onFailure: () => {} };

interface Opened {
  readonly engine: Engine;
  readonly notes: readonly string[];
}

async function openOn(disk: SimulatedDisk, options: object = SMALL): Promise<Opened> {
  const notes: string[] = [];
  const engine = await open('', { ...options, disk, onNote: (note) => notes.push(note) });
  return { engine, notes };
}

const logs = async (disk: SimulatedDisk): Promise<string[]> =>
  (await disk.list('log')).filter((name) => name.endsWith('.log')).sort();

async function without(disk: SimulatedDisk, ...names: readonly string[]): Promise<SimulatedDisk> {
  const copy = disk.crash(1);
  for (const name of names) await copy.remove(`log/${name}`);
  await copy.syncFolder('log');
  return copy;
}

const put = (index: string, id: string, text: string): WriteOp => ({
  ...{ kind: 'index', index, id },
  source: Buffer.from(JSON.stringify({ text })),
});

/** Documents of one index in chunks of a few each, none of them sealed: with a fourth chunk the sealing would begin. */
async function unsealed(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const { engine } = await openOn(disk, { ...SMALL, tailDocs: 1_000 });
  for (let n = 0; n < 12; n++) await engine.write([put('d', `${n}`, 'x'.repeat(100))]);
  assert.equal((await logs(disk)).length, 3);
  // The process is killed.
  return disk.crash(1);
}

test('a file between others, or before them, that only held what no segment has: the start says so', async () => {
  const disk = await unsealed();
  const names = await logs(disk);
  const whole = await openOn(disk.crash(1));
  const count = await whole.engine.count({ indices: ['d'] });
  assert.deepEqual(whole.notes, []);
  for (const gone of [[0], [1], [0, 1]]) {
    const copy = await without(disk, ...gone.map((i) => names[i]!));
    const { engine, notes } = await openOn(copy);
    const left = await engine.count({ indices: ['d'] });
    assert.ok(left < count);
    assert.equal(notes.length, 1, notes.join('\n'));
    assert.match(notes[0]!, /^log\/: commits \d+ to \d+ are missing/);
    const [first, last] = notes[0]!.match(/\d+/g)!.map(Number) as [number, number];
    assert.equal(last - first + 1, count - left, 'each document is a commit');
    assert.deepEqual(await engine.verify(), notes);
    await engine.write([put('d', 'after', 'x')]);
    await engine.close();
  }
});

test('the newest file, or all of them: the start says so once, and goes on', async () => {
  const disk = await unsealed();
  const names = await logs(disk);
  for (const gone of [names.slice(-1), names.slice(-2), names]) {
    const copy = await without(disk, ...gone);
    const { engine, notes } = await openOn(copy);
    assert.equal(notes.length, 1, notes.join('\n'));
    assert.match(notes[0]!, /^log\/: it ends with commit \d+, but commit \d+ was there/);
    assert.deepEqual(await engine.verify(), notes);
    await engine.write([put('d', 'after', 'x')]);
    await engine.close();
    const again = await openOn(copy);
    assert.deepEqual(again.notes, []);
    assert.ok(again.engine.get('d', 'after'));
    await again.engine.close();
  }
});

test('files of an index that was deleted, and of commits without documents, are missed by nobody', async () => {
  const disk = await unsealed();
  const { engine } = await openOn(disk);
  await engine.indices.delete(['d']);
  assert.equal((await logs(disk)).length, 1);
  const killed = disk.crash(1);
  const second = await openOn(killed);
  assert.deepEqual(second.notes, []);
  for (let n = 0; n < 60; n++) await second.engine.write([{ kind: 'delete', index: 'd', id: 'none' }]);
  for (let n = 0; n < 60; n++) await second.engine.write([]);
  await second.engine.write([put('e', 'only', 'x')]);
  await second.engine.indices.flush(['e']);
  assert.deepEqual((await openOn(killed.crash(1))).notes, []);
});

type Step =
  | readonly (readonly [index: 'a' | 'b', id: number, length: number])[]
  | { readonly remove: readonly number[] }
  | 'flush'
  | 'merge'
  | { readonly drop: 'a' | 'b' }
  | 'hold'
  | 'restart'
  | { readonly kill: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.array(
      fc.tuple(
        fc.constantFrom('a' as const, 'a' as const, 'b' as const),
        fc.nat({ max: 20 }),
        fc.nat({ max: 300 }),
      ),
      { maxLength: 5 },
    ),
  },
  { weight: 3, arbitrary: fc.record({ remove: fc.array(fc.nat({ max: 20 }), { maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>('flush', 'merge', 'hold', 'restart') },
  { weight: 1, arbitrary: fc.record({ drop: fc.constantFrom('a' as const, 'b' as const) }) },
  { weight: 2, arbitrary: fc.record({ kill: fc.integer({ min: 1, max: 1_000 }) }) },
);

/** Everything there is, by index and id. */
async function contents(engine: Engine): Promise<string[]> {
  const found: string[] = [];
  for (const index of ['a', 'b']) {
    if (engine.indices.info(index) === undefined) continue;
    await engine.indices.refresh([index]);
    const { hits } = await engine.search({ indices: [index], size: 1_000 });
    for (const { id, source } of hits) found.push(`${index}/${id} ${Buffer.from(source)}`);
  }
  return found.sort();
}

test('files that go by right are missed by nobody; what is missed is told, or refused', async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      let disk = new SimulatedDisk();
      let engine = (await openOn(disk)).engine;
      let texts = 0;
      const again = async (): Promise<void> => {
        const opened = await openOn(disk);
        engine = opened.engine;
        assert.deepEqual(opened.notes, []);
      };
      for (const each of steps) {
        if (each === 'flush') await engine.indices.flush(engine.indices.names());
        else if (each === 'merge') await engine.indices.forceMerge(engine.indices.names(), 1);
        else if (each === 'hold') {
          if (engine.indices.info('a') === undefined) continue;
          await engine.indices.putSettings({ a: { 'index.refresh_interval': '-1' } });
          await engine.indices.refresh(['a']);
          await engine.indices.putSettings({ a: { 'index.refresh_interval': null } });
        } else if (each === 'restart') {
          await engine.close();
          await again();
        } else if ('drop' in each) {
          if (engine.indices.info(each.drop) !== undefined) await engine.indices.delete([each.drop]);
        } else if ('kill' in each) {
          disk = disk.crash(each.kill);
          await again();
        } else if ('remove' in each)
          await engine.write(each.remove.map((id) => ({ kind: 'delete', index: 'a', id: `${id}` })));
        else
          await engine.write(
            each.map(([index, id, length]) => put(index, `${id}`, `${texts++}${'x'.repeat(length)}`)),
          );
      }
      const expected = await contents(engine);
      disk = disk.crash(1);
      for (const name of await logs(disk)) {
        const copy = await without(disk, name);
        let opened: Opened;
        try {
          opened = await openOn(copy);
        } catch (error) {
          assert.match(String(error), /has lost its end/);
          told++;
          continue;
        }
        if (opened.notes.length > 0) told++;
        else {
          const found = await contents(opened.engine).catch((error: { type?: string }) => {
            // A source that a segment names: who asks for it is told, and who checks the directory.
            assert.equal(error.type, 'corrupt_index_exception', String(error));
            return undefined;
          });
          if (found === undefined) assert.notDeepEqual(await opened.engine.verify(), []);
          else assert.deepEqual(found, expected, `${name} is gone and nobody says so`);
        }
        await opened.engine.close();
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(told > 0);
});
