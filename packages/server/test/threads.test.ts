// A server with several threads acts as one: acknowledged writes are visible on every connection, lists miss
// and repeat nothing under writes, changes of keys count at once, and requests that only the writing thread
// can answer are relayed.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eventually } from './eventually.ts';
import { type Served, serveProcess } from './process.ts';

type Json = Record<string, unknown>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly body: Json;
}

const skip = process.platform === 'linux' ? false : 'connections are spread over threads on Linux only';
let folder = '';
let served: Served;

/** Asks on a connection of its own, which one of the threads gets. */
function ask(
  line: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  url: string = served.url,
): Promise<Answer> {
  const [method, path] = line.split(' ') as [string, string];
  const bytes =
    body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const type = bytes === undefined ? {} : { 'content-type': 'application/json' };
    const agent = new Agent({ keepAlive: true });
    const sent = request(`${url}${path}`, { method, agent, headers: { ...type, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        agent.destroy();
        const all = Buffer.concat(parts);
        const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(all) : all;
        let parsed: Json = {};
        try {
          parsed = JSON.parse(String(text)) as Json;
        } catch {
          // Text, or nothing.
        }
        resolve({ status: answer.statusCode!, headers: answer.headers, bytes: all, body: parsed });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

const hitsOf = ({ body }: Answer): { _id: string; _source: Json; sort?: unknown[] }[] =>
  (body['hits'] as { hits: { _id: string; _source: Json; sort?: unknown[] }[] }).hits;

/** Names of requests begin with the name of the thread that answered. */
const threadsSeen = (): Set<string> =>
  new Set(served.stderr().match(/(?<="reqId":")[^"]+(?=-[^-"]+")/g) ?? []);

before(async () => {
  if (skip !== false) return;
  folder = await mkdtemp(join(tmpdir(), 'octavo-threads-'));
  served = await serveProcess(join(folder, 'data'), ['--threads', '3', '--log-level', 'info']);
});

after(async () => {
  if (skip !== false) return;
  assert.equal(await served.end(), 0);
  await rm(folder, { recursive: true, force: true });
});

test('what was acknowledged on one connection is seen on all others', { skip }, async () => {
  for (let n = 0; n < 40; n++) {
    const line = n % 3 === 0 ? `PUT /mine/_create/d${n}` : `PUT /mine/_doc/d${n}`;
    assert.equal((await ask(line, { n, text: `word w${n}` })).status, 201);
    const answers = await Promise.all([
      ask(`GET /mine/_doc/d${n}`),
      ask('GET /mine/_count'),
      ask('POST /mine/_search', { sort: [{ n: 'desc' }], size: 1 }),
      ask('POST /mine/_search', { query: { match: { text: `w${n}` } } }),
      ask('POST /mine/_mget', { ids: [`d${n}`] }),
      ask('POST /mine/_msearch', `{}\n{"query":{"term":{"n":${n}}}}\n`),
    ]);
    const [got, count, newest, words, many, searches] = answers as [
      Answer,
      Answer,
      Answer,
      Answer,
      Answer,
      Answer,
    ];
    assert.deepEqual(got.body['_source'], { n, text: `word w${n}` });
    assert.equal(count.body['count'], n + 1);
    assert.equal(hitsOf(newest)[0]!._id, `d${n}`);
    assert.deepEqual(
      hitsOf(words).map(({ _id }) => _id),
      [`d${n}`],
    );
    assert.equal((many.body['docs'] as Json[])[0]!['found'], true);
    const [first] = searches.body['responses'] as { hits: { total: { value: number } } }[];
    assert.equal(first!.hits.total.value, 1);
  }
  // What it logs comes on a way of its own.
  await eventually(() => assert.ok(threadsSeen().size > 1, 'several threads have answered'));
  assert.equal((await ask('DELETE /mine/_doc/d0')).status, 200);
  for (let i = 0; i < 8; i++) assert.equal((await ask('GET /mine/_doc/d0')).status, 404);
  assert.equal((await ask('DELETE /mine')).status, 200);
  for (let i = 0; i < 8; i++) assert.equal((await ask('POST /mine/_search', {})).status, 404);
});

test('a walk over all threads under writes misses nothing and repeats nothing', { skip }, async () => {
  const lines = Array.from(
    { length: 2_000 },
    (_, n) => `{"index":{"_id":"d${n}"}}\n{"n":${n % 7},"kept":true}\n`,
  );
  assert.equal((await ask('POST /walk/_bulk', lines.join(''))).body['errors'], false);
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++) {
      const fresh = Array.from({ length: 50 }, (_, i) => `{"index":{"_id":"e${n}-${i}"}}\n{"n":${i % 7}}\n`);
      const again = Array.from({ length: 20 }, (_, i) => {
        const id = (n * 20 + i) % 2_000;
        return `{"index":{"_id":"d${id}"}}\n{"n":${id % 7},"kept":true}\n`;
      });
      await ask('POST /walk/_bulk', [...fresh, ...again].join(''));
    }
  })();
  const walk = async (next: (last: Answer | undefined) => Promise<Answer>): Promise<void> => {
    const seen: string[] = [];
    for (let last = await next(undefined); hitsOf(last).length > 0; last = await next(last))
      seen.push(...hitsOf(last).map(({ _id }) => _id));
    const kept = seen.filter((id) => id.startsWith('d'));
    assert.equal(kept.length, 2_000);
    assert.equal(new Set(seen).size, seen.length);
  };
  const query = { term: { kept: true } };
  await Promise.all([
    walk((last) => {
      const body = { query, size: 150, sort: [{ n: 'asc' }, { _id: 'asc' }] };
      const behind = last === undefined ? {} : { search_after: hitsOf(last).at(-1)!.sort };
      return ask('POST /walk/_search', { ...body, ...behind });
    }),
    walk((last) =>
      last === undefined
        ? ask('POST /walk/_search?scroll=1m', { query, size: 300 })
        : ask('POST /_search/scroll', { scroll: '1m', scroll_id: last.body['_scroll_id'] }),
    ),
  ]);
  const pit = await ask('POST /walk/_search/point_in_time?keep_alive=1m');
  const id = pit.body['pit_id'];
  await walk((last) =>
    ask('POST /_search', {
      ...{ query, size: 400, sort: [{ n: 'desc' }], pit: { id, keep_alive: '1m' } },
      ...(last === undefined ? {} : { search_after: hitsOf(last).at(-1)!.sort }),
    }),
  );
  isOver = true;
  await writing;
});

test('every thread says the same: errors, headers, encodings, what only one can do', { skip }, async () => {
  await ask('PUT /same/_doc/1', { text: 'a '.repeat(2_000) });
  const requests: [line: string, body?: unknown, headers?: Record<string, string>][] = [
    ['GET /same/_doc/1', undefined, { 'accept-encoding': 'gzip' }],
    ['HEAD /same/_doc/1'],
    ['GET /same/_doc/none'],
    ['GET /none/_search'],
    ['POST /same/_search', '{"query":{"nonsense":{}}}'],
    ['POST /same/_search', '{'],
    ['POST /same/_search?nonsense=1', '{}'],
    ['POST /same/_search', gzipSync('{"query":{"match":{"text":"a"}}}'), { 'content-encoding': 'gzip' }],
    ['PATCH /same/_doc/1', '{}'],
    ['GET /same/_mapping'],
    ['GET /_cat/indices?h=index'],
    ['POST /_msearch', '{"index":"same"}\n{"size":0}\n{"index":"none"}\n{}\n'],
    ['POST /same/_search?scroll=1', '{}'],
    ['GET /api/problems'],
    ['GET /api/nothing'],
    ['GET /same/_search', undefined, { origin: 'https://elsewhere.example' }],
    ['GET /same/_search', undefined, { host: 'elsewhere.example' }],
  ];
  for (const [line, body, headers] of requests) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(line, body, headers)));
    const told = answers.map(({ status, headers: own, bytes, body: parsed }) => {
      const { date: _, connection: __, 'keep-alive': ___, 'x-request-id': ____, ...rest } = own;
      const said = parsed['took'] === undefined ? String(bytes).replace(/"instance":"[^"]*"/, '') : '';
      return {
        status,
        headers: { ...rest, 'content-length': undefined },
        said: said.replace(/"took":\d+/g, ''),
      };
    });
    for (const one of told) assert.deepEqual(one, told[0], line);
    assert.ok(told[0]!.status < 500, `${line}: ${told[0]!.status}`);
  }
});

