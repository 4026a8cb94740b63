// A key with a document filter cannot write what it cannot see: nothing outside its filter is added, nothing
// moved out of it, on any endpoint that writes. Where that cannot be told in advance, the write is refused
// with the reason.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { type Answer, server } from './ask.ts';
import { onlyEmbedded, TEST_DOCUMENTS } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
const { ask } = await server({ records });
after(async () => {
  await records.close();
});

const admin = (await ask('POST /api/keys', { name: 'admin', scopes: ['*'] })).body.token as string;
const as = async (filter: object): Promise<(line: string, body?: unknown) => Promise<Answer>> => {
  const grant = { name: 'f', scopes: ['search:write'], document_filter: filter };
  const { token } = (await ask('POST /api/keys', grant, { authorization: `Bearer ${admin}` })).body;
  return (line, body) => ask(line, body, { authorization: `Bearer ${token}` });
};
const root = (line: string, body?: unknown): Promise<Answer> =>
  ask(line, body, { authorization: `Bearer ${admin}` });
const mine = await as({ term: { shop: 'a' } });
const mapping = { properties: { shop: { type: 'keyword' }, n: { type: 'integer' }, day: { type: 'date' } } };
assert.equal((await root('PUT /goods', { mappings: mapping })).status, 200);

const shops = async (): Promise<Record<string, string>> => {
  const { hits } = (await root('POST /goods/_search', { size: 100 })).body.hits;
  return Object.fromEntries(
    hits.map((hit: { _id: string; _source: { shop: string } }) => [hit._id, hit._source.shop]),
  );
};
const statuses = ({ body }: Answer): number[] =>
  body.items.map((item: Record<string, { status: number }>) => Object.values(item)[0]!.status);
const refused = ({ status, body }: Answer): void => {
  assert.equal(status, 403, JSON.stringify(body));
  assert.equal(body.error.type, 'security_exception');
  assert.match(body.error.reason, /document filter/);
};

test('planting is refused, by every way to write', async () => {
  assert.equal((await mine('PUT /goods/_doc/1', { shop: 'a' })).status, 201);
  assert.equal((await mine('POST /goods/_doc', { shop: ['b', 'a'] })).status, 201);
  refused(await mine('PUT /goods/_doc/2', { shop: 'b' }));
  refused(await mine('POST /goods/_doc', { n: 1 }));
  refused(await mine('PUT /goods/_create/3', { shop: 'b' }));
  refused(await mine('POST /goods/_update/4', { doc: { shop: 'b' }, doc_as_upsert: true }));
  refused(await mine('POST /goods/_update/4', { doc: { shop: 'a' }, upsert: { shop: 'b' } }));
  assert.equal((await mine('POST /goods/_update/5', { doc: { n: 1 }, upsert: { shop: 'a' } })).status, 201);
  const bulk = await mine(
    'POST /goods/_bulk',
    '{"index":{"_id":"6"}}\n{"shop":"b"}\n{"index":{"_id":"7"}}\n{"shop":"a"}\n{"create":{}}\n{"shop":"b"}\n' +
      '{"update":{"_id":"7"}}\n{"doc":{"shop":"b"}}\n{"update":{"_id":"1"}}\n{"doc":{"n":2}}\n',
  );
  assert.deepEqual(statuses(bulk), [403, 201, 403, 403, 200]);
  const { 1: first, 5: fifth, 7: seventh, ...others } = await shops();
  assert.deepEqual([first, fifth, seventh, ...Object.values(others)], ['a', 'a', 'a', ['b', 'a']]);
});

test('a bulk does what its lines would do one by one, also to one id', async () => {
  const made = await mine(
    'POST /goods/_bulk',
    '{"index":{"_id":"new"}}\n{"shop":"a"}\n{"update":{"_id":"new"}}\n{"doc":{"n":3}}\n' +
      '{"index":{"_id":"new"}}\n{"shop":"a","n":4}\n{"delete":{"_id":"new"}}\n{"create":{"_id":"new"}}\n{"shop":"a"}\n',
  );
  assert.deepEqual(statuses(made), [201, 200, 200, 200, 201]);
  const id = fc.constantFrom('p', 'q');
  const shop = fc.constantFrom('a', 'b');
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('index', 'create'), id, fc.record({ shop })),
    fc.tuple(fc.constant('delete'), id, fc.constant(undefined)),
    fc.tuple(
      fc.constant('update'),
      id,
      fc.oneof(
        fc.record({ doc: fc.oneof(fc.record({ shop }), fc.constant({ n: 1 })) }),
        fc.record({ doc: fc.record({ shop }), doc_as_upsert: fc.constant(true) }),
        fc.record({ doc: fc.constant({ n: 2 }), upsert: fc.record({ shop }) }),
      ),
    ),
  );
  for (const index of ['at-once', 'one-by-one']) await root(`PUT /${index}`, { mappings: mapping });
  const texts = (
    index: string,
    lines: readonly (readonly [string, string, object | undefined])[],
  ): string[] =>
    lines.map(([action, _id, body]) => {
      const head = JSON.stringify({ [action]: { _index: index, _id } });
      return body === undefined ? `${head}\n` : `${head}\n${JSON.stringify(body)}\n`;
    });
  const left = async (index: string): Promise<unknown> =>
    (await root(`POST /${index}/_search`, { sort: ['_id'] })).body.hits.hits.map(
      ({ _id, _source }: { _id: string; _source: object }) => [_id, _source],
    );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean(), async (lines, hidden) => {
      for (const index of ['at-once', 'one-by-one']) {
        await root(`POST /${index}/_delete_by_query?refresh=true`, { query: { match_all: {} } });
        if (hidden) await root(`PUT /${index}/_doc/p`, { shop: 'b' });
      }
      const atOnce = await mine('POST /_bulk', texts('at-once', lines).join(''));
      const single: number[] = [];
      for (const text of texts('one-by-one', lines))
        single.push(...statuses(await mine('POST /_bulk', text)));
      assert.deepEqual(statuses(atOnce), single);
      assert.deepEqual(await left('at-once'), await left('one-by-one'));
    }),
    { numRuns: TEST_DOCUMENTS === undefined ? 40 : 4 },
  );
});

