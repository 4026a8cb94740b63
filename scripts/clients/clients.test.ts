// The runner of the clients: the lines it reads, the tables it writes, and its list of clients. It runs no client.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CLIENTS } from './client-list.ts';
import { clientsNamed } from './clients.ts';
import { programOf, versionOf } from './install.ts';
import { callsIn, type Expected, surprises, tablesOf } from './results.ts';
import { runCommand } from './run-command.ts';

test('calls are read among other output, and one that fails once has failed', () => {
  const output = [
    'a warning of the client',
    '{"call":"index","ok":true}',
    '{"call":"search","ok":false,"error":"no\\nstack"}',
    '{"call":"search","ok":true}',
    '',
  ].join('\n');
  assert.deepEqual(callsIn(output), [
    { call: 'index', ok: true },
    { call: 'search', ok: false, error: 'no' },
  ]);
  assert.throws(() => callsIn('{"call":"index"}'), /not the line of a call/);
});

test('only what is not expected is a surprise, in both directions', () => {
  const calls = [
    { call: 'a', ok: true },
    { call: 'b', ok: false, error: 'broken' },
    { call: 'c', ok: false, error: 'refused | by name' },
  ];
  const outcomes = [{ name: 'x', version: '1.0', calls }];
  assert.deepEqual(surprises(outcomes, { x: { c: 'out of scope', a: 'not yet' } }), [
    'x: a works; it is expected to fail',
    'x: b fails: broken',
  ]);
  const tables = tablesOf(outcomes, {}, '2026-01-02');
  assert.match(tables, /^Run of 2026-01-02: 1 of 3 calls of 1 clients work\./);
  assert.match(tables, /\n\| x \| 1\.0 \| 3 \| 1 \|\n/);
  assert.match(tables, /\n\| x \| c \| refused \\\| by name \|$/);
});

test('every client has a name of its own, a version and a program', () => {
  assert.equal(new Set(CLIENTS.map(({ name }) => name)).size, CLIENTS.length);
  for (const client of CLIENTS) {
    assert.match(versionOf(client.packages[0]!), /^\d+\.\d+/, client.name);
    assert.ok(existsSync(programOf(client)), client.name);
  }
  assert.equal(versionOf('github.com/a/b/v4@v4.8.1'), '4.8.1');
  assert.equal(versionOf('co.a:b:9.5.6'), '9.5.6');
});

test('clients are chosen by name', () => {
  assert.equal(clientsNamed([]).length, CLIENTS.length);
  assert.deepEqual(
    clientsNamed(['opensearch-py']).map(({ name }) => name),
    ['opensearch-py'],
  );
  assert.throws(
    () => clientsNamed(['opensearch-perl']),
    /there is no client opensearch-perl; the clients are /,
  );
});

test('expected failures name clients of the list, with reasons', () => {
  const file = new URL('./expected-failures.json', import.meta.url);
  const expected = JSON.parse(readFileSync(file, 'utf8')) as Expected;
  for (const [name, calls] of Object.entries(expected)) {
    assert.equal(clientsNamed([name]).length, 1);
    for (const reason of Object.values(calls)) assert.ok(reason.length > 10, reason);
  }
});

test('a command that takes too long is ended with all its processes', async () => {
  const script = "require('child_process').spawnSync('sleep', ['100'])";
  const { ended } = await runCommand(process.execPath, ['-e', script], '.', 0.3);
  assert.equal(ended, 'a time limit of 0.3 s');
  assert.match(String((await runCommand('no-such-program', [], '.', 5)).ended), /ENOENT/);
});
