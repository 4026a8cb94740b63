// The commands behave as Unix tools do. They run as programs, against a small stand-in for a server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const bin = fileURLToPath(new URL('../../../bin/octavo.js', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function octavo(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], { env: { ...process.env, ...options.env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdin.end(options.input ?? '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

// The stand-in: keeps documents by id, refuses those with {"bad":…}, pages by _id, breaks off on request.
const stored = new Map<string, string>();
let failAfterPages = Number.POSITIVE_INFINITY;
let server: Server;
let url = '';
let folder = '';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  const [path = ''] = (request.url ?? '').split('?');
  const reply = (json: string, status = 200): void => void response.writeHead(status).end(json);
  if (path === '/_bulk') {
    const lines = body.split('\n');
    const items: object[] = [];
    for (let i = 0; i + 1 < lines.length; i += 2) {
      const { index } = JSON.parse(lines[i] ?? '') as { index: { _id?: string } };
      const id = index._id ?? `auto${stored.size}`;
      if (lines[i + 1]?.includes('"bad"')) {
        items.push({
          index: { status: 400, error: { type: 'mapper_parsing_exception', reason: 'it is bad' } },
        });
      } else {
        stored.set(id, lines[i + 1] ?? '');
        items.push({ index: { status: 201 } });
      }
    }
    reply(
      JSON.stringify({ took: 1, errors: items.some((item) => 'error' in Object.values(item)[0]), items }),
    );
  } else if (path.endsWith('/_search/point_in_time')) {
    if (path.startsWith('/missing/'))
      reply('{"error":{"type":"index_not_found_exception","reason":"no such index [missing]"}}', 404);
    else reply('{"pit_id":"p"}');
  } else if (path.endsWith('/_count')) reply(`{"count":${stored.size}}`);
  else if (path === '/_search') {
    if (failAfterPages-- <= 0) return void request.socket.destroy();
    const { search_after: last = [''], size } = JSON.parse(body) as { search_after?: string[]; size: number };
    const ids = [...stored.keys()]
      .sort()
      .filter((id) => id > (last[0] ?? ''))
      .slice(0, size);
    const hits = ids.map((id) => `{"_index":"x","_id":${JSON.stringify(id)},"_source":${stored.get(id)}}`);
    reply(`{"hits":{"hits":[${hits.join(',')}]}}`);
  } else reply('{}');
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-cli-'));
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

test('help and version go to stdout with 0; a wrong command line to stderr with 2', async () => {
  const [help, version, unknown, missing, port] = await Promise.all([
    octavo(['export', '--help']),
    octavo(['--version']),
    octavo(['serve', '--prot', '1']),
    octavo(['import']),
    octavo(['serve'], { env: { OCTAVO_PORT: 'many' } }),
  ]);
  assert.equal(help.code, 0);
  for (const flag of ['--query', '--out', '--resume', '--url', '--data', 'OCTAVO_URL', 'Examples:']) {
    assert.ok(help.out.includes(flag), flag);
  }
  assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /unknown option '--prot'[\s\S]*Did you mean --port/);
  assert.equal(missing.code, 2);
  assert.match(missing.err, /missing required argument 'file'/);
  assert.equal(port.code, 2);
  const words = await octavo(['export', 'x'], { env: { OCTAVO_QUIET: 'perhaps' } });
  assert.equal(words.code, 2);
  assert.match(words.err, /OCTAVO_QUIET is perhaps; it must be true or false/);
  assert.match(port.err, /OCTAVO_PORT.*Give a whole number from 0 to 65535/);
});

test('import: refused documents are named by line, the rest goes in, the exit code is 1', async () => {
  stored.clear();
  const input = '{"id":"a","n":1.0}\n{"bad":1,"id":"b"}\n{"id":"c"}\n';
  const ended = await octavo(['import', '-', '--index', 'x', '--id-field', 'id', '--url', url], { input });
  assert.equal(ended.code, 1);
  assert.match(ended.err, /line 2: it is bad \(mapper_parsing_exception\)/);
  assert.match(ended.err, /imported 2 documents/);
  assert.match(ended.err, /1 document was refused/);
  assert.deepEqual(
    [...stored],
    [
      ['a', '{"id":"a","n":1.0}'],
      ['c', '{"id":"c"}'],
    ],
  );
  assert.equal(ended.out, '');
});

