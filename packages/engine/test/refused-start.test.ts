// A refused start leaves the data directory as it was: an operator who restores a copy, or takes a newer
// version, finds also the torn end of an append and what a merge had not finished.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { open, type WriteOp } from '@octavo/engine';
import { encodeChanges } from '../src/catalog/manifest-format.ts';
import { readManifest } from '../src/catalog/read-manifest.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const SMALL = { tailDocs: 8, logChunkBytes: 900, onFailure: () => {} };

const put = (id: string): WriteOp => ({
  ...{ kind: 'index', index: 'd', id },
  source: Buffer.from(JSON.stringify({ text: `${id}${'x'.repeat(90)}` })),
});

async function change(disk: SimulatedDisk, name: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.open(name, { create: true });
  await file.truncate(0);
  await file.write([bytes], 0);
  await file.sync();
  await file.close();
  await disk.syncFolder(name.split('/')[0]!);
}

const logs = async (disk: SimulatedDisk): Promise<string[]> =>
  (await disk.list('log')).filter((name) => name.endsWith('.log')).sort();

/** A directory in which a start has everything to mend that there can be. */
async function torn(): Promise<SimulatedDisk> {
  const before = new SimulatedDisk();
  const engine = await open('', { ...SMALL, ballastBytes: 0, disk: before });
  for (let n = 0; n < 30; n++) await engine.write([put(`${n % 20}`)]);
  await engine.indices.flush(['d']);
  for (let n = 0; n < 3; n++) await engine.write([put(`last${n}`)]);
  const disk = before.crash(1);
  const newest = `log/${(await logs(disk)).at(-1)!}`;
  await change(disk, newest, Buffer.concat([await disk.read(newest), Buffer.from('an append that was cut')]));
  await change(disk, 'log/00000099.tmp', Buffer.from('moved'));
  await change(disk, 'catalog/manifest.tmp', Buffer.from('half of it'));
  await change(disk, 'segments/9-9.seg', Buffer.from('of no index'));
  const manifest = 'catalog/manifest';
  await change(disk, manifest, Buffer.concat([await disk.read(manifest), Buffer.from('0123 cut')]));
  return disk;
}

type Spoil = (disk: SimulatedDisk) => Promise<void>;

async function appended(disk: SimulatedDisk, ...change_: Parameters<typeof encodeChanges>[1]): Promise<void> {
  const bytes = await disk.read('catalog/manifest');
  const { number, end } = readManifest(bytes, 'manifest');
  const more = encodeChanges(number + 1, change_);
  await change(disk, 'catalog/manifest', Buffer.concat([bytes.subarray(0, end), more, bytes.subarray(end)]));
}

const REFUSALS: readonly (readonly [what: string, says: RegExp, spoil: Spoil])[] = [
  [
    'a chunk of a later version',
    /format version 9/,
    async (disk) => {
      const name = `log/${(await logs(disk))[0]!}`;
      const bytes = Buffer.from(await disk.read(name));
      bytes.writeUInt32LE(9, 8);
      bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40);
      await change(disk, name, bytes);
    },
  ],
  [
    'a catalog of a later version',
    /format version 9/,
    async (disk) => {
      const bytes = Buffer.from(await disk.read('catalog/manifest'));
      const head = '0 {"format":9}';
      const line = `${crc32(head).toString(16).padStart(8, '0')} ${head}`;
      await change(
        disk,
        'catalog/manifest',
        Buffer.concat([Buffer.from(line), bytes.subarray(bytes.indexOf(10))]),
      );
    },
  ],
  [
    'a damaged catalog',
    /manifest is damaged/,
    async (disk) => {
      disk.damage('catalog/manifest', 40);
    },
  ],
  ['a catalog that is gone', /manifest is missing/, (disk) => disk.remove('catalog/manifest')],
  [
    'a log that has lost its end',
    /has lost its end/,
    async (disk) => {
      await appended(disk, { put: ['engine', 'replay', 1_000] });
    },
  ],
  [
    'an index that is not understood',
    /\[later\]/,
    async (disk) => {
      await appended(disk, {
        put: ['mapping', '1', { properties: { text: { type: 'later' } } }],
      });
    },
  ],
];

test('a start has something to mend there, and mends it; files are removed by the first write', async () => {
  const disk = await torn();
  let { length } = disk.operations;
  const engine = await open('', { ...SMALL, disk });
  assert.equal(await engine.count({ indices: ['d'] }), 23);
  const mended = disk.operations.slice(length).join('\n');
  for (const what of [/truncate log/, /truncate catalog/]) assert.match(mended, what);
  assert.doesNotMatch(mended, /remove/);
  ({ length } = disk.operations);
  await engine.write([put('next')]);
  await engine.indices.flush(['d']);
  await engine.close();
  const written = disk.operations.slice(length).join('\n');
  for (const what of [/remove log\/00000099/, /remove segments\/9-9/]) assert.match(written, what);
});

for (const [what, says, spoil] of REFUSALS)
  test(`${what}: the start is refused, and nothing was written`, async () => {
    const disk = await torn();
    await spoil(disk);
    const { length } = disk.operations;
    await assert.rejects(open('', { ...SMALL, disk }), says);
    assert.deepEqual(disk.operations.slice(length), []);
    // The lock has been given back.
    await assert.rejects(open('', { ...SMALL, disk }), says);
  });