test('moving out is refused; moving within is not', async () => {
  await root('PUT /goods/_doc/own', { shop: 'a', n: 1, deep: { x: 1, y: 2 } });
  refused(await mine('PUT /goods/_doc/own', { shop: 'b' }));
  refused(await mine('POST /goods/_update/own', { doc: { shop: 'b' } }));
  refused(await mine('POST /goods/_update/own', { doc: { shop: null } }));
  refused(await mine('POST /goods/_update/own', { doc: { shop: 'b' }, doc_as_upsert: true }));
  assert.equal((await mine('POST /goods/_update/own', { doc: { n: 5, deep: { y: 3 } } })).status, 200);
  const { _source, _seq_no } = (await mine('GET /goods/_doc/own')).body;
  assert.deepEqual(_source, { shop: 'a', n: 5, deep: { x: 1, y: 3 } });
  const pin = (seq: number): string => `/goods/_update/own?if_seq_no=${seq}&if_primary_term=1`;
  refused(await mine(`POST ${pin(_seq_no)}`, { doc: { shop: 'b' } }));
  assert.equal((await mine(`POST ${pin(_seq_no + 1)}`, { doc: { shop: 'b' } })).status, 409);
  assert.equal((await mine(`POST ${pin(_seq_no)}`, { doc: { n: 6 } })).status, 200);
  const byQuery = await mine('POST /goods/_update_by_query?refresh=true', { query: { match_all: {} } });
  assert.equal(byQuery.status, TEST_DOCUMENTS === undefined ? 200 : 403, byQuery.text);
  assert.equal((await shops())['own'], 'a');
  assert.equal((await mine('DELETE /goods/_doc/own')).status, 200);
});

test('an id that a hidden document has is refused with 403, by _create as by the others', async () => {
  await root('PUT /goods/_doc/hidden', { shop: 'b' });
  for (const line of ['PUT /goods/_doc/hidden', 'PUT /goods/_create/hidden']) {
    const reply = await mine(line, { shop: 'a' });
    assert.equal(reply.status, 403, line);
    assert.match(reply.body.error.reason, /belongs to a document that it does not see/);
  }
  assert.equal((await mine('PUT /goods/_create/1', { shop: 'a' })).status, 409, 'its own is a conflict');
  assert.equal((await shops())['hidden'], 'b');
  await root('DELETE /goods/_doc/hidden');
});

test('where nobody can tell, the reason is given', async () => {
  const reason = async (answer: Promise<Answer>): Promise<string> => {
    const reply = await answer;
    assert.equal(reply.status, 403, reply.text);
    return reply.body.error.reason as string;
  };
  assert.match(await reason(mine('PUT /none/_doc/1', { shop: 'a' })), /index does not exist yet/);
  const daily = await as({ range: { day: { gte: '2026-01-01' } } });
  assert.match(
    await reason(daily('PUT /goods/_doc/x', { day: '2026-02-01' })),
    /it is unknown before the write.*\[day\]/,
  );
  const wild = await as({ wildcard: { shop: 'a*' } });
  assert.match(
    await reason(wild('PUT /goods/_doc/x', { shop: 'a' })),
    /it is unknown before the write.*\[wildcard\]/,
  );
  const fresh = await as({ term: { colour: 'red' } });
  assert.match(await reason(fresh('PUT /goods/_doc/x', { colour: 'red' })), /\[colour\] has no mapping yet/);
  assert.match(await reason(fresh('PUT /goods/_doc/x', { shop: 'a' })), /would not match/);
  const broken = await mine('PUT /goods/_doc/x', '{"shop":"a"');
  assert.equal(broken.status, 400);
  assert.equal((await root('GET /goods/_doc/x')).status, 404);
});

const words = onlyEmbedded('words are cut by the cluster: such writes are refused');
test('a filter over text is held against its words', words, async () => {
  await root('PUT /texts', { mappings: { properties: { title: { type: 'text' } } } });
  const fox = await as({ match: { title: 'fox' } });
  assert.equal((await fox('PUT /texts/_doc/1', { title: 'The Red FOX' })).status, 201);
  refused(await fox('PUT /texts/_doc/2', { title: 'a dog' }));
});