test('a path that cannot be decoded ends no thread', { skip }, async () => {
  for (const path of ['/%E4/_search', '/same/_doc/%ff', '/%/_count']) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(`GET ${path}`)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400]), path);
  }
  assert.doesNotMatch(served.stderr(), /has died/);
});

test('a request that is refused before its body has come is told why', { skip }, async () => {
  const body = { text: 'x'.repeat(100_000) };
  const refused = (): Promise<Answer> =>
    ask('POST /same/_search', body, { origin: 'https://elsewhere.example' });
  for (const _ of new Array(10)) {
    const answers = await Promise.all(Array.from({ length: 6 }, refused));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([403]));
  }
});

test('a client of HTTP/1.0 names no host, whichever thread it comes to', { skip }, async () => {
  assert.equal((await ask('PUT /old/_doc/0', { n: 0 })).status, 201);
  const { hostname, port } = new URL(served.url);
  const statusOf = async (line: string, body = ''): Promise<string> => {
    const socket = connect(Number(port), hostname);
    const type = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    socket.write(`${line}\r\n${type}\r\n${body}`);
    let text = '';
    for await (const part of socket) text += String(part);
    return text.slice(0, text.indexOf('\r\n'));
  };
  // Answered where they are read, passed on before their body is read, passed on after it; and one that must name its host.
  const requests: [line: string, body: string | undefined, status: string][] = [
    ['GET /old/_doc/0 HTTP/1.0', undefined, 'HTTP/1.1 200 OK'],
    ['GET / HTTP/1.0', undefined, 'HTTP/1.1 200 OK'],
    ['GET /_cat/indices HTTP/1.0', undefined, 'HTTP/1.1 200 OK'],
    ['GET /api/problems HTTP/1.0', undefined, 'HTTP/1.1 200 OK'],
    ['POST /old/_search?scroll=1m HTTP/1.0', '{}', 'HTTP/1.1 200 OK'],
    ['PUT /old/_doc/0 HTTP/1.0', '{"n":1}', 'HTTP/1.1 200 OK'],
    ['GET / HTTP/1.1', undefined, 'HTTP/1.1 400 Bad Request'],
  ];
  for (const [line, body, status] of requests) {
    const told = await Promise.all(Array.from({ length: 12 }, () => statusOf(line, body)));
    assert.deepEqual([...new Set(told)], [status], line);
  }
});

