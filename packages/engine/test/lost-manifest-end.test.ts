// The manifest of the catalog cut at every byte, and every byte of it changed, behind a clean stop and behind a
// power cut: a start has everything or refuses in words. Neither removes a file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, open, type WriteOp } from '@octavo/engine';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { changed, namesOf } from './changed-disk.ts';
import { sampled } from './sampled.ts';

const MANIFEST = 'catalog/manifest';
const MARK = 'catalog/manifest.mark';
const OPTIONS = { tailDocs: 8, ballastBytes: 0, logChunkBytes: 4_096, onFailure: () => {} };

const put = (index: string, id: number): WriteOp => ({
  ...{ kind: 'index', index, id: `${id}` },
  source: Buffer.from(JSON.stringify({ id, text: `red fox ${id}` })),
});

/** Indices with and without documents, some of them sealed; deletions, merges, an alias and a setting. */
async function written(isClean: boolean): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  const engine = await open('', { ...OPTIONS, disk });
  await engine.indices.create('a', { mappings: { properties: { text: { type: 'text' } } } });
  await engine.write(Array.from({ length: 20 }, (_, id) => put('a', id)));
  await engine.indices.flush(['a']);
  await engine.indices.create('gone', {});
  await engine.write([put('gone', 1)]);
  await engine.indices.create('b', { aliases: { bees: {} } });
  await engine.write(Array.from({ length: 12 }, (_, id) => put('b', id)));
  await engine.write([{ kind: 'delete', index: 'a', id: '3' }, put('a', 4), put('a', 21)]);
  await engine.indices.delete(['gone']);
  await engine.indices.flush(['a', 'b']);
  await engine.indices.forceMerge(['a'], 1);
  await engine.indices.create('c', {});
  await engine.write([put('c', 1), put('b', 40)]);
  await engine.settings.put('template', 't', { n: 1 });
  await engine.indices.create('empty', {});
  if (!isClean) return disk.crash(3);
  await engine.close();
  return disk;
}

async function contents(engine: Engine): Promise<unknown> {
  const found: [string, unknown][] = [];
  for (const name of engine.indices.names().toSorted()) {
    const { hits } = await engine.search({ indices: [name], size: 100 });
    const documents = hits.map(({ id, source }) => `${id} ${Buffer.from(source)}`).sort();
    found.push([name, { documents, aliases: Object.keys(engine.indices.info(name)!.aliases) }]);
  }
  return { found, template: JSON.stringify(engine.settings.get('template', 't')) };
}

/** Opens, compares and closes; true if the start was refused. */
async function isRefused(disk: SimulatedDisk, wanted: unknown, what: string): Promise<boolean> {
  const before = await namesOf(disk);
  const { length } = disk.operations;
  let engine: Engine;
  try {
    engine = await open('', { ...OPTIONS, disk });
  } catch (error) {
    assert.match(String(error), /catalog\/manifest.*octavo doctor --repair/, what);
    assert.deepEqual(disk.operations.slice(length), [], `${what}: a refused start has written`);
    return true;
  }
  assert.deepEqual(await contents(engine), wanted, what);
  await engine.close();
  const removed = before.filter((name) => disk.operations.slice(length).includes(`remove ${name}`));
  assert.deepEqual(removed, [], what);
  const after = await namesOf(disk);
  for (const name of before) assert.ok(after.includes(name), `${what}: ${name} is gone`);
  return false;
}

for (const isClean of [true, false]) {
  const stop = isClean ? 'a clean stop' : 'a power cut';
  test(`behind ${stop}: the manifest cut at every byte`, async () => {
    const disk = await written(isClean);
    const sound = await changed(disk, {});
    const engine = await open('', { ...OPTIONS, disk: sound });
    const wanted = await contents(engine);
    await engine.close();
    const manifest = await disk.read(MANIFEST);
    let refused = 0;
    let tried = 0;
    for (const length of sampled(manifest.length, 4)) {
      tried++;
      const bytes = manifest.subarray(0, length);
      if (await isRefused(await changed(disk, { [MANIFEST]: bytes }), wanted, `cut to ${length}`)) refused++;
    }
    // Without its last newline the last line is whole.
    assert.ok(refused >= tried - 1, `${refused} of ${tried}`);
  });

  test(`behind ${stop}: every byte of the manifest and of its mark changed`, async () => {
    const disk = await written(isClean);
    const sound = await changed(disk, {});
    const engine = await open('', { ...OPTIONS, disk: sound });
    const wanted = await contents(engine);
    await engine.close();
    let refused = 0;
    const whole = await disk.read(MANIFEST);
    let tried = 0;
    for (const at of sampled(whole.length, 4)) {
      tried++;
      const bytes = whole.slice();
      bytes[at]! ^= [0x01, 0x40, 0x55, whole[at]!][(at >> 2) % 4]!;
      if (await isRefused(await changed(disk, { [MANIFEST]: bytes }), wanted, `byte ${at}`)) refused++;
    }
    assert.ok(refused >= tried - 1, `${refused} of ${tried}`);
    const mark = await disk.read(MARK);
    for (let at = 0; at < mark.length; at++) {
      const bytes = mark.slice();
      bytes[at]! ^= 1 << (at % 8);
      assert.equal(await isRefused(await changed(disk, { [MARK]: bytes }), wanted, `mark, ${at}`), false);
    }
  });

  test(`behind ${stop}, without a mark: a manifest that does not know an index of the log is refused`, async () => {
    const disk = await written(isClean);
    const manifest = await disk.read(MANIFEST);
    let refused = 0;
    const lines: number[] = [];
    for (let at = manifest.indexOf(10); at >= 0; at = manifest.indexOf(10, at + 1)) lines.push(at + 1);
    for (const end of lines) {
      const text = Buffer.from(manifest.subarray(0, end)).toString();
      const knowsAll = text.includes('["index","4"');
      const cut = await changed(disk, { [MANIFEST]: manifest.subarray(0, end), [MARK]: undefined });
      const before = await namesOf(cut);
      try {
        const engine = await open('', { ...OPTIONS, disk: cut });
        assert.ok(knowsAll, `${end}: documents of an index are lost`);
        await engine.close();
      } catch (error) {
        assert.match(
          String(error),
          /manifest has lost its end.*index number|indices number.*doctor --repair/,
        );
        refused++;
      }
      for (const name of before) assert.ok((await namesOf(cut)).includes(name), `${end}: ${name}`);
    }
    assert.ok(refused > lines.length / 3, `${refused} of ${lines.length}`);
  });
}
