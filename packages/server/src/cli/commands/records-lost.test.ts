// Records that are missing, behind or others: `octavo serve` refuses to start and says what to do, `octavo doctor` tells of
// it, and no way back leads to a server that answers without a key.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type NotServing, type Served, serveProcess } from '../../../test/process.ts';

const BIN = join(import.meta.dirname, '../../../bin/octavo.js');
const folder = mkdtempSync(join(tmpdir(), 'octavo-records-lost-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** With keys, posts and events. */
const sound = join(folder, 'sound');
/** The same when it had the key and one post. */
const earlier = join(folder, 'earlier');
/** Another directory with records. */
const other = join(folder, 'other');
const FILES = ['records.db', 'records.db-wal', 'records.db-shm'];

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function octavo(...args: string[]): Promise<Ran> {
  return await new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
    );
  });
}

async function newKey(dir: string, ...flags: string[]): Promise<string> {
  const made = await octavo('keys', 'create', '--data', dir, ...flags);
  assert.equal(made.code, 0, made.err);
  return made.out.trim();
}

async function statusOf(served: Served, path: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const reply = await fetch(`${served.url}${path}`, { headers });
  await reply.text();
  return reply.status;
}

/** Serves a directory with some posts more. */
async function live(dir: string, token: string, posts: number): Promise<void> {
  const served = await serveProcess(dir);
  for (let n = 0; n < posts; n++) {
    const reply = await fetch(`${served.url}/api/newsfeed`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ author: 'ada', text: `post ${n}` }),
    });
    assert.equal(reply.status, 201, await reply.text());
  }
  assert.equal(await served.end(), 0);
}

let token: string;
before(async () => {
  token = await newKey(sound);
  await live(sound, token, 1);
  cpSync(sound, earlier, { recursive: true });
  await live(sound, token, 5);
  const made = await newKey(other);
  await live(other, made, 8);
});

const swapIn =
  (from: string) =>
  (dir: string): void => {
    for (const name of FILES) rmSync(join(dir, name), { force: true });
    for (const name of FILES) if (existsSync(join(from, name))) cpSync(join(from, name), join(dir, name));
  };

const HARMS: readonly [what: string, harm: (dir: string) => void, told: RegExp][] = [
  ['no records.db', swapIn(join(folder, 'none')), /they are missing, and there were 7 events.* and API keys/],
  ['an empty one', (dir) => truncateSync(join(dir, 'records.db'), 0), /they are missing/],
  ['half of it', (dir) => truncateSync(join(dir, 'records.db'), 40_960), /The records are damaged/],
  ['an older copy of it', swapIn(earlier), /they end at commit \d+, and commit \d+ was there/],
  ['that of another directory', swapIn(other), /they are not the records that were here/],
]; // biome-ignore format: a table

for (const [what, harm, told] of HARMS)
  test(`${what}: refused with what to do, and found by doctor`, async () => {
    const dir = join(folder, what.replaceAll(' ', '-'));
    cpSync(sound, dir, { recursive: true });
    harm(dir);
    const before = readdirSync(dir);
    await assert.rejects(serveProcess(dir), (error: NotServing) => {
      assert.equal(error.exitCode, 1);
      assert.match(error.stderr, told);
      assert.match(error.stderr, /restore the data directory from a backup.*--accept-records.*--new-records/);
      assert.doesNotMatch(error.stderr, /this is a bug/);
      return true;
    });
    const found = await octavo('doctor', dir, '--quiet');
    assert.equal(found.code, 1);
    assert.match(found.out, told);
    assert.deepEqual(
      readdirSync(dir).filter((name) => !before.includes(name) && !/lock|-shm$|-wal$/.test(name)),
      [],
    );
  });

test('new records: only on demand, and never without a key', async () => {
  const dir = join(folder, 'no-records.db');
  assert.match((await octavo('keys', 'create', '--data', dir)).err, /they are missing/);
  const anew = await serveProcess(dir, ['--new-records']);
  assert.match(anew.stderr(), /there were API keys, and now there are none/);
  assert.equal(await statusOf(anew, '/_search'), 401);
  assert.equal(await statusOf(anew, '/_search', token), 401);
  assert.equal(await anew.end(), 0);
  const made = await newKey(dir);
  // The flag stays in a unit file: it must not throw away what is there now.
  const again = await serveProcess(dir, ['--new-records']);
  assert.equal(await statusOf(again, '/_search'), 401);
  assert.equal(await statusOf(again, '/_search', made), 200);
  assert.equal(await again.end(), 0);
  assert.equal((await octavo('doctor', dir, '--quiet')).code, 0);
});

test('records that are behind can be accepted, with their keys', async () => {
  const dir = join(folder, 'accepted');
  cpSync(sound, dir, { recursive: true });
  swapIn(earlier)(dir);
  const served = await serveProcess(dir, ['--accept-records']);
  assert.equal(await statusOf(served, '/_search'), 401);
  assert.equal(await statusOf(served, '/_search', token), 200);
  assert.equal(await served.end(), 0);
  await live(dir, token, 1);
});

test('a directory of an older version is adopted, keys and all', async () => {
  const dir = join(folder, 'adopted');
  cpSync(sound, dir, { recursive: true });
  // As before anything was noted: the catalog of a directory that never had records.
  rmSync(join(dir, 'catalog'), { recursive: true });
  rmSync(join(dir, 'log'), { recursive: true });
  await live(dir, token, 1);
  swapIn(join(folder, 'none'))(dir);
  await assert.rejects(serveProcess(dir), /they are missing, and there were 8 events/);
});

test('keys that a killed server made are missed', async () => {
  const dir = join(folder, 'killed');
  const served = await serveProcess(dir);
  const made = await served.ask('POST /api/keys', { name: 'first', scopes: ['*'] });
  assert.equal(made.status, 201);
  await served.end('SIGKILL');
  swapIn(join(folder, 'none'))(dir);
  await assert.rejects(serveProcess(dir), /they are missing, and there were .* API keys/);
});