test('requests sent ahead on one connection take turns: each sees what those before it have written', {
  skip,
}, async () => {
  assert.equal((await ask('PUT /ahead/_doc/0', { n: 0 })).status, 201);
  const { hostname, port } = new URL(served.url);
  /** The statuses of requests that come in one piece, and all that was answered. */
  const sendAhead = async (requests: readonly string[]): Promise<{ statuses: number[]; text: string }> => {
    const socket = connect(Number(port), hostname);
    const lines = requests.map((line, i) => {
      const connection = i === requests.length - 1 ? 'connection: close\r\n' : '';
      const [head, body = ''] = line.split(' ~ ') as [string, string?];
      const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
      return `${head} HTTP/1.1\r\nhost: localhost\r\n${connection}${body === '' ? '' : type}\r\n${body}`;
    });
    socket.write(lines.join(''));
    let text = '';
    for await (const part of socket) text += String(part);
    return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)), text };
  };
  // So many that each thread gets some of them.
  const connections = Array.from({ length: 24 }, async (_, n) => {
    const path = `/ahead/_doc/c${n}`;
    const { statuses, text } = await sendAhead([
      `PUT ${path} ~ {"n":1,"c":${n}}`,
      `GET ${path}`,
      `GET /ahead/_count?q=c:${n}`,
      `PUT ${path} ~ {"n":2,"c":${n}}`,
      `PUT ${path} ~ {"n":3,"c":${n}}`,
      `GET ${path}`,
      `GET /_cat/count/ahead?h=count`,
      `DELETE ${path}`,
      `GET ${path}`,
      `GET /ahead/_count?q=c:${n}`,
    ]);
    assert.deepEqual(statuses, [201, 200, 200, 200, 200, 200, 200, 200, 404, 200], text);
    assert.deepEqual(text.match(/(?<="_version":)\d+/g), ['1', '1', '2', '3', '3', '4'], text);
    assert.deepEqual(text.match(/(?<="count":)\d+/g), ['1', '0'], text);
  });
  await Promise.all(connections);
});

