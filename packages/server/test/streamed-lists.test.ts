// Long answers leave part by part, on a lane and over node:http: no more is made than the client reads, the
// answer is whole in every encoding, and a client that goes ends the work.

import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { openRecords } from '@octavo/records';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';
import { eventually } from './eventually.ts';
import { onlyEmbedded } from './over-cluster.ts';

const MB = 1_048_576;
const DOCS = 60;

const records = await openRecords(':memory:');
const { app, engine, ask } = await server({ records });
await listen(app, { port: 0 });
const { port } = app.server.address() as AddressInfo;
await engine.indices.create('a', { mappings: { properties: { t: { type: 'object', enabled: false } } } });
const source = Buffer.from(JSON.stringify({ t: 'x'.repeat(MB) }));
for (let i = 0; i < DOCS; i++) await engine.write([{ kind: 'index', index: 'a', id: `${i}`, source }]);
after(async () => {
  await app.close();
  await records.close();
});

/** Bytes of answers in flight, in KiB. */
const inFlight = (): number => new Int32Array(app.threadHost.answerBytes)[0]!;

/** A lane takes requests below 64 KB. */
const CARRIERS = { lane: 0, 'node:http': 100_000 } as const;

/** A request; the answer is not read yet. */
function send(path: string, body: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Waits until a number no longer changes. */
async function settled(count: () => number): Promise<void> {
  let before: number;
  do {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, 300));
  } while (count() > before);
}

const ids = Array.from({ length: DOCS }, (_, i) => `${i}`);
const searches = (pad: number): string =>
  ids
    .map((id) => `{"index":"a"}\n{"query":{"ids":{"values":["${id}"]}}${' '.repeat(pad / DOCS)}}\n`)
    .join('');

for (const [carrier, pad] of Object.entries(CARRIERS)) {
  const lists = {
    _mget: { path: '/a/_mget', body: JSON.stringify({ ids }) + ' '.repeat(pad), method: 'get', name: 'docs' },
    _msearch: { path: '/_msearch', body: searches(pad), method: 'searchPage', name: 'responses' },
  } as const;
  for (const [endpoint, { path, body, method, name }] of Object.entries(lists)) {
    test(
      `${endpoint} over ${carrier}: no more is made than is read`,
      onlyEmbedded('it counts reads'),
      async (t) => {
        let made = 0;
        const call = (engine[method] as (...given: unknown[]) => unknown).bind(engine);
        t.mock.method(engine, method as 'get', (...given: unknown[]) => {
          made++;
          return call(...given);
        });
        const answer = await send(path, body);
        assert.equal(answer.headers['transfer-encoding'], 'chunked');
        // Until the client and the buffers of the system are full.
        await settled(() => made);
        assert.ok(made < DOCS / 2, `${made} were made`);
        assert.ok(inFlight() < 4 * 1_024, `${inFlight()} KiB are in flight`);
        assert.equal(JSON.parse((await read(answer)).toString())[name].length, DOCS);
        assert.equal(made, DOCS);
        await eventually(() => assert.equal(inFlight(), 0));

        made = 0;
        const left = await send(path, body);
        left.destroy();
        await settled(() => made);
        assert.ok(made < DOCS / 2, `${made} were made`);
        assert.equal(inFlight(), 0);
      },
    );
  }

  test(`a bulk over ${carrier}, in every encoding`, async () => {
    const count = pad === 0 ? 3_000 : 6_000;
    const body = '{"delete":{"_id":""}}\n'
      .repeat(count)
      .replaceAll('""', '"1"')
      .slice(0, pad === 0 ? 65_000 : undefined);
    const whole = body.slice(0, body.lastIndexOf('\n') + 1);
    const items = whole.split('\n').length - 1;
    for (const [encoding, decode] of [
      ['identity', (bytes: Buffer) => bytes],
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const answer = await send('/b/_bulk', whole, { 'accept-encoding': encoding });
      assert.equal(answer.headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      const reply = JSON.parse(decode(await read(answer)).toString());
      assert.deepEqual(Object.keys(reply), ['took', 'errors', 'items']);
      assert.equal(reply.items.length, items);
    }
  });
}

for (const [carrier, pad] of Object.entries(CARRIERS)) {
  for (const encoding of ['identity', 'gzip'])
    test(
      `an answer (${encoding}) to a client that has gone is not counted, over ${carrier}`,
      onlyEmbedded('it waits in a search'),
      async (t) => {
        const search = engine.searchPage.bind(engine);
        let gone: (() => void) | undefined;
        const searched = new Promise<void>((resolve) => {
          t.mock.method(engine, 'searchPage', async (...given: Parameters<typeof search>) => {
            gone?.();
            await new Promise((then) => setTimeout(then, 50));
            const page = await search(...given);
            setImmediate(resolve);
            return page;
          });
        });
        const sent = request({
          port,
          method: 'POST',
          path: '/a/_search',
          headers: { 'content-type': 'application/json', 'accept-encoding': encoding },
        });
        sent.on('error', () => {});
        gone = () => sent.destroy();
        sent.end(`{}${' '.repeat(pad)}`);
        await searched;
        await eventually(() => assert.equal(inFlight(), 0));
      },
    );
}

test('a malformed search refuses the whole _msearch before the first answer', async () => {
  const answer = await send('/_msearch', `${searches(0)}{}\n{"query":{"none":{}}}\n`);
  assert.equal(answer.statusCode, 400);
  assert.match((await read(answer)).toString(), /unknown query \[none\]|parsing_exception/);
  const other = await send('/_msearch', `${searches(0)}{}\n{"query":{"bool":{"none":{}}}}\n`);
  assert.equal(other.statusCode, 400);
  assert.match((await read(other)).toString(), /x_content_parse_exception/);
});

test(
  'answers of /api are counted, and are problems without room',
  onlyEmbedded('its answers are small'),
  async () => {
    const text = 'x'.repeat(60_000);
    for (let i = 0; i < 100; i++) await ask('POST /api/newsfeed/', { author: 'ada', text });
    const own = await server({ records, limits: { callerAnswersBytes: 4 * MB } });
    // Each is given back when it is sent: together they are more than the limit.
    for (let i = 0; i < 10; i++) {
      assert.equal((await own.ask('GET /api/newsfeed/?limit=20')).status, 200);
    }
    const refusal = await own.ask('GET /api/newsfeed/?limit=100');
    assert.equal(refusal.status, 429);
    assert.equal(refusal.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(refusal.body.code, 'answer-limit');
    assert.match(refusal.body.detail, /\[callerAnswersBytes\].*--limit callerAnswersBytes=N/);
    assert.equal((await own.ask('GET /api/newsfeed/?limit=20')).status, 200);
  },
);