test('import: a line that cannot be read stops no other', async () => {
  stored.clear();
  const input = '{"id":"a"}\n{"id":\n[1]\n{"no":1}\n{"id":"c"}\n';
  const lines = await octavo(['import', '-', '--index', 'x', '--id-field', 'id', '--url', url], { input });
  assert.equal(lines.code, 1);
  assert.match(lines.err, /line 2: is not JSON: \{"id":/);
  assert.match(lines.err, /line 3: has no text or number in the field id/);
  assert.match(lines.err, /line 4: has no text or number in the field id/);
  assert.match(lines.err, /imported 2 documents[\s\S]*3 documents were refused/);
  assert.deepEqual([...stored.keys()], ['a', 'c']);

  stored.clear();
  const bulk = [
    '{"index":{"_id":"1"}}',
    '{"a":1}',
    '{"index":',
    '{"a":2}',
    '{"update":{"_id":"3"}}',
    '{"doc":',
  ];
  bulk.push('{"index":{"_id":"4"}}', '{"a":4}', '{"index":{"_id":"5"}}');
  const args = ['import', '-', '--format', 'bulk', '--index', 'x', '--url', url];
  const actions = await octavo(args, { input: bulk.join('\n') });
  assert.equal(actions.code, 1);
  for (const line of [3, 4, 6, 9]) assert.match(actions.err, new RegExp(`^line ${line}: `, 'm'));
  assert.deepEqual([...stored.keys()], ['1', '4']);

  stored.clear();
  const csv = await octavo(
    ['import', '-', '--format', 'csv', '--index', 'x', '--id-field', 'k', '--url', url],
    {
      input: 'k,n\na,1\nb,2,3\n,4\nc,5\n',
    },
  );
  assert.equal(csv.code, 1);
  assert.match(csv.err, /line 3: has 3 fields[\s\S]*line 4: has no value in the column k/);
  assert.deepEqual([...stored.keys()], ['a', 'c']);
});

test('import: gzip by its first bytes, quiet says nothing, the environment names the server', async () => {
  stored.clear();
  const file = join(folder, 'packed');
  writeFileSync(file, gzipSync('\uFEFFk,n\nx,1\ny,2\n'));
  const ended = await octavo(['import', '--quiet', file, '--index', 'x', '--id-field', 'k'], {
    env: { OCTAVO_URL: url },
  });
  assert.deepEqual(ended, { code: 0, out: '', err: '' });
  assert.deepEqual(
    [...stored],
    [
      ['x', '{"k":"x","n":1}'],
      ['y', '{"k":"y","n":2}'],
    ],
  );
});

test('import: what cannot be done is said in one line', async () => {
  const [noFile, noServer, both, noIndex] = await Promise.all([
    octavo(['import', join(folder, 'nowhere.csv'), '--index', 'x', '--url', url]),
    octavo(['import', '-', '--index', 'x', '--url', 'http://127.0.0.1:1'], { input: '{}\n' }),
    octavo(['import', '-', '--index', 'x', '--url', url, '--data', folder], { input: '{}\n' }),
    octavo(['import', '-', '--url', url], { input: '{}\n' }),
  ]);
  assert.deepEqual([noFile.code, noServer.code, both.code, noIndex.code], [1, 1, 2, 2]);
  assert.match(noFile.err, /nowhere\.csv cannot be read: it does not exist\.\n$/);
  assert.match(noServer.err, /cannot be reached: nothing listens there\. Start one with "octavo serve"/);
  assert.match(both.err, /Give --url or --data, not both/);
  assert.match(noIndex.err, /--index NAME/);
});

function fill(documents: number): string {
  stored.clear();
  for (let i = 0; i < documents; i++) stored.set(`d${String(i).padStart(5, '0')}`, `{"n":${i}}`);
  return [...stored.values()].map((line) => `${line}\n`).join('');
}

test('export: every document once, in order, on stdout', async () => {
  const silent = { OCTAVO_QUIET: '1' };
  const wanted = fill(2345);
  const ended = await octavo(['export', 'x', '--url', url]);
  assert.equal(ended.code, 0);
  assert.equal(ended.out, wanted);
  assert.match(ended.err, /exported 2,345 documents/);
  const quiet = await octavo(['export', 'x', '--url', url], { env: silent });
  assert.equal(quiet.err, '');
  const missing = await octavo(['export', 'missing', '--url', url]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /no such index \[missing\]/);
});

test('export: a folder that is not there is named', async () => {
  fill(3);
  const nowhere = join(folder, 'nowhere');
  const ended = await octavo(['export', 'x', '--url', url, '--out', join(nowhere, 'x')]);
  assert.equal(ended.code, 1);
  assert.ok(ended.err.includes(`cannot be written: there is no folder ${nowhere}.`), ended.err);
});

test('commands that only read create no data directory', async () => {
  const typo = join(folder, 'typo');
  const commands = [
    ['backup', join(folder, 'typo.tar'), '--data', typo],
    ['export', 'books', '--data', typo],
    ['keys', 'list', '--data', typo],
    ['keys', 'revoke', 'k', '--data', typo],
    ['doctor', typo],
    ['migrate', '--from', typo, '--to', join(folder, 'typo-copy')],
  ];
  for (const { code, err } of await Promise.all(commands.map((args) => octavo(args)))) {
    assert.equal(err, `octavo: There is no data directory at ${typo}: it does not exist.\n`);
    assert.equal(code, 1);
  }
  for (const name of ['typo', 'typo.tar', 'typo.tar.part', 'typo-copy'])
    assert.ok(!existsSync(join(folder, name)), name);
});

test('serve: an origin that no browser sends is refused', async () => {
  const [word, slash, listed, variable] = await Promise.all([
    octavo(['serve', '--cors-origin', 'foo']),
    octavo(['serve', '--cors-origin', 'https://App.example.com/']),
    octavo(['serve', '--cors-origin', 'https://a.example,b.example']),
    octavo(['serve'], { env: { OCTAVO_CORS_ORIGIN: 'localhost:5173' } }),
  ]);
  for (const { code, err } of [word, slash, listed, variable]) {
    assert.equal(code, 2);
    assert.match(err, /is no web origin: give one such as https:\/\/app\.example\.com, or \*\./);
  }
  assert.match(slash.err, /Did you mean https:\/\/app\.example\.com\?/);
  assert.match(listed.err, /b\.example is no web origin/);
  const wildcard = await octavo(['serve', '--cors-origin', 'https://*.example.com']);
  assert.equal(wildcard.code, 2);
  assert.match(wildcard.err, /is no web origin: list each origin, or give \* for all/);
});

test('import --data: a line that is not JSON is named with the reason, and the others are imported', async () => {
  const data = join(folder, 'lines');
  const input = '{"a":1}\n{"a":\n[1]\n{"a" 1}\n{"a":2}\n';
  const lines = await octavo(['import', '-', '--index', 'x', '--format', 'ndjson', '--data', data], {
    input,
  });
  assert.equal(lines.code, 1);
  assert.match(lines.err, /^line 2: failed to parse: Unexpected end-of-input: .*, at column 6 \(mapper_/m);
  assert.match(lines.err, /^line 3: failed to parse: it is not a JSON object \(mapper_parsing_exception\)$/m);
  assert.match(lines.err, /^line 4: failed to parse: Unexpected character .*, at column 6 \(mapper_/m);
  assert.match(lines.err, /imported 2 documents[\s\S]*3 documents were refused/);
  // The action on line 1 is right; its document is not.
  const bulk = ['import', '-', '--index', 'x', '--format', 'bulk', '--data', data];
  const document = await octavo(bulk, { input: '{"index":{}}\n{"a":\n{"index":{}}\n{"a":3}\n' });
  assert.match(document.err, /^line 2: failed to parse: Unexpected end-of-input/m);
  assert.match(document.err, /imported 1 document /);
});

test('records in a PostgreSQL that does not answer: the place and what to do, without the password', async () => {
  const at = 'postgres://octavo:secret@127.0.0.1:9/shop';
  const [serve, keys, unknown] = await Promise.all([
    octavo(['serve', '--data', join(folder, 'no-store'), '--port', '0', '--records', at]),
    octavo(['keys', 'list', '--records', at]),
    octavo(['doctor', '--records', 'postgres://octavo:secret@host.invalid/shop']),
  ]);
  const reason =
    'octavo: The records cannot be opened: PostgreSQL at 127.0.0.1:9/shop cannot be reached: nothing listens there. Start PostgreSQL, or correct the host and port.\n';
  for (const { code, err } of [serve, keys]) assert.deepEqual([code, err], [1, reason]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /PostgreSQL at host\.invalid:5432\/shop cannot be reached: /);
  assert.doesNotMatch(unknown.err, /secret|ENOTFOUND|EAI_AGAIN/);
});

test('serve: a start that fails leaves no data directory behind', async () => {
  const data = join(folder, 'fresh');
  const taken = await octavo(['serve', '--data', data, '--port', new URL(url).port]);
  assert.equal(taken.code, 1);
  assert.match(taken.err, /Cannot listen on 127\.0\.0\.1, port \d+: the port is taken/);
  const open = await octavo(['serve', '--data', data, '--port', '0', '--host', '0.0.0.0']);
  assert.equal(open.code, 1);
  assert.match(open.err, /does not listen on 0\.0\.0\.0/);
  assert.equal(existsSync(data), false);
});

test('serve: an installation that cannot load the server ends with its reason', async () => {
  const hook = join(folder, 'no-server.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
     registerHooks({
       load(url, context, next) {
         if (url.endsWith('/server/src/serve.ts')) throw new Error('a file is missing');
         return next(url, context);
       },
     });`,
  );
  const data = join(folder, 'unserved');
  const env = { NODE_OPTIONS: `--import file://${hook}` };
  const { code, err } = await octavo(['serve', '--data', data, '--port', '0'], { env });
  assert.equal(code, 1);
  assert.match(err, /a file is missing/);
});

test('export: goes on where it broke off, and drops what was not whole', async () => {
  const wanted = fill(3500);
  const out = join(folder, 'out.ndjson');
  failAfterPages = 2;
  const broken = await octavo(['export', 'x', '--url', url, '--out', out]);
  failAfterPages = Number.POSITIVE_INFINITY;
  assert.equal(broken.code, 1);
  assert.ok(readFileSync(out).length < wanted.length);
  writeFileSync(out, `${readFileSync(out, 'utf8')}{"half`);
  const other = await octavo(['export', 'y', '--url', url, '--resume', out]);
  assert.equal(other.code, 1);
  assert.match(other.err, /started with another index \(x\)/);
  const resumed = await octavo(['export', 'x', '--url', url, '--resume', out]);
  assert.equal(resumed.code, 0);
  assert.equal(readFileSync(out, 'utf8'), wanted);
  const again = await octavo(['export', 'x', '--url', url, '--resume', out]);
  assert.equal(again.code, 1);
  assert.match(again.err, /The export is complete, or/);
});

test('export: a file that lost its end since is not filled up with zeros', async () => {
  fill(3500);
  const out = join(folder, 'short.ndjson');
  failAfterPages = 2;
  await octavo(['export', 'x', '--url', url, '--out', out]);
  failAfterPages = Number.POSITIVE_INFINITY;
  const left = readFileSync(out).subarray(0, 100);
  writeFileSync(out, left);
  const { code, err } = await octavo(['export', 'x', '--url', url, '--resume', out]);
  assert.equal(code, 1);
  assert.match(err, /cannot be resumed: it has 100 bytes/);
  assert.deepEqual(readFileSync(out), left);
});

test('export: a bulk file puts everything back', async () => {
  fill(50);
  const before = [...stored];
  const file = join(folder, 'x.bulk');
  assert.equal((await octavo(['export', 'x', '--format', 'bulk', '--url', url, '--out', file])).code, 0);
  stored.clear();
  assert.equal((await octavo(['import', file, '--url', url])).code, 0);
  assert.deepEqual([...stored], before);
});

test('export: a reader that has seen enough ends it quietly', async () => {
  fill(60_000);
  const child = spawn('sh', ['-c', `"${process.execPath}" "${bin}" export x --url ${url} | head -n 1`]);
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdout.resume();
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(code, 0);
  assert.equal(err, '');
});

test('export: a stdout that takes no more is one line', {
  skip: !existsSync('/dev/full') && 'no /dev/full',
}, async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [bin, 'export', 'books', '--url', url, '--quiet'], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let err = '';
  child.stderr!.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.equal(err, 'octavo: the output cannot be written: the disk is full.\n');
  assert.equal(code, 1);
});

test('import: a quote that is never closed costs its line and no other', async () => {
  const file = join(folder, 'quotes.csv');
  writeFileSync(file, 'id,name\nq1,good\nq2,"bad\nq3,"also good"\nq4,good\n');
  const { code, err } = await octavo(['import', file, '--index', 'x', '--id-field', 'id', '--url', url]);
  assert.equal(code, 1);
  assert.match(err, /^line 3: a quoted field continues after its closing quote/m);
  assert.deepEqual(
    ['q1', 'q2', 'q3', 'q4'].filter((id) => stored.has(id)),
    ['q1', 'q3', 'q4'],
  );
});

test('a limit that nobody knows, or that no timer can count to, ends the start with its reason', async () => {
  for (const [limit, reason] of [
    ['nothing=1', /Unknown limit nothing; limits are bodyBytes, /],
    ['apiTimeMs=3000000000', /Give a whole number from 1 to 2147483647\./],
    ['bodyBytes=1e9', /Give a whole number from 1 to /],
    ['idBytes=513', /Give a whole number from 1 to 512\./],
    ['nesting=1001', /Give a whole number from 1 to 1000\./],
  ] as const) {
    const { code, err } = await octavo(['serve', '--limit', limit, '--data', join(folder, 'none')]);
    assert.equal(code, 2, err);
    assert.match(err, reason);
  }
  assert.equal(existsSync(join(folder, 'none')), false);
});