test('followers of events hold no close up, whichever thread they came to', {
  skip,
  timeout: 60_000,
}, async () => {
  const other = await serveProcess(join(folder, 'followed'), ['--threads', '2']);
  const { hostname, port } = new URL(other.url);
  // So many that each thread has some of them.
  const followers = Array.from({ length: 8 }, async () => {
    const socket = connect(Number(port), hostname);
    socket.write('GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n');
    let text = '';
    socket.on('data', (part) => {
      text += String(part);
    });
    const gone = new Promise((resolve) => socket.once('close', resolve));
    await eventually(() => assert.match(text, /retry: /));
    return { gone, text: () => text };
  });
  const all = await Promise.all(followers);
  const began = performance.now();
  assert.equal(await other.end(), 0);
  assert.ok(performance.now() - began < 10_000, 'no thread was waited for until it was cut');
  await Promise.all(all.map(({ gone }) => gone));
  // Ended, not cut: the last chunk has none in it.
  for (const { text } of all) assert.match(text(), /\r\n0\r\n\r\n$/);
});

test('keys count on all threads at once', { skip }, async () => {
  const other = await serveProcess(join(folder, 'keyed'), ['--threads', '3', '--log-level', 'info']);
  try {
    const on = (line: string, body?: unknown, key?: string): Promise<Answer> =>
      ask(line, body, key === undefined ? {} : { authorization: `ApiKey ${key}` }, other.url);
    const all = (line: string, key?: string): Promise<number[]> =>
      Promise.all(Array.from({ length: 10 }, async () => (await on(line, undefined, key)).status));
    for (const [id, owner] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'a'],
    ])
      await on(`PUT /docs/_doc/${id}`, { owner });
    assert.deepEqual(new Set(await all('GET /docs/_count')), new Set([200]));
    const made = async (grant: Json, key?: string): Promise<{ id: string; key: string }> => {
      const { status, body } = await on('POST /api/keys', grant, key);
      assert.equal(status, 201, JSON.stringify(body));
      return { id: (body['key'] as { id: string }).id, key: String(body['encoded']) };
    };
    const admin = await made({ name: 'admin', scopes: ['*'] });
    assert.deepEqual(new Set(await all('GET /docs/_count')), new Set([401]));
    assert.deepEqual(new Set(await all('GET /docs/_count', admin.key)), new Set([200]));
    const few = await made(
      { name: 'few', scopes: ['search:read'], document_filter: { term: { owner: 'a' } } },
      admin.key,
    );
    // Twice: first nobody knows the key, then it is known.
    for (let i = 0; i < 2; i++) {
      const counts = Array.from(
        { length: 10 },
        async () => (await on('GET /docs/_count', undefined, few.key)).body,
      );
      for (const { count } of await Promise.all(counts)) assert.equal(count, 2);
      assert.deepEqual(new Set(await all('GET /docs/_doc/2', few.key)), new Set([404]));
    }
    assert.equal((await on('PUT /docs/_doc/9', {}, few.key)).status, 403);
    assert.ok((await on(`DELETE /api/keys/${few.id}`, undefined, admin.key)).status < 300);
    assert.deepEqual(new Set(await all('GET /docs/_count', few.key)), new Set([401]));
  } finally {
    assert.equal(await other.end(), 0);
  }
});
