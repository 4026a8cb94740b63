// Does the search wire say the same to a lane as to node:http? The same requests both ways, as bytes: good ones, broken
// ones, in one piece and in two; all that may differ is the time.

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { badRequest } from '../../test/mutations.ts';
import { ownEngine } from '../../test/own-engine.ts';
import { createServer, listen } from '../serve.ts';

const DOCS = 300;

const { engine, end } = await ownEngine();
const app = await createServer(engine, { limits: { bodyBytes: 2_000_000 } });
let port = 0;

interface Sent {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
}

/** One connection that is asked one thing after another. */
class Client {
  readonly #socket: Socket;
  #came: Buffer = Buffer.alloc(0);
  #heard: (() => void) | undefined;
  isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => {
      this.#came = Buffer.concat([this.#came, bytes]);
      this.#heard?.();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      this.#heard?.();
    });
  }

  static open(): Promise<Client> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Client(socket)));
    });
  }

  /** The whole answer; `parts` are sent one by one. */
  async ask(parts: readonly Buffer[], isHead: boolean): Promise<string> {
    for (const part of parts) {
      this.#socket.write(part);
      if (parts.length > 1) await new Promise((wake) => setTimeout(wake, 2));
    }
    for (;;) {
      const text = this.#came.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = isHead ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0);
      if (end >= 0 && this.#came.length >= end + 4 + length) {
        this.#came = this.#came.subarray(end + 4 + length);
        if (text.startsWith('HTTP/1.1 100 ')) continue;
        if (/\r\nconnection: close/i.test(text.slice(0, end))) this.isClosed = true;
        return text.slice(0, end + 4 + length);
      }
      if (this.isClosed) return `closed after ${text}`;
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

const clients: Client[] = [];

async function clientFor(way: number): Promise<Client> {
  if (clients[way] === undefined || clients[way].isClosed) clients[way] = await Client.open();
  return clients[way];
}

function bytesOf({ line, headers = {}, body }: Sent): Buffer[] {
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const lines = [`${line} HTTP/1.1`, 'Host: localhost'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (bytes !== undefined) {
    if (headers['content-type'] === undefined) lines.push('Content-Type: application/json');
    lines.push(`Content-Length: ${bytes.length}`);
  }
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return bytes === undefined || bytes.length === 0 ? [head] : [head, bytes];
}

/** What both ways say, but for times and names of requests. A lane has read bodies that node:http would have to give up. */
function masked(answer: string): string {
  return unpacked(answer)
    .replace(/\r\nDate: [^\r]*/, '\r\nDate: …')
    .replaceAll(/"took"\s*:\s*\d+/g, '"took":0')
    .replace(/\r\ncontent-length: \d+/, '\r\ncontent-length: …')
    .replace(/\r\nconnection: close|\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75/, '')
    .replace(/\r\nx-request-id: [^\r]*/, '')
    .replace(/,"instance":"[^"]*"/, '');
}

/** An answer whose body is as it was before it was compressed: there are times in it. */
function unpacked(answer: string): string {
  const end = answer.indexOf('\r\n\r\n') + 4;
  if (end === answer.length || !/\r\ncontent-encoding: gzip/i.test(answer.slice(0, end))) return answer;
  return answer.slice(0, end) + gunzipSync(Buffer.from(answer.slice(end), 'latin1')).toString('latin1');
}

/** Asks over a lane, over a lane in two parts, and over node:http, which a header brings in that lanes leave to it. */
async function both(sent: Sent): Promise<string> {
  const isHead = sent.line.startsWith('HEAD ');
  const parts = bytesOf(sent);
  const long = await (await clientFor(0)).ask(
    [Buffer.concat(bytesOf({ ...sent, headers: { ...sent.headers, TE: 'trailers' } }))],
    isHead,
  );
  for (const [way, asked] of [
    [1, [Buffer.concat(parts)]],
    [2, parts],
  ] as const) {
    const short = await (await clientFor(way)).ask(asked, isHead);
    assert.equal(masked(short), masked(long), `${sent.line}\n${String(sent.body)}`);
  }
  return long;
}

const search = (body: object, more = ''): Sent => ({
  line: `POST /books/_search${more}`,
  body: JSON.stringify(body),
});

before(async () => {
  port = Number(new URL(await listen(app, { port: 0 })).port);
  const client = await Client.open();
  let body = '';
  for (let i = 0; i < DOCS; i++)
    body += `{"index":{"_id":"${i}"}}\n${JSON.stringify({ n: i, word: `w${i % 7} ä€😀`, long: 'x'.repeat(i * 4) })}\n`;
  const mappings = {
    properties: { n: { type: 'integer' }, word: { type: 'text' }, long: { type: 'keyword' } },
  };
  await client.ask(bytesOf({ line: 'PUT /books', body: JSON.stringify({ mappings }) }), false);
  const loaded = await client.ask(bytesOf({ line: 'POST /books/_bulk', body }), false);
  assert.match(loaded, /"errors":false/);
  client.close();
});
after(async () => {
  for (const client of clients) client?.close();
  await app.close();
  await end();
});

test('pages', async () => {
  for (const from of [0, 3, 3, 40, 270, 299, 300, 4_000, -1, 1e16]) {
    for (const size of [0, 1, 20, 100]) {
      await both(search({ query: { match_all: {} }, sort: [{ n: 'desc' }], from, size }));
      await both(search({ size, query: { term: { word: 'w3' } }, sort: ['n'], from, track_total_hits: 10 }));
    }
    await both(search({ query: { match: { word: 'w1 w2' } }, from }));
    await both(search({ sort: [{ n: 'asc' }], page: from, size: 7 }));
    await both(search({ sort: [{ n: 'asc' }], search_after: [from], size: 7, _source: ['n'] }));
    await both({ line: `GET /books/_search?from=${from}&size=3&sort=n:desc` });
    await both({ line: `GET /books/_search?q=word:w2&size=3&from=${from}&pretty` });
  }
});

test('pages over values of all kinds, and while documents come', async () => {
  const client = await Client.open();
  const texts = ['plain', 'a "quoted" \\ one', 'é €😀', '\u0001\u001f', '', 'zzz'];
  const numbers = [0, -0, 1.5, -1e-7, 1e21, 123_456_789.25, 1e7, 3];
  const kinds = {
    k: 'keyword',
    d: 'double',
    f: 'float',
    day: 'date',
    b: 'boolean',
    u: 'unsigned_long',
    l: 'long',
  };
  const properties = Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, { type }]));
  const mappings = { properties: { ...properties, short: { type: 'keyword', ignore_above: 3 } } };
  await client.ask(bytesOf({ line: 'PUT /kinds', body: JSON.stringify({ mappings }) }), false);
  const line = (i: number): string => {
    const source = {
      k: i % 9 === 8 ? undefined : texts[i % texts.length],
      d: numbers[i % numbers.length],
      f: numbers[(i * 3) % numbers.length],
      day: 1_600_000_000_000 + i * 1_000,
      b: i % 3 === 0,
      u: i % 2 === 0 ? i : '@',
      l: i % 2 === 0 ? -i : '@',
      ...(i % 40 === 39 ? { short: 'too long' } : {}),
    };
    const text = JSON.stringify(source)
      .replace('"u":"@"', '"u":18446744073709551615')
      .replace('"l":"@"', '"l":-9007199254740993');
    const index = { _id: `${texts[i % texts.length]}${i}`, ...(i % 50 === 49 ? { routing: 'r' } : {}) };
    return `${JSON.stringify({ index })}\n${text}\n`;
  };
  const write = async (from: number, to: number): Promise<void> => {
    let body = '';
    for (let i = from; i < to; i++) body += line(i);
    assert.match(await client.ask(bytesOf({ line: 'POST /kinds/_bulk', body }), false), /"errors":false/);
  };
  const find = engine.searchNow.bind(engine);
  let atOnce = 0;
  engine.searchNow = (request) => {
    const page = find(request);
    if (page !== undefined) atOnce++;
    return page;
  };
  try {
    for (let round = 0; round < 4; round++) {
      await write(round * 60, round * 60 + 60);
      for (const field of [...Object.keys(kinds), '_id', '_doc', 'none']) {
        for (const order of ['asc', 'desc']) {
          const sort = [
            { [field]: { order, ...(field === 'none' ? { unmapped_type: 'long' } : {}) } },
            { k: 'desc' },
          ];
          // Asked for again, a page is one that was kept.
          for (const from of [0, 0, 20, 7 * round])
            await both({
              ...search({ query: { match_all: {} }, sort, from, size: 20 }),
              line: 'POST /kinds/_search',
            });
        }
      }
      for (const from of [0, 11])
        await both({
          ...search({ query: { term: { k: 'plain' } }, from, size: 4 }),
          line: 'POST /kinds/_search',
        });
    }
  } finally {
    engine.searchNow = find;
    client.close();
  }
  assert.ok(atOnce > 300, `${atOnce} were answered at once`);
});

