// Can files of every format version still be read, and has no format changed without a new version number?
// `fixtures/<what>-v<version>` holds a small data directory as that version wrote it; they are never changed. After
// raising a FORMAT_VERSION run this once with OCTAVO_WRITE_FIXTURES=1.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Catalog } from '../src/catalog/catalog.ts';
import { FORMAT_VERSION as CATALOG_VERSION } from '../src/catalog/format.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import { FORMAT_VERSION as LOG_VERSION } from '../src/log/format.ts';
import { entryOf, frameOf, recordsOfCommit, tellAll } from '../src/log/history.testing.ts';
import { DocumentLog } from '../src/log/log.ts';

const FIXTURES = new URL('fixtures/', import.meta.url).pathname;
const LOG_OPTIONS = { chunkBytes: 2_000, ballastBytes: 0 };

/** A life that uses everything of the log's format: several chunks, both kinds, every kind of record. */
async function writeLog(disk: SimulatedDisk): Promise<void> {
  const log = await DocumentLog.open(disk, LOG_OPTIONS);
  for (let commit = 1; commit <= 8; commit++)
    await log.append([frameOf(log, commit, recordsOfCommit(commit))[0]]);
  const { number, lastCommit } = log.chunks()[0]!;
  const live = (await tellAll(log)).filter(({ commit }) => commit <= lastCommit);
  await log.appendMoved(live.map(entryOf));
  await log.removeChunk(number);
  await log.close();
}

async function checkLog(disk: SimulatedDisk): Promise<void> {
  const log = await DocumentLog.open(disk, LOG_OPTIONS);
  assert.deepEqual(log.findings, []);
  assert.deepEqual(await tellAll(log), Array.from({ length: 8 }, (_, at) => recordsOfCommit(at + 1)).flat());
  await log.append([frameOf(log, 9, recordsOfCommit(9))[0]]);
}

async function writeCatalog(disk: SimulatedDisk): Promise<void> {
  const catalog = await Catalog.open(disk);
  await catalog.commit([{ put: ['index', 'a', { big: 2n ** 63n, text: 'é\n😀', list: [null, true, 1.5] }] }]);
  await catalog.commit([{ put: ['alias', 'gone', 1] }]);
  await catalog.commit([{ put: ['alias', 'x', 'a'] }, { remove: ['alias', 'gone'] }]);
  await catalog.close();
}

async function checkCatalog(disk: SimulatedDisk): Promise<void> {
  const catalog = await Catalog.open(disk);
  const value = catalog.get('index', 'a') as { big: bigint; text: string; list: unknown[] };
  assert.deepEqual({ ...value }, { big: 2n ** 63n, text: 'é\n😀', list: [null, true, 1.5] });
  assert.deepEqual([...catalog.list('alias')], [['x', 'a']]);
  await catalog.commit([{ put: ['alias', 'y', 'a'] }]);
}

for (const { what, version, write, check } of [
  { what: 'log', version: LOG_VERSION, write: writeLog, check: checkLog },
  { what: 'catalog', version: CATALOG_VERSION, write: writeCatalog, check: checkCatalog },
]) {
  for (let old = 1; old <= version; old++)
    test(`${what} of format version ${old} is read`, async () => {
      const fixture = join(FIXTURES, `${what}-v${old}`);
      if (old === version && process.env['OCTAVO_WRITE_FIXTURES'] === '1' && !existsSync(fixture)) {
        const disk = new SimulatedDisk();
        await write(disk);
        await save(disk, what, fixture);
      }
      await check(await load(what, fixture));
    });

  test(`${what} is written as format version ${version} says`, async () => {
    const now = new SimulatedDisk();
    await write(now);
    const then = await load(what, join(FIXTURES, `${what}-v${version}`));
    assert.deepEqual((await now.list(what)).sort(), (await then.list(what)).sort());
    for (const name of await now.list(what))
      assert.ok(
        Buffer.from(await now.read(`${what}/${name}`)).equals(await then.read(`${what}/${name}`)),
        `${what}/${name} has changed: give the format a new version number, and keep reading the old one`,
      );
  });
}

/** Files have the ending `.bin`, so that nothing takes a log for a log. */
async function save(disk: SimulatedDisk, folder: string, fixture: string): Promise<void> {
  for (const name of await disk.list(folder)) {
    const path = join(fixture, `${name}.bin`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await disk.read(`${folder}/${name}`));
  }
}

async function load(folder: string, fixture: string): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  for (const name of readdirSync(fixture)) {
    const file = await disk.open(`${folder}/${name.replace(/\.bin$/, '')}`, { create: true });
    await file.write([readFileSync(join(fixture, name))], 0);
  }
  return disk;
}
