// Files of every format version can be read, and no format changes without a new version number.
// `fixtures/<what>-v<version>` holds a small data directory as that version wrote it and is never changed.
// After raising a FORMAT_VERSION run this once with OCTAVO_WRITE_FIXTURES=1.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Catalog } from '../src/catalog/catalog.ts';
import { MANIFEST_VERSION as CATALOG_VERSION } from '../src/catalog/manifest-format.ts';
import { SimulatedDisk } from '../src/disk/simulated.ts';
import type { LogFinding } from '../src/log/chunk/chunk.ts';
import {
  entryOf,
  frameOf,
  type Replayed,
  recordsOfCommit,
  replayAll,
} from '../src/log/feed/history.testing.ts';
import { LOG_VERSION } from '../src/log/format/format.ts';
import { DocumentLog } from '../src/log/log.ts';
import type { LogOptions } from '../src/log/log-options.ts';

const FIXTURES = new URL('fixtures/', import.meta.url).pathname;
const LOG_OPTIONS = { chunkBytes: 2_000, ballastBytes: 0 };

/** Words are learnt from the first chunk, and all that follows is packed with them. */
const PACKED_OPTIONS = {
  ...{ chunkBytes: 16_000, ballastBytes: 0 },
  packing: { sampleBytes: 8_000, from: 1_000, threadFrom: Number.POSITIVE_INFINITY },
};
/** Words that come often and seldom, numbers, escapes, and letters of several bytes. */
const packedCommit = (commit: number): Replayed[] =>
  Array.from({ length: 40 }, (_, at): Replayed => {
    const seqNo = commit * 40 + at;
    const word = (w: number): string =>
      [
        'the',
        'of',
        'Größe',
        'naïve',
        `word${(seqNo * w) % 89}`,
        `${seqNo * w * 7919}`,
        '😀',
        'pages',
        '"a\\b"',
      ][(seqNo * 5 + w * w) % 9]!;
    const text = Array.from({ length: 5 + (seqNo % 40) }, (_, w) => word(w)).join(' ');
    const place = {
      commit,
      indexNumber: 1,
      seqNo,
      version: 1,
      id: `id-${seqNo}`,
      type: undefined,
      routing: undefined,
    };
    return seqNo % 11 === 0
      ? { ...place, kind: 'delete', source: '' }
      : { ...place, kind: 'index', source: JSON.stringify({ title: `Page ${seqNo}`, seqNo, text }) };
  });

/** A life that uses everything of the log's format: several chunks, both kinds, every kind of record. */
async function writeLog(
  disk: SimulatedDisk,
  options: LogOptions = LOG_OPTIONS,
  recordsOf = recordsOfCommit,
): Promise<void> {
  const log = await DocumentLog.open(disk, options);
  for (let commit = 1; commit <= 8; commit++) await log.append([frameOf(log, commit, recordsOf(commit))[0]]);
  const { number, lastCommit } = log.chunks()[0]!;
  const live = (await replayAll(log)).filter(({ commit }) => commit <= lastCommit);
  await log.appendMoved(live.map(entryOf));
  await log.removeChunk(number);
  await log.close();
}

async function checkLog(
  disk: SimulatedDisk,
  options: LogOptions = LOG_OPTIONS,
  recordsOf = recordsOfCommit,
): Promise<DocumentLog> {
  const log = await DocumentLog.open(disk, options);
  assert.deepEqual(log.findings, []);
  assert.deepEqual(await replayAll(log), Array.from({ length: 8 }, (_, at) => recordsOf(at + 1)).flat());
  await log.append([frameOf(log, 9, recordsOf(9))[0]]);
  return log;
}

async function checkPackedLog(disk: SimulatedDisk): Promise<void> {
  const findings: LogFinding[] = [];
  const onFinding = (finding: LogFinding) => void findings.push(finding);
  const log = await checkLog(disk, { ...PACKED_OPTIONS, onFinding }, packedCommit);
  await log.verify(onFinding);
  assert.deepEqual(findings, []);
  const chunks = log.chunks();
  assert.deepEqual(new Set(chunks.map(({ kind }) => kind)), new Set(['fresh', 'moved']));
  for (const { bytes, stored, kind } of chunks)
    assert.ok(stored < bytes * 0.8, `${stored} of ${bytes} bytes of a ${kind} chunk`);
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

/** How words are chosen may change as long as they are read: files need not stay the same byte by byte. */
for (let version = 2; version <= LOG_VERSION; version++)
  test(`log of format version ${version} is read, packed by words`, async () => {
    const fixture = join(FIXTURES, `log-v${version}-words`);
    if (version === LOG_VERSION && process.env['OCTAVO_WRITE_FIXTURES'] === '1' && !existsSync(fixture)) {
      const disk = new SimulatedDisk();
      await writeLog(disk, PACKED_OPTIONS, packedCommit);
      await save(disk, 'log', fixture);
    }
    await checkPackedLog(await load('log', fixture));
  });

for (const { what, version, write, check } of [
  {
    what: 'log',
    version: LOG_VERSION,
    write: (disk: SimulatedDisk) => writeLog(disk),
    check: (disk: SimulatedDisk) => checkLog(disk),
  },
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
    // The mark of the manifest is a file of its own, which older versions do not have.
    const names = (await now.list(what)).filter((name) => name !== 'manifest.mark').sort();
    assert.deepEqual(names, (await then.list(what)).sort());
    for (const name of names)
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
