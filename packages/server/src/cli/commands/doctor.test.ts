// `octavo doctor` finds every kind of damage. Each is tested on a copy of a sound directory: the exit code, the file, and the
// advice.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from '@octavo/engine';
import { createAccount, openRecords, transfer, type WriteOperation } from '@octavo/records';
import { newStore, ON_POSTGRES } from '../../../test/stores.ts';

const bin = fileURLToPath(new URL('../../../bin/octavo.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'octavo-doctor-'));
const sound = join(folder, 'sound');
after(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function octavo(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args]);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

before(async () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, n) => `${JSON.stringify({ n, t: `red fox ${n}` })}\n`).join('');
  // Enough of the one to be sealed in a segment, and too little of the other.
  for (const [index, count] of [
    ['sealed', 3_000],
    ['tail', 200],
  ] as const) {
    writeFileSync(join(folder, index), lines(count));
    const args = ['--index', index, '--data', sound, '--format', 'ndjson', '--quiet'];
    assert.equal((await octavo('import', join(folder, index), ...args)).code, 0);
  }
});

const LOG = 'log/00000001.log';
const SEGMENT = 'segments/1-1.seg';
const NUMBERS = 'segments/1-1.seq';

type Harm = (dir: string) => void;
const flip =
  (file: string, at: number): Harm =>
  (dir) => {
    const bytes = readFileSync(join(dir, file));
    bytes[at < 0 ? bytes.length + at : at]! ^= 0x40;
    writeFileSync(join(dir, file), bytes);
  };
const cut =
  (file: string, bytes: number): Harm =>
  (dir) =>
    truncateSync(join(dir, file), bytes < 0 ? statSync(join(dir, file)).size + bytes : bytes);
const lose =
  (file: string): Harm =>
  (dir) =>
    rmSync(join(dir, file));

const MENDED = /One thing was wrong in .*It is repaired/;
const RESTORE = /restore the (data )?directory from a backup/;
const CASES: readonly [what: string, harm: Harm, names: RegExp, cure: RegExp, after?: 0 | 1][] = [
  ['a flipped byte in a segment', flip(SEGMENT, 5_000), /segments\/1-1\.seg: checksum .* making it again/, MENDED, 0],
  ['a segment cut short', cut(SEGMENT, 10_000), /segments\/1-1\.seg: .* making it again/, MENDED],
  ['a lost segment', lose(SEGMENT), /segments\/1-1\.seg: the file is missing: making it again/, MENDED],
  ['lost sequence numbers', lose(NUMBERS), /segment 1 of \[sealed\]: written again/, MENDED],
  ['a flipped byte in the log', flip(LOG, 5_000), /log\/00000001\.log: damaged, \d+ bytes at \d+/, RESTORE, 1],
  ['a log without its last append', cut(LOG, -10), /log\/00000001\.log: torn, .* was cut off/, /repeat that write/, 0],
  ['a log cut in the middle', cut(LOG, 50_000), /log\/00000001\.log has lost its end/, RESTORE],
  ['a lost log', lose(LOG), /log\/00000001\.log has lost its end, or the files behind it are missing/, RESTORE, 1],
  ['a flipped byte in the catalog', flip('catalog/manifest', 100), /catalog\/manifest is damaged/, RESTORE],
  ['a lost catalog', lose('catalog/manifest'), /catalog\/manifest is missing/, RESTORE],
]; // biome-ignore format: a table

test('a sound directory: exit code 0, and it says so', async () => {
  const files = readdirSync(join(sound, 'segments'));
  assert.ok(files.includes('1-1.seg') && files.includes('1-1.seq'), String(files));
  const { code, out, err } = await octavo('doctor', sound);
  assert.deepEqual([code, out], [0, '']);
  assert.match(err, /is sound: \d+\.\d MB checked/);
  assert.deepEqual(await octavo('doctor', sound, '--quiet'), { code: 0, out: '', err: '' });
});

test('damage: exit code 1, the file, what to do; a second run finds only what could not be mended', async () => {
  const left = [...CASES];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [what, harm, names, cure, after] = next;
      const dir = join(folder, what.replaceAll(' ', '-'));
      cpSync(sound, dir, { recursive: true });
      harm(dir);
      const first = await octavo('doctor', dir, '--quiet');
      assert.equal(first.code, 1, what);
      assert.match(first.out + first.err, names, what);
      assert.match(first.err, cure, what);
      assert.doesNotMatch(first.err, /this is a bug/);
      if (after === undefined) continue;
      const second = await octavo('doctor', dir, '--quiet');
      assert.equal(second.code, after, `${what}: ${second.out}${second.err}`);
    }
  };
  await Promise.all([work(), work()]);
});

test('a directory in use: one line that names the process', async () => {
  const engine = await open(sound, { ballastBytes: 0 });
  try {
    const { code, out, err } = await octavo('doctor', sound);
    assert.deepEqual([code, out], [1, '']);
    const named = `octavo: data directory ${sound} is in use by process ${process.pid}; stop it first, or choose another directory.\n`;
    assert.equal(err, named);
  } finally {
    await engine.close();
  }
});

test('records alone: without a data directory', async () => {
  const [none, file, away, help] = await Promise.all([
    octavo('doctor'),
    octavo('doctor', '--records', sound),
    octavo('doctor', '--records', 'postgres://nobody:secret@127.0.0.1:9/none'),
    octavo('doctor', '--help'),
  ]);
  assert.equal(none.code, 2);
  assert.match(none.err, /Name a data directory, or records with --records postgres:/);
  assert.equal(file.code, 2);
  assert.equal(away.code, 1);
  assert.match(away.err, /The records cannot be opened: PostgreSQL at 127\.0\.0\.1:9\/none/);
  assert.doesNotMatch(away.err, /secret|this is a bug/);
  assert.match(help.out, /octavo doctor --records postgres:/);
});

test('records alone on a PostgreSQL: sound, then a balance that somebody has changed', {
  skip: ON_POSTGRES ? false : 'OCTAVO_TEST_POSTGRES names none',
}, async () => {
  const url = newStore();
  const records = await openRecords(url);
  for (const id of ['bank', 'ada'])
    await records.write(createAccount, { id, currency: 'EUR', allowNegative: id === 'bank' });
  await records.write(transfer, { from: 'bank', to: 'ada', money: '1' });
  const fine = await octavo('doctor', '--records', url);
  assert.equal(fine.code, 0, fine.err);
  assert.match(fine.err, /the journal has 1 transaction up to [0-9a-f]{64}\nthe records are sound/);
  const harm: WriteOperation<undefined, void> = {
    kind: 'write',
    name: 'test.harm',
    async run({ db }) {
      await db.updateTable('account').set({ balance: 500n }).where('id', '=', 'ada').execute();
    },
  };
  await records.write(harm, undefined);
  const touched = await octavo('doctor', '--records', url);
  assert.equal(touched.code, 1);
  assert.match(touched.out, /^PostgreSQL: .*ada has a balance/m);
  await records.close();
});
