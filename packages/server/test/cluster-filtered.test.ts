// A key with a document filter reads and writes over a cluster only what it may, document by document, also
// where only the cluster can match the filter, and before a refresh.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parseClusterAddress } from '../src/proxy/client/address.ts';
import { createEmptyEngine } from '../src/proxy/empty-engine.ts';
import { createServer, openCluster } from '../src/serve.ts';
import { type Answer, askOver } from './ask.ts';
import { ownEngine } from './own-engine.ts';
import { openStore } from './stores.ts';

const { engine, end } = await ownEngine();
const inner = await createServer(engine, { logLevel: 'silent' });
const cluster = await openCluster(parseClusterAddress(await inner.listen({ port: 0, host: '127.0.0.1' })));
const records = await openStore();
const { ask } = await askOver(createEmptyEngine(), { records, cluster, logLevel: 'silent' });
after(async () => {
  await inner.close();
  await end();
  await records.close();
});

const admin = {
  authorization: `Bearer ${(await ask('POST /api/keys', { name: 'admin', scopes: ['*'] })).body.token}`,
};
type Send = (line: string, body?: unknown) => Promise<Answer>;
const root: Send = (line, body) => ask(line, body, admin);
const keyOf = async (filter: object): Promise<Send> => {
  const grant = { name: 'f', scopes: ['search:write'], document_filter: filter };
  const { token } = (await ask('POST /api/keys', grant, admin)).body;
  return (line, body) => ask(line, body, { authorization: `Bearer ${token}` });
};
const mine = await keyOf({ term: { shop: 'a' } });
const properties = { shop: { type: 'keyword' }, n: { type: 'integer' }, title: { type: 'text' } };
// Nothing is seen by searches until it is refreshed, as in a cluster.
const settings = { index: { refresh_interval: '-1' } };
for (const index of ['goods', 'texts']) {
  assert.equal((await root(`PUT /${index}`, { mappings: { properties }, settings })).status, 200);
}
await root('POST /_aliases', { actions: [{ add: { index: 'goods', alias: 'shelf' } }] });
await root('PUT /goods/_doc/hers', { shop: 'b', n: 1 });

test('what it writes it reads, changes and deletes, refreshed or not', async () => {
  assert.equal((await mine('PUT /goods/_doc/1', { shop: 'a', n: 1 })).status, 201);
  assert.equal((await mine('GET /goods/_doc/1')).body._source.n, 1);
  assert.equal((await mine('POST /shelf/_update/1', { doc: { n: 2 } })).body.result, 'updated');
  assert.equal((await mine('PUT /shelf/_doc/1', { shop: 'a', n: 3 })).body._version, 3);
  assert.equal((await mine('GET /shelf/_source/1')).body.n, 3);
  assert.equal((await mine('GET /goods/_doc/1?realtime=false')).status, 404);
  assert.equal((await mine('DELETE /goods/_doc/1')).status, 200);
  assert.equal((await mine('GET /goods/_doc/1')).status, 404);
});

test('what it must not see is not there, by any way to read', async () => {
  const absent = await mine('GET /goods/_doc/none');
  const hidden = await mine('GET /goods/_doc/hers');
  assert.deepEqual([hidden.status, hidden.text], [404, absent.text.replace('none', 'hers')]);
  assert.equal((await mine('HEAD /goods/_doc/hers')).status, 404);
  assert.equal((await mine('GET /goods/_source/hers')).status, 404);
  await mine('PUT /goods/_doc/2', { shop: 'a' });
  const got = await mine('POST /_mget', {
    docs: [
      { _index: 'shelf', _id: 'hers' },
      { _index: 'goods', _id: '2' },
    ],
  });
  assert.deepEqual(
    got.body.docs.map((doc: { found: boolean }) => doc.found),
    [false, true],
  );
  const ids = await mine('POST /goods/_mget', { ids: ['2', 'hers'] });
  assert.deepEqual(
    ids.body.docs.map((doc: { found: boolean }) => doc.found),
    [true, false],
  );
});

test('it plants nothing, gives nothing away, and meets nothing hidden', async () => {
  assert.equal((await mine('PUT /goods/_doc/3', { shop: 'b' })).status, 403);
  assert.equal((await mine('POST /goods/_doc', { n: 1 })).status, 403);
  assert.equal((await mine('POST /goods/_update/2', { doc: { shop: 'b' } })).status, 403);
  assert.equal((await mine('POST /goods/_update/2', { script: { source: 'ctx._source.n++' } })).status, 403);
  assert.equal((await mine('PUT /goods/_doc/hers', { shop: 'a' })).status, 403);
  assert.equal((await mine('DELETE /goods/_doc/hers')).status, 404);
  assert.equal((await mine('POST /goods/_update/hers', { doc: { n: 9 } })).status, 404);
  const lines = [
    '{"index":{"_id":"4"}}\n{"shop":"a"}',
    '{"index":{"_id":"5"}}\n{"shop":"b"}',
    '{"update":{"_id":"4"}}\n{"doc":{"n":7}}',
    '{"delete":{"_id":"hers"}}',
    '{"update":{"_id":"4"}}\n{"doc":{"shop":"b"}}',
  ];
  const { items } = (await mine('POST /shelf/_bulk', `${lines.join('\n')}\n`)).body;
  const statuses = items.map((item: Record<string, { status: number }>) => Object.values(item)[0]!.status);
  assert.deepEqual(statuses, [201, 403, 200, 404, 403]);
  assert.deepEqual((await root('GET /goods/_source/4')).body, { shop: 'a', n: 7 });
  assert.deepEqual((await root('GET /goods/_source/hers')).body, { shop: 'b', n: 1 });
});

test('a change that comes between looking and writing is a conflict', async () => {
  await mine('PUT /goods/_doc/6', { shop: 'a', n: 1 });
  const { _seq_no } = (await mine('GET /goods/_doc/6')).body;
  await root('PUT /goods/_doc/6', { shop: 'a', n: 2 });
  const late = await mine(`PUT /goods/_doc/6?if_seq_no=${_seq_no}&if_primary_term=1`, { shop: 'a', n: 3 });
  assert.equal(late.status, 409);
});

test('where only the cluster can tell, it is asked, and made to look at the newest', async () => {
  const fox = await keyOf({ match: { title: 'fox' } });
  await root('PUT /texts/_doc/1', { title: 'The Red FOX' });
  await root('PUT /texts/_doc/2', { title: 'a dog' });
  assert.equal((await fox('GET /texts/_doc/1')).status, 200);
  assert.equal((await fox('GET /texts/_doc/2')).status, 404);
  await root('PUT /texts/_doc/1', { title: 'no longer' });
  assert.equal((await fox('GET /texts/_doc/1')).status, 404);
  const written = await fox('PUT /texts/_doc/3', { title: 'fox' });
  assert.equal(written.status, 403);
  assert.match(written.body.error.reason, /it is unknown before the write/);
});
