// Documents leave a real server, or a data directory, as they entered it, byte for byte and with their ids. The server shuts
// down cleanly.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../../bin/octavo.js', import.meta.url));
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-roundtrip-'));
});

after(() => rmSync(folder, { recursive: true }));

function octavo(...args: string[]): {
  child: ChildProcess;
  ended: Promise<{ code: number | null; out: string; err: string }>;
} {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => (out += chunk));
  child.stderr?.on('data', (chunk) => (err += chunk));
  return { child, ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err }))) };
}

async function run(...args: string[]): Promise<string> {
  const { code, out, err } = await octavo(...args).ended;
  assert.equal(code, 0, err);
  return out;
}

/** Documents with what a careless way would change: digits, escapes, spaces, order of keys. */
function documents(): string[] {
  const lines: string[] = [];
  for (let i = 0; i < 2500; i++) {
    const id = `k${String(i).padStart(4, '0')}`;
    lines.push(`{"n": ${9007199254740993n + BigInt(i)}, "id":"${id}","t":"\\u00e4 ${i}","f":1.50}`);
  }
  return lines;
}

test('over HTTP and back, then into a data directory and back', async () => {
  const serving = octavo('serve', '--port', '0', '--data', join(folder, 'served'));
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    serving.child.stdout?.on('data', (chunk: Buffer) => {
      out += String(chunk);
      const found = /listens on (http:\S+) /.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
    void serving.ended.then(({ err }) => reject(new Error(err)));
  });
  const lines = documents();
  const file = join(folder, 'in.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await run('import', file, '--index', 'k', '--id-field', 'id', '--url', url);
  assert.equal(await run('export', 'k', '--url', url), `${lines.join('\n')}\n`);
  const few = await run('export', 'k', '--url', url, '--query', '{"term":{"id.keyword":"k0007"}}');
  assert.equal(few, `${lines[7]}\n`);

  const bulk = join(folder, 'k.bulk');
  await run('export', 'k', '--url', url, '--format', 'bulk', '--out', bulk);
  const taken = await octavo('import', bulk, '--data', join(folder, 'served')).ended;
  assert.equal(taken.code, 1);
  assert.match(taken.err, /^octavo: data directory .* is in use by process \d+; stop it first/);
  serving.child.kill('SIGTERM');
  const { code, err } = await serving.ended;
  assert.equal(code, 0);
  assert.match(err, /octavo: closed\n$/);

  const direct = join(folder, 'direct');
  await run('import', bulk, '--data', direct);
  const out = join(folder, 'out.bulk');
  await run('export', 'k', '--data', direct, '--format', 'bulk', '--out', out);
  assert.equal(readFileSync(out, 'utf8'), readFileSync(bulk, 'utf8'));
  const doctor = await octavo('doctor', direct).ended;
  assert.equal(doctor.code, 0);
  assert.match(doctor.err, /is sound/);
});

test('doctor names what is damaged, and what is not there', async () => {
  const nowhere = await octavo('doctor', join(folder, 'nowhere')).ended;
  assert.deepEqual(
    [nowhere.code, nowhere.err],
    [1, `octavo: There is no data directory at ${join(folder, 'nowhere')}: it does not exist.\n`],
  );
  const other = mkdtempSync(join(folder, 'other-'));
  writeFileSync(join(other, 'notes.txt'), 'mine');
  const strange = await octavo('doctor', other).ended;
  assert.equal(strange.code, 1);
  assert.match(strange.err, /There is no data directory at .*: the folder has neither a catalog nor a log\./);
  assert.deepEqual(readdirSync(other), ['notes.txt']);
  const dir = join(folder, 'hurt');
  writeFileSync(join(folder, 'two.csv'), 'a,b\n1,x\n2,y\n');
  await run('import', join(folder, 'two.csv'), '--index', 'i', '--data', dir);
  const log = join(dir, 'log', '00000001.log');
  const bytes = readFileSync(log);
  bytes[20] = (bytes[20] ?? 0) ^ 0xff;
  writeFileSync(log, bytes);
  const { code, out } = await octavo('doctor', dir).ended;
  assert.equal(code, 1);
  assert.match(out, /log\/00000001\.log: damaged, \d+ bytes at 0/);
});

test('import: a first line that is not an object is refused by its number, the others go in', async () => {
  const dir = join(folder, 'first');
  for (const [at, line] of ['5', '"text"', '[1]', '{"a":', 'no'].entries()) {
    const file = join(folder, `first-${at}.ndjson`);
    writeFileSync(file, `${line}\n{"n":1}\n[2]\n{"n":3}\n`);
    const { code, err } = await octavo('import', file, '--index', `i${at}`, '--data', dir).ended;
    assert.equal(code, 1, line);
    assert.match(err, /^line 1: /m, line);
    assert.match(err, /^line 3: /m, line);
    assert.match(err, /imported 2 documents[\s\S]*2 documents were refused/, line);
  }
});

test('import: a file of another form is refused at once, with what to do', async () => {
  for (const [text, cure] of [
    ['[\n{"a":1},\n{"a":2}\n]\n', /JSON array.* jq -c '\.\[\]' FILE/],
    ['[{"a":1},\n{"a":2}]\n', /JSON array/],
    ['{\n  "a": 1\n}\n', /span several lines.* jq -c \. FILE/],
  ] as const) {
    const file = join(folder, 'other.ndjson');
    writeFileSync(file, text);
    const { code, err } = await octavo('import', file, '--index', 'i', '--data', join(folder, 'first')).ended;
    assert.equal(code, 1, text);
    assert.match(err, cure);
  }
});

test('a data directory that cannot be one: a clear error at once', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  for (const [dir, reason] of [
    [file, 'it is not a folder'],
    [join(file, 'below'), 'it is not a folder'],
    // Where the system has one that takes no folders.
    ...(existsSync('/proc/self') ? [['/proc/x/y', 'no folder can be created there']] : []),
  ] as const) {
    const { code, err } = await octavo('serve', '--data', dir!, '--port', '0').ended;
    assert.equal(code, 1);
    assert.equal(err, `octavo: The data directory ${dir} cannot be opened: ${reason}.\n`);
  }
});
