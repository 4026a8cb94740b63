// `octavo keys` in a data directory and on a running server, and the public host that needs one.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { open } from '@octavo/engine';
import { openRecords } from '@octavo/records';
import type { Command } from 'commander';
import { createServer, listen } from '../../serve.ts';
import { program } from '../main.ts';

const BIN = join(import.meta.dirname, '../../../bin/octavo.js');
const dir = await mkdtemp(join(tmpdir(), 'octavo-keys-'));
after(() => rm(dir, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function octavo(...args: string[]): Promise<Ran> {
  return await octavoWith({}, ...args);
}

async function octavoWith(variables: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  const env = { ...process.env, ...variables };
  return await new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { timeout: 300_000, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
    );
  });
}

test('every command that calls a server takes a key, also from the environment', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
  const callers = leaves(await program()).filter(({ options }) =>
    options.some(({ long }) => long === '--url'),
  );
  assert.ok(callers.length >= 7);
  for (const command of callers) {
    const key = command.options.find(({ long }) => long === '--key');
    assert.equal(key?.envVar, 'OCTAVO_KEY', command.name());
  }
});

test('a public host is refused without a key, and leaves nothing behind', async () => {
  const place = join(dir, 'none');
  const refused = await octavo('serve', '--host', '0.0.0.0', '--port', '0', '--data', place);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /octavo keys create/);
  assert.deepEqual(await readdir(dir), []);
});

test('made in a directory, used on a server, ended by either', async () => {
  const place = join(dir, 'data');
  const first = await octavo('keys', 'create', '--data', place, '--name', 'admin');
  assert.equal(first.code, 0, first.err);
  const token = first.out.trim();
  assert.match(token, /^octavo_/);
  const wrong = await octavo('keys', 'create', '--data', place, '--scope', 'search:everything');
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /search:read/);

  const engine = await open(place, { ballastBytes: 0 });
  const records = await openRecords(place);
  const app = await createServer(engine, { records });
  const url = await listen(app, { port: 0 });
  try {
    assert.equal((await octavo('keys', 'list', '--url', url)).code, 1);
    const made = await octavo(
      'keys',
      'create',
      '--url',
      url,
      '--key',
      token,
      '--name',
      'shop',
      '--scope',
      'search:read',
      '--json',
    );
    assert.equal(made.code, 0, made.err);
    const { key, token: second } = JSON.parse(made.out) as { key: { id: string }; token: string };
    const status = async (bearer: string): Promise<number> =>
      (await fetch(`${url}/_search`, { headers: { authorization: `Bearer ${bearer}` } })).status;
    assert.equal(await status(second), 200);
    const listed = await octavo('keys', 'list', '--url', url, '--key', token);
    assert.deepEqual(listed.out.trim().split('\n').length, 2);
    assert.ok(!listed.out.includes(second.split('.')[1]!));
    const byVariable = await octavoWith({ OCTAVO_KEY: token }, 'keys', 'list', '--url', url);
    assert.equal(byVariable.out, listed.out);
    for (const [id, ...more] of [['-old'], ['old', '--kee']] as const) {
      const { code, err } = await octavo('keys', 'revoke', id, ...more, '--url', url, '--key', token);
      assert.notEqual(code, 0);
      assert.match(err, more.length === 0 ? /no key/ : /too many arguments/);
    }
    const revoked = await octavo('keys', 'revoke', key.id, '--url', url, '--key', token);
    assert.match(revoked.out, /revoked/);
    assert.equal(await status(second), 401);
    const busy = await octavo('keys', 'list', '--data', place);
    assert.equal(busy.code, 1);
    assert.match(busy.err, /in use by process.*POST \/api\/keys.*--url/s);
  } finally {
    await app.close();
    await records.close();
    await engine.close();
  }
  const unused = await octavo('keys', 'list', '--data', place);
  assert.equal(unused.code, 0, unused.err);
  assert.equal(unused.out.trim().split('\n').length, 2);
  const rotated = await octavo(
    'keys',
    'rotate',
    token.slice('octavo_'.length).split('.')[0]!,
    '--data',
    place,
  );
  assert.equal(rotated.code, 0, rotated.err);
  assert.notEqual(rotated.out.trim(), token);
});