test('other requests, and what headers ask for', async () => {
  const page = search({ sort: ['n'], size: 50 });
  for (const headers of [
    { 'x-opaque-id': 'mine' },
    { accept: 'application/vnd.elasticsearch+json;compatible-with=8' },
    { accept: 'application/yaml' },
    { 'content-type': 'text/xml' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'identity;q=1, *;q=0' },
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'rot13' },
    { origin: 'https://evil.example' },
    { authorization: 'ApiKey nonsense' },
    { Host2: 'x' },
  ] as Readonly<Record<string, string>>[])
    await both({ ...page, headers });
  for (const line of [
    'GET /',
    'HEAD /',
    'HEAD /books',
    'HEAD /books/_doc/1',
    'HEAD /books/_doc/none',
    'GET /books/_doc/1',
    'GET /books/_doc/none',
    'GET /books/_count',
    'GET /_cat/indices?h=index',
    'GET /none/_search',
    'POST /books/_search?nonsense=1',
    'POST /books/_search?format=yaml',
    'DELETE /none',
    'PATCH /books',
    'OPTIONS /books',
    'GET /books/_search?source=%7B%22size%22%3A1%7D&source_content_type=application/json',
    'GET //books/_search',
    'GET /%E4/_search',
    'GET /api/health/none',
    `GET /${'a'.repeat(5_000)}`,
  ])
    await both({ line });
});

