// Every kind of file of a directory is damaged in every way: a repair makes a start possible that has everything
// that could be read, and keeps the originals; or it says in words why not, and changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open, type RepairPlan, repairDirectory, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { changed, namesOf } from './changed-disk.ts';

const OPTIONS = { tailDocs: 64, ballastBytes: 0, logChunkBytes: 24_000, onFailure: () => {} };
/** More by the environment, for long campaigns. */
const PLACES = Number(process.env['OCTAVO_REPAIR_PLACES'] ?? 2);

type Contents = Map<string, string>;

const put = (index: string, id: number, round = 0): WriteOp => ({
  ...{ kind: 'index', index, id: `${id}` },
  source: Buffer.from(JSON.stringify({ id, round, text: `red fox ${'x'.repeat((id * 37) % 300)}` })),
});

/** Two indices in several chunks, sealed; the last commits are sealed too. `tail`: documents behind them. */
async function written(
  tail: number,
): Promise<{ disk: SimulatedDisk; contents: Contents; older: Set<string> }> {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...OPTIONS, disk });
  await engine.indices.create('a', { mappings: { properties: { text: { type: 'text' } } } });
  const older = new Set<string>();
  const write = async (ops: WriteOp[]): Promise<void> => {
    for (const { error } of await engine.write(ops)) assert.equal(error, undefined);
    for (const { index, id, source } of ops) older.add(`${index}/${id} ${source}`);
  };
  for (let from = 0; from < 300; from += 50)
    await write(Array.from({ length: 50 }, (_, i) => put(i % 5 === 0 ? 'b' : 'a', from + i)));
  await engine.indices.flush(['a', 'b']);
  await engine.write([{ kind: 'delete', index: 'a', id: '7' }]);
  await write(Array.from({ length: 30 }, (_, id) => put('a', id, 1)));
  await engine.indices.flush(['a', 'b']);
  if (tail > 0) await write(Array.from({ length: tail }, (_, id) => put('b', 1_000 + id)));
  const contents = await contentsOf(engine);
  await engine.close();
  return { disk, contents, older };
}

/** Everything that can be read, by index and id. */
async function contentsOf(engine: Engine): Promise<Contents> {
  const found: Contents = new Map();
  for (const index of engine.indices.names()) {
    const ids = await engine
      .search({ indices: [index], size: 2_000, source: false } as never)
      .catch(() => undefined);
    for (const { id } of ids?.hits ?? []) {
      const doc = engine.get(index, id);
      if (doc !== undefined) found.set(`${index}/${id}`, `${index}/${id} ${Buffer.from(doc.source)}`);
    }
  }
  return found;
}

interface Repaired {
  readonly plan: RepairPlan & { readonly isDone: boolean };
  readonly contents: Contents;
}

/** Repairs and opens; undefined if the repair was refused. */
async function repaired(disk: SimulatedDisk, what: string): Promise<Repaired | undefined> {
  const before = new Map<string, Buffer>();
  for (const name of await namesOf(disk)) before.set(name, Buffer.from(await disk.read(name)));
  const { length } = disk.operations;
  // Who declines finds everything as it was.
  let plan: Repaired['plan'];
  try {
    plan = await repairDirectory('', { disk, decide: async () => false });
  } catch (error) {
    assert.match(String(error), /cannot be repaired, and nothing was changed: |format version/, what);
    assert.deepEqual(disk.operations.slice(length), [], what);
    return undefined;
  }
  assert.deepEqual(disk.operations.slice(length), [], what);
  assert.equal(plan.isDone, false);
  plan = await repairDirectory('', { disk, decide: async () => true });
  assert.equal(plan.isDone, plan.findings.length > 0, what);
  for (const name of plan.isDone ? plan.files : [])
    assert.ok(
      before.get(name)!.equals(await disk.read(`${plan.folder}/${name}`)),
      `${what}: ${name} was not kept`,
    );
  for (const name of before.keys())
    if (!plan.files.includes(name))
      assert.ok((await namesOf(disk)).includes(name), `${what}: ${name} is gone`);
  const notes: string[] = [];
  const engine = await open('', { ...OPTIONS, disk, onNote: (note) => notes.push(note) });
  const contents = await contentsOf(engine);
  assert.deepEqual(await engine.verify(), [], what);
  assert.deepEqual(notes, [], what);
  const copy = await engine.copy();
  for (const file of copy.files) for (const damage of file.verify()) assert.equal(damage, undefined, what);
  await copy.close();
  await engine.write([put('after', 1)]);
  await engine.close();
  return { plan, contents };
}

