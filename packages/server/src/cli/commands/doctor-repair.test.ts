// `octavo doctor --repair` asks before it changes anything, keeps the originals, and leaves a directory that a
// server starts on, with everything that could be read.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from '@octavo/engine';

const DOCS = 9_600;
const BULK = 400;
const UNIT = 4_096;
const LOG = 'log/00000001.log';
const bin = fileURLToPath(new URL('../../../bin/octavo.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'octavo-repair-'));
const sound = join(folder, 'sound');
after(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function octavo(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const sourceOf = (n: number): string =>
  JSON.stringify({ n, text: `red fox ${'jumps '.repeat(5 + (n % 20))}` });

before(async () => {
  const engine = await open(sound, { ballastBytes: 0 });
  for (let from = 0; from < DOCS; from += BULK) {
    const ops = Array.from({ length: BULK }, (_, i) => ({
      ...({ kind: 'index', index: 'd', id: `${from + i}` } as const),
      source: Buffer.from(sourceOf(from + i)),
    }));
    for (const { error } of await engine.write(ops)) assert.equal(error, undefined);
  }
  await engine.indices.flush(['d']);
  await engine.close();
});

/** A copy of the sound directory, one file of which is changed. */
function damaged(name: string, file: string, change: (bytes: Buffer) => Buffer): string {
  const dir = join(folder, name);
  cpSync(sound, dir, { recursive: true });
  writeFileSync(join(dir, file), change(readFileSync(join(dir, file))));
  return dir;
}

/** Every file with its length and its bytes, except for the lock. */
function filesOf(dir: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    if (statSync(join(dir, path)).isFile() && !path.includes('lock'))
      files.set(path, readFileSync(join(dir, path)).toString('base64'));
  return files;
}

/** The place that two lines under `wrong:` name. */
function namesTwice(err: string): string | undefined {
  const wrong = err.slice(err.indexOf('wrong:'), err.indexOf('lost after'));
  const places = [...wrong.matchAll(/log\/\d+\.log: \w+, \d+ bytes at \d+/g)].map(([place]) => place);
  return places.find((place, at) => places.indexOf(place) !== at);
}

async function idsOf(dir: string, index: string): Promise<Set<string>> {
  const engine = await open(dir, { ballastBytes: 0 });
  const ids = new Set<string>();
  for (let n = 0; n < DOCS; n++) {
    const doc = engine.get(index, `${n}`);
    if (doc === undefined) continue;
    assert.equal(Buffer.from(doc.source).toString(), sourceOf(n));
    ids.add(`${n}`);
  }
  await engine.close();
  return ids;
}

test('a flipped bit in the last frame: the start names the repair, which loses the documents of one unit', async () => {
  const dir = damaged('last-frame', LOG, (bytes) => {
    bytes[bytes.length - 5_000]! ^= 4;
    return bytes;
  });
  const start = await octavo('serve', '--data', dir, '--port', '0');
  assert.equal(start.code, 1);
  assert.match(start.err, /log\/00000001\.log has lost its end.* run octavo doctor --repair/);

  const before = filesOf(dir);
  const asked = await octavo('doctor', dir, '--repair');
  assert.equal(asked.code, 1, asked.err);
  assert.match(asked.err, /the log has lost its end: commit/);
  assert.match(asked.err, /(\d+) documents of \[d\] cannot be read: \d+/);
  assert.equal(namesTwice(asked.err), undefined, asked.err);
  assert.match(asked.err, /Nothing was changed: there is no terminal to ask on\. Add --yes to repair\./);
  assert.deepEqual(filesOf(dir), before);

  const done = await octavo('doctor', dir, '--repair', '--yes');
  assert.equal(done.code, 0, done.err);
  const lost = Number(/(\d+) documents of \[d\] cannot be read/.exec(done.err)![1]);
  assert.ok(lost > 0 && lost < UNIT / 10, `${lost} are lost`);
  const [, kept] = /the originals of \d+ files are in .*\/(before-repair-\S+)/.exec(done.err) ?? [];
  assert.ok(readFileSync(join(dir, kept!, LOG)).equals(Buffer.from(before.get(LOG)!, 'base64')));
  assert.equal((await idsOf(dir, 'd')).size, DOCS - lost);

  const again = await octavo('doctor', dir, '--repair', '--yes');
  assert.equal(again.code, 0);
  assert.match(again.err, /there is nothing to repair/);
  assert.equal((await octavo('backup', join(folder, 'after.tar'), '--data', dir)).code, 0);
});

test('damage that no start can mend is listed once, by both forms of the command', async () => {
  const dir = damaged('middle', LOG, (bytes) => {
    bytes[Math.floor(bytes.length / 2)]! ^= 4;
    return bytes;
  });
  // Without its segments the start reads the log, and reports the damage as well.
  rmSync(join(dir, 'segments'), { recursive: true });
  const asked = await octavo('doctor', dir, '--repair');
  assert.match(asked.err, /log\/00000001\.log: damaged, \d+ bytes at \d+/);
  assert.equal(namesTwice(asked.err), undefined, asked.err);
  const { out } = await octavo('doctor', dir);
  const lines = out.split('\n').filter((line) => line.includes(': damaged, '));
  assert.equal(lines.length, 1, out);
});

test('a lost catalog: documents are in an index of another name', async () => {
  const dir = damaged('catalog', LOG, (bytes) => bytes);
  rmSync(join(dir, 'catalog'), { recursive: true });
  const done = await octavo('doctor', dir, '--repair', '--yes');
  assert.equal(done.code, 0, done.err);
  assert.match(done.err, /index number 1 are lost: its documents will be in \[recovered-1\]/);
  assert.equal((await idsOf(dir, 'recovered-1')).size, DOCS);
});

test('a file of a later version: refused in words, and everything is as it was', async () => {
  const { crc32 } = await import('node:zlib');
  const dir = damaged('later', LOG, (bytes) => {
    bytes.writeUInt32LE(9, 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40);
    return bytes;
  });
  const before = filesOf(dir);
  const done = await octavo('doctor', dir, '--repair', '--yes');
  assert.equal(done.code, 1);
  assert.match(done.err, /cannot be repaired, and nothing was changed: .*format version 9/);
  assert.deepEqual(filesOf(dir), before);
});

test('--repair without a directory is a wrong command line', async () => {
  const { code, err } = await octavo('doctor', '--repair');
  assert.equal(code, 2);
  assert.match(err, /--repair repairs a data directory: name it/);
});