test('documents that are written, one way into each of three indices', async () => {
  const put = (
    line: string,
    body?: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Sent => ({
    line,
    body,
    headers,
  });
  const doc = '{"n":1,"word":"ä word"}';
  const writes: readonly Sent[] = [
    put('PUT /INDEX/_doc/1', doc),
    put('PUT /INDEX/_doc/1', doc),
    put('POST /INDEX/_doc/a.b~c:d@e=f-g_h', doc),
    put('PUT /INDEX/_create/2', doc),
    put('POST /INDEX/_create/2', doc),
    put('PUT /INDEX/_doc/_3', doc),
    put('PUT /INDEX/_doc/a%20b', doc),
    put('PUT /INDEX/_doc/a+b', doc),
    put(`PUT /INDEX/_doc/${'i'.repeat(170)}`, doc),
    put(`PUT /INDEX/_doc/${'i'.repeat(171)}`, doc),
    put(`PUT /INDEX/_doc/${'i'.repeat(600)}`, doc),
    put('PUT /INDEX/_doc/..', doc),
    put('PUT /INDEX/_doc/', doc),
    put('PUT /INDEX/_doc/4', '{"n":"none"}'),
    put('PUT /INDEX/_doc/4', '{"n":1'),
    put('PUT /INDEX/_doc/4', '[1]'),
    put('PUT /INDEX/_doc/4', ''),
    put('PUT /INDEX/_doc/4'),
    put('PUT /INDEX/_doc/4', ' '),
    put('PUT /INDEX/_doc/4', Buffer.from(`\u{feff}${doc}`)),
    put('PUT /INDEX/_doc/4?refresh=true', doc),
    put('PUT /INDEX/_doc/4?version=1', doc),
    put('PUT /INDEX/_doc/4?nonsense=1', doc),
    put('PUT /INDEX/_doc/4?routing=a&pretty', doc),
    put('PUT /INDEX/_doc/4', doc, { 'x-opaque-id': 'mine' }),
    put('PUT /INDEX/_doc/4', doc, { 'accept-encoding': 'gzip' }),
    put('PUT /INDEX/_doc/4', doc, { 'content-type': 'text/xml' }),
    put('PUT /INDEX/_doc/4', doc, { 'content-type': 'application/x-ndjson' }),
    put('PUT /INDEX/_doc/4', doc, { accept: 'application/yaml' }),
    put('PUT /INDEX/_doc/4', doc, { accept: 'application/vnd.elasticsearch+json;compatible-with=8' }),
    put('PUT /INDEX/_doc/4', doc, { 'content-encoding': 'gzip' }),
    put('PUT /none-INDEX/_doc/1', doc),
    put('PUT /alias-INDEX/_doc/5', doc),
    put('PUT /INDEX,other/_doc/5', doc),
    put('PUT /Upper-INDEX/_doc/5', doc),
    put('PUT /_INDEX/_doc/5', doc),
    put('GET /INDEX/_doc/4'),
    put('POST /INDEX/_close'),
    put('PUT /INDEX/_doc/5', doc),
  ];
  const fates = ['in-node', 'in-lane', 'in-part'].map(async (index, way) => {
    const client = await clientFor(way);
    const mappings = { properties: { n: { type: 'integer' }, word: { type: 'text' } } };
    const made = { mappings, aliases: { [`alias-${index}`]: {} } };
    await client.ask(bytesOf({ line: `PUT /${index}`, body: JSON.stringify(made) }), false);
    const told: string[] = [];
    for (const { line, body, headers } of writes) {
      const sent = {
        line: line.replace('INDEX', index),
        body,
        headers: { ...headers, ...(way === 0 && { TE: 'trailers' }) },
      };
      const parts = bytesOf(sent);
      const answer = await (await clientFor(way)).ask(way === 2 ? parts : [Buffer.concat(parts)], false);
      told.push(
        masked(answer)
          .replaceAll(index, 'INDEX')
          .replaceAll(/"index_uuid":"[^"]*"/g, ''),
      );
    }
    return told;
  });
  const [long, lane, part] = await Promise.all(fates);
  for (const [i, { line }] of writes.entries())
    for (const short of [lane!, part!]) assert.equal(short[i], long![i], line);
});

test('broken requests', async () => {
  let asked = 0;
  for (let seed = 1; asked < 300; seed++) {
    const { method, target, headers, body } = badRequest(seed);
    // Asked three times, what writes would say three things.
    if (!/_(?:search|count|mget|msearch|validate|analyze|field_caps|explain|cat)\b/.test(target)) continue;
    if (/scroll/.test(target) || !/^\/[\x21-\x7e]*$/.test(target)) continue;
    if (Object.values(headers).some((value) => !/^[\x21-\x7e][\x20-\x7e]*$/.test(value))) continue;
    asked++;
    await both({ line: `${method} ${target}`, headers, body });
  }
});
