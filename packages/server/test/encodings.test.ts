// Answers are compressed when they should be, and only then: over real connections, with the headers of real
// clients.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { MIN_ENCODED_BYTES, negotiateEncoding } from '../src/http/content-encoding.ts';
import { listen } from '../src/serve.ts';
import { server } from './ask.ts';

const { app } = await server();
const url = new URL(await listen(app, { port: 0 }));

async function ask(
  method: string,
  path: string,
  accepted: string | undefined,
  body?: string,
): Promise<{ headers: Record<string, unknown>; bytes: Buffer }> {
  const sent = request(new URL(path, url), {
    method,
    headers: {
      ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  sent.end(body);
  const [reply] = await once(sent, 'response');
  const parts: Buffer[] = [];
  for await (const part of reply) parts.push(part);
  return { headers: reply.headers, bytes: Buffer.concat(parts) };
}

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
const long = JSON.stringify({ text: 'a sentence that is said again and again. '.repeat(200) });

test('what clients ask for', () => {
  const cases: readonly [accepted: string, expected: string | undefined][] = [
    ['gzip', 'gzip'],
    ['gzip,deflate', 'gzip'], // the clients of OpenSearch and Elasticsearch
    ['gzip, deflate, br, zstd', 'zstd'], // browsers
    ['br, gzip, deflate', 'br'], // fetch of Node
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0', undefined],
    ['gzip;q=0, *', 'zstd'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['deflate', undefined],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.2', 'br'],
    ['zstd;q=0.5, gzip', 'gzip'],
    ['br;q=0.001, *;q=0', 'br'],
    ['gzip, identity;q=0', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['', undefined],
    [', ,;', undefined],
  ];
  for (const [accepted, expected] of cases) assert.equal(negotiateEncoding(accepted), expected, accepted);
});

test('long answers are compressed as asked; all are the same when undone', async () => {
  await ask('PUT', '/e/_doc/1', undefined, long);
  const plain = await ask('GET', '/e/_doc/1', undefined);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.headers['vary'], 'accept-encoding');
  assert.ok(plain.bytes.length > MIN_ENCODED_BYTES);
  for (const [name, undo] of Object.entries(DECODERS)) {
    const { headers, bytes } = await ask('GET', '/e/_doc/1', name);
    assert.equal(headers['content-encoding'], name);
    assert.equal(headers['vary'], 'accept-encoding');
    assert.equal(Number(headers['content-length']), bytes.length);
    assert.ok(bytes.length < plain.bytes.length / 2);
    assert.deepEqual(undo(bytes), plain.bytes);
    const search = await ask('POST', '/e/_search', name, '{"query":{"match_all":{}}}');
    assert.equal(JSON.parse(undo(search.bytes).toString()).hits.total.value, 1);
  }
});

test('short ones, HEAD and those of the event stream are not', async () => {
  const short = await ask('GET', '/', 'gzip');
  assert.equal(short.headers['content-encoding'], undefined);
  const head = await ask('HEAD', '/e/_doc/1', 'gzip');
  assert.equal(head.headers['content-encoding'], undefined);
  assert.equal(head.bytes.length, 0);
});

test('fetch, which asks by itself, reads what it gets', async () => {
  const reply = await fetch(new URL('/e/_doc/1', url));
  assert.ok(reply.headers.get('content-encoding') !== null);
  assert.equal(JSON.stringify(((await reply.json()) as { _source: object })._source), long);
});
