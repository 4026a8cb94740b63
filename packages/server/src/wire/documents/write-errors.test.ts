// Every write reports its result and its place, whatever the index is called: names of many scripts, all
// endpoints that write, names and aliases, a lane and node:http.

import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { after, before, test } from 'node:test';
import { ownEngine } from '../../../test/own-engine.ts';
import { createServer, listen } from '../../serve.ts';

const NAMES = [
  'logs',
  'a.b-c_1',
  'ü',
  'größe',
  'e\u0301tude',
  'логи',
  'سجل',
  'नमस्ते',
  '日本',
  '한국',
  '😀',
  'a&b=c;d@e+f',
  'a%b%41',
  "o'k(1)!",
];
/** A header that lanes leave to node:http, and none. */
const WAYS: readonly Readonly<Record<string, string>>[] = [{ te: 'trailers' }, {}];

const { engine, end } = await ownEngine();
const app = await createServer(engine, { basePath: '/below' });
const agent = new Agent({ keepAlive: true });
let url = '';

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

function ask(line: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const type = line.endsWith('/_bulk') ? 'application/x-ndjson' : 'application/json';
  const length = Buffer.byteLength(body);
  const all = { ...(length > 0 ? { 'content-type': type, 'content-length': length } : {}), ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method, agent, headers: all }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: JSON.parse(text) }),
      );
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

before(async () => {
  url = new URL(await listen(app, { port: 0 })).origin;
});
after(async () => {
  agent.destroy();
  await app.close();
  await end();
});

for (const [n, name] of NAMES.entries())
  test(`documents of ${name}`, async () => {
    const coded = encodeURIComponent(name);
    const alias = `to-${n}`;
    const made = await ask(`PUT /below/${coded}`, JSON.stringify({ aliases: { [alias]: {} } }), {});
    assert.deepEqual([made.status, made.body['index']], [200, name]);
    for (const [way, headers] of WAYS.entries())
      for (const index of [coded, alias]) {
        const where = `${index}, ${way}`;
        const id = `${way}${index === alias ? 'a' : 'n'}`;
        const told = async (line: string, body: string, status: number, place?: string): Promise<void> => {
          const answer = await ask(`${line.replace(' ', ` /below/${index}/`)}`, body, headers);
          const { error, _index } = answer.body;
          assert.equal(answer.status, status, `${line} ${where}: ${JSON.stringify(error)}`);
          if (status !== 409) assert.equal(_index, name, `${line} ${where}`);
          const { location } = answer.headers;
          if (status !== 201) return assert.equal(location, undefined, `${line} ${where}`);
          const own = place ?? `_doc/${String(answer.body['_id'])}`;
          assert.equal(location, `/below/${coded}/${own}`, `${line} ${where}`);
          const found = await ask(`GET ${location}`, '', headers);
          assert.deepEqual([found.status, found.body['_index']], [200, name], location);
        };
        for (const status of [201, 200]) {
          await told(`PUT _doc/p${id}`, '{"a":1}', status);
          await told(`POST _doc/q${id}`, '{"a":1}', status);
          await told(`PUT _doc/r${id}?refresh=false`, '{"a":1}', status);
          await told(`PUT _doc/b:${id}`, '{"a":1}', status, `_doc/b%3A${id}`);
          await told(`PUT _doc/s${id}?routing=%C3%BC`, '{"a":1}', status, `_doc/s${id}?routing=%C3%BC`);
          await told(`POST _update/u${id}`, '{"doc":{"a":2},"upsert":{"b":1}}', status);
          await told(`PUT book/t${id}`, '{"a":1}', status, `book/t${id}`);
          await told(`PUT _create/c${id}`, '{"a":1}', status === 201 ? 201 : 409);
          await told(`POST _create/d${id}`, '{"a":1}', status === 201 ? 201 : 409);
          await told('POST _doc', '{"a":1}', 201);
        }
        const items = `{"index":{"_id":"m${id}"}}\n{"a":1}\n{"create":{"_id":"n${id}"}}\n{"a":1}\n`;
        const bulk = await ask(`POST /below/${index}/_bulk`, items, headers);
        const results = (bulk.body['items'] as Record<string, Record<string, unknown>>[]).flatMap((item) =>
          Object.values(item),
        );
        assert.deepEqual([bulk.status, bulk.headers.location], [200, undefined]);
        for (const { status, _index } of results) assert.deepEqual([status, _index], [201, name]);
      }
  });

test('an index that comes to be with its first document', async () => {
  for (const [n, name] of NAMES.entries())
    for (const headers of WAYS) {
      const index = encodeURIComponent(`${name}-new-${Object.keys(headers).length}`);
      const { status, headers: told } = await ask(`PUT /below/${index}/_doc/${n}`, '{"a":1}', headers);
      assert.deepEqual([status, told.location], [201, `/below/${index}/_doc/${n}`]);
    }
});

test('half a character in the name of an index costs nobody an answer', async () => {
  await ask('POST /below/_bulk', '{"index":{"_index":"half-\\ud83d","_id":"1"}}\n{"a":1}\n', {});
  const add = { index: 'half-*', alias: 'to-half' };
  assert.equal((await ask('POST /below/_aliases', JSON.stringify({ actions: [{ add }] }), {})).status, 200);
  for (const [way, headers] of WAYS.entries()) {
    const { status, headers: told } = await ask(`PUT /below/to-half/_doc/${way}x`, '{"a":1}', headers);
    assert.deepEqual([status, told.location], [201, `/below/half-%EF%BF%BD/_doc/${way}x`]);
  }
});