const DAMAGES: readonly (readonly [
  what: string,
  damage: (bytes: Buffer, at: number) => Buffer | undefined,
])[] = [
  [
    'a flipped bit',
    (bytes, at) => {
      bytes[at]! ^= 1 << (at % 8);
      return bytes;
    },
  ],
  ['a page of zeros', (bytes, at) => bytes.fill(0, at, Math.min(bytes.length, at + 4_096))],
  ['a shorter file', (bytes, at) => bytes.subarray(0, at)],
  ['no file', () => undefined],
  ['an empty file', () => Buffer.alloc(0)],
];

test('nothing is wrong: nothing is repaired', async () => {
  const { disk } = await written(20);
  const plan = await repairDirectory('', { disk, decide: () => assert.fail('there is nothing to decide') });
  assert.deepEqual([plan.findings, plan.isDone], [[], false]);
});

test('no room for copies of the originals: nothing is changed', async () => {
  const all = await written(0);
  const name = 'log/00000001.log';
  const bytes = await all.disk.read(name);
  bytes[10_000]! ^= 1;
  const disk = await changed(all.disk, { [name]: bytes });
  const before = await namesOf(disk);
  disk.capacity = disk.used() + 9_000;
  await assert.rejects(
    repairDirectory('', { disk, decide: async () => true }),
    /no room for copies of \d+ files/,
  );
  assert.deepEqual(await namesOf(disk), before);
  assert.deepEqual(await disk.read(name), bytes);
  assert.equal(disk.used() + 9_000, disk.capacity);
});

for (const tail of [0, 30])
  for (const [what, damage] of DAMAGES)
    test(`${what} in every kind of file, ${tail} documents behind the segments`, async () => {
      const all = await written(tail);
      const known = new Set([...all.older].map((each) => each.slice(each.indexOf('/') + 1)));
      const kinds = new Map<string, string[]>();
      for (const name of await namesOf(all.disk)) {
        const kind = name.replaceAll(/\d+/g, '#');
        kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
      }
      let lossless = 0;
      let lost = 0;
      for (const [kind, names] of kinds)
        for (const name of kind === 'log/#.log' ? names : names.slice(0, 1)) {
          const whole = Buffer.from(await all.disk.read(name));
          const places = /^(no|an empty)/.test(what) ? 1 : PLACES;
          for (let place = 0; place < places; place++) {
            const at = Math.min(whole.length - 1, Math.floor(((place + 0.6) / places) * whole.length));
            const disk = await changed(all.disk, { [name]: damage(Buffer.from(whole), at) });
            const where = `${what} at ${at} of ${name}`;
            const done = await repaired(disk, where);
            if (done === undefined) {
              assert.fail(`${where} cannot be repaired`);
              continue;
            }
            for (const text of done.contents.values()) {
              assert.ok(known.has(text.slice(text.indexOf('/') + 1)), `${where}: ${text} was never written`);
            }
            const { losses } = done.plan;
            const isWhole =
              done.contents.size === all.contents.size &&
              [...all.contents].every(([key, text]) => done.contents.get(key) === text);
            if (isWhole) lossless++;
            else {
              lost++;
              assert.ok(losses.length > 0, `${where}: something is lost, and nothing says so`);
              // The log has all documents, whatever the catalog has lost.
              if (name.startsWith('catalog/'))
                assert.ok(done.contents.size >= all.contents.size, `${where}: ${done.contents.size}`);
              if (what === 'a flipped bit')
                assert.ok(done.contents.size >= all.contents.size - 60, `${where}: ${done.contents.size}`);
            }
          }
        }
      assert.ok(lossless > 0, `${lossless} without loss, ${lost} with`);
    });
