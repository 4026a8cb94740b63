// Searches by GET and QUERY carry a tag; who shows it gets 304 as long as nothing that the search sees has changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

test(
  'a search that is asked again gets 304 until something changes',
  onlyEmbedded('it has the tags'),
  async () => {
    const { ask } = await server();
    await ask('PUT /a/_doc/1?refresh=true', { n: 1 });
    await ask('PUT /b/_doc/1?refresh=true', { n: 1 });
    const query = { query: { range: { n: { gte: 1 } } } };
    const tagOf = async (line: string, body?: unknown): Promise<string> => {
      const { status, headers } = await ask(line, body);
      assert.equal(status, 200, line);
      assert.match(String(headers['etag']), /^W\/"[\w-]{22}"$/, line);
      return String(headers['etag']);
    };
    const again = async (line: string, tag: string, body?: unknown): Promise<number> =>
      (await ask(line, body, { 'if-none-match': tag })).status;

    const tag = await tagOf('GET /a/_search?size=5');
    assert.equal(await again('GET /a/_search?size=5', tag), 304);
    assert.equal(
      (await ask('GET /a/_search?size=5', undefined, { 'if-none-match': `"x", ${tag}` })).text,
      '',
    );
    assert.equal(await again('GET /a/_search?size=6', tag), 200);
    assert.equal(await again('GET /b/_search?size=5', tag), 200);
    assert.equal(await again('QUERY /a/_search?size=5', tag, query), 200);
    const queried = await tagOf('QUERY /a/_search?size=5', query);
    assert.equal(await again('QUERY /a/_search?size=5', queried, query), 304);
    assert.equal(await again('QUERY /a/_search?size=5', queried, { query: { match_all: {} } }), 200);

    for (const change of [
      () => ask('PUT /a/_doc/2?refresh=true', { n: 2 }),
      () => ask('DELETE /a/_doc/2?refresh=true'),
      () => ask('PUT /a/_mapping', { properties: { m: { type: 'keyword' } } }),
      () => ask('PUT /a/_settings', { 'index.max_result_window': 500 }),
      () => ask('POST /_aliases', { actions: [{ add: { index: 'a', alias: 'c' } }] }),
    ]) {
      const before = await tagOf('GET /a/_search?size=5');
      assert.equal(await again('GET /a/_search?size=5', before), 304);
      assert.ok((await change()).status < 300);
      assert.equal(await again('GET /a/_search?size=5', before), 200, String(change));
    }
    const alias = await tagOf('GET /c/_search');
    await ask('POST /_aliases', {
      actions: [{ remove: { index: 'a', alias: 'c' } }, { add: { index: 'b', alias: 'c' } }],
    });
    assert.equal(await again('GET /c/_search', alias), 200);
  },
);

test('what depends on more than the commit has no tag', onlyEmbedded('it has the tags'), async () => {
  const { ask } = await server();
  await ask('PUT /a/_doc/1?refresh=true', { n: 1, at: '2020-01-01' });
  for (const [line, body] of [
    ['POST /a/_search', {}],
    ['GET /a/_search?timeout=1s', undefined],
    ['GET /a/_search?scroll=1m', undefined],
    ['QUERY /a/_search', { query: { range: { at: { lt: 'now' } } } }],
    ['QUERY /a/_search', { query: { function_score: { random_score: {} } } }],
    ['QUERY /a/_search', { query: { terms: { n: { index: 'a', id: '1', path: 'n' } } } }],
    ['QUERY /a/_search', { profile: true }],
    ['GET /none/_search', undefined],
  ] as const) {
    const { headers } = await ask(line, body);
    assert.equal(headers['etag'], undefined, `${line} ${JSON.stringify(body)}`);
  }
});
