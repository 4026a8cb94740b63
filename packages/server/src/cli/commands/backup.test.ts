// A backup restores the server. It is taken over HTTP under concurrent writes, or from a directory. A damaged, truncated or
// foreign archive is refused and leaves no files.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Engine, open } from '@octavo/engine';
import { createAccount, openRecords, postItem, type Records, transfer } from '@octavo/records';
import { packTar, unpackTar } from 'modern-tar';
import { ANONYMOUS } from '../../access/callers/principal.ts';
import { createServer, listen } from '../../serve.ts';

const bin = fileURLToPath(new URL('../../../bin/octavo.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'octavo-backup-'));
const source = join(folder, 'source');
const archived = join(folder, 'a.tar');
let engine: Engine;
let records: Records;
let url: string;
let close: () => Promise<void>;

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

const book = (n: number) =>
  ({
    kind: 'index',
    index: 'books',
    id: `${n}`,
    source: Buffer.from(JSON.stringify({ n, title: `book ${n}` })),
  }) as const;

before(async () => {
  engine = await open(source);
  records = await openRecords(source);
  await engine.write(Array.from({ length: 3_000 }, (_, n) => book(n)));
  await engine.indices.flush(['books']);
  await engine.write(Array.from({ length: 100 }, (_, n) => book(n)));
  await records.write(postItem, { feed: '', draft: { author: 'ada', text: 'hello' } });
  await records.write(createAccount, { id: 'mint', currency: 'EUR', allowNegative: true });
  await records.write(createAccount, { id: 'ada', currency: 'EUR' });
  await records.write(transfer, { from: 'mint', to: 'ada', money: '12.34' });
  const app = await createServer(engine, { records });
  url = await listen(app, { port: 0 });
  close = async () => {
    await app.close();
    await records.close();
    await engine.close();
  };
});
after(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

test('a server is saved while it is written to, and what comes back is whole', async () => {
  const writing = { go: true, rounds: 0 };
  const busy = (async () => {
    for (; writing.go; writing.rounds++)
      await engine.write(Array.from({ length: 50 }, (_, n) => book(10_000 + writing.rounds * 50 + n)));
  })();
  const saved = await octavo('backup', archived, '--url', url);
  writing.go = false;
  await busy;
  assert.ok(writing.rounds > 0);
  assert.equal(saved.code, 0, saved.err);
  assert.match(saved.err, /saved \d+ files, .* all verified/);
  assert.ok(!existsSync(`${archived}.part`));

  const dir = join(folder, 'restored');
  const restored = await octavo('restore', archived, '--data', dir);
  assert.equal(restored.code, 0, restored.err);
  assert.equal((await octavo('doctor', dir)).code, 0);
  const second = await open(dir);
  const total = await second.count({ indices: ['books'] });
  assert.ok(total >= 3_000 && total % 50 === 0, `${total}`);
  assert.deepEqual(JSON.parse(Buffer.from(second.get('books', '7')!.source).toString()), {
    n: 7,
    title: 'book 7',
  });
  await second.close();
  const third = await octavo('backup', join(folder, 'again.tar'), '--data', dir);
  assert.equal(third.code, 0, third.err);
});

test('what is there already is not overwritten, and an empty directory is taken', async () => {
  const taken = join(folder, 'taken');
  mkdirSync(taken);
  writeFileSync(join(taken, 'mine'), 'x');
  const refused = await octavo('restore', archived, '--data', taken);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /is not empty/);
  assert.deepEqual(readdirSync(taken), ['mine']);
  rmSync(join(taken, 'mine'));
  assert.equal((await octavo('restore', archived, '--data', taken, '--quiet')).code, 0);
  assert.ok(existsSync(join(taken, 'records.db')));
});

test('an archive that is cut, damaged or foreign is refused, and nothing is left', async () => {
  const whole = readFileSync(archived);
  const entries = await unpackTar(whole);
  const flipped = Buffer.from(whole);
  const at = flipped.indexOf('book 7');
  flipped[at] = flipped[at]! ^ 1;
  const cases: [string, Uint8Array, RegExp][] = [
    ['cut', whole.subarray(0, whole.length / 2), /truncated|not a complete tar/],
    ['flipped', flipped, /differs from what was written/],
    ['endless', await packTar(entries.slice(0, -1)), /truncated/],
    ['fewer', await packTar(entries.slice(1)), /is missing/],
    [
      'more',
      await packTar([{ header: { name: 'log/9.log', size: 1 }, body: 'x' }, ...entries]),
      /does not name/,
    ],
    [
      'climbing',
      await packTar([{ header: { name: '../evil', size: 1 }, body: 'x' }]),
      /is not a file of a data directory/,
    ],
    [
      'climbing further',
      await packTar([{ header: { name: 'log/..', size: 1 }, body: 'x' }]),
      /is not a file of a data directory/,
    ],
    ['no tar', Buffer.from('hello '.repeat(500)), /not a complete tar/],
    ['empty', Buffer.alloc(0), /truncated|not a complete tar/],
  ];
  const before = readdirSync(folder);
  for (const [what, bytes, reason] of cases) {
    const file = join(folder, 'bad.tar');
    writeFileSync(file, bytes);
    const { code, err } = await octavo('restore', file, '--data', join(folder, 'never'));
    assert.equal(code, 1, what);
    assert.match(err, reason, what);
    assert.doesNotMatch(err, /report it/, what);
    rmSync(file);
    assert.deepEqual(readdirSync(folder), before, what);
  }
});

test('a server that is not there, and one that refuses, are told in words', async () => {
  const gone = await octavo('backup', join(folder, 'no.tar'), '--url', 'http://127.0.0.1:9');
  assert.equal(gone.code, 1);
  assert.match(gone.err, /cannot be reached/);
  assert.ok(!existsSync(join(folder, 'no.tar')));
  const guest = { ...ANONYMOUS, id: 'key:guest', scopes: ['search:read'] } as const;
  const app = await createServer(engine, { records, authenticate: () => guest, keyless: () => false });
  const guarded = await listen(app, { port: 0 });
  const denied = await octavo('backup', join(folder, 'no.tar'), '--url', guarded, '--key', 'a:b');
  await app.close();
  assert.equal(denied.code, 1);
  assert.match(denied.err, /The server refused: .*admin:admin/);
  assert.ok(!existsSync(join(folder, 'no.tar.part')));
});
