// While somebody reads events of documents in a cluster, another server sends the events of a server that has
// ended, and those of changes by query. Writers see no difference.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginIntents, dueIntents } from '@octavo/records';
import { askOver } from './ask.ts';
import { bulk, engine, keyOf, over, place, properties, records, root, type Told } from './cluster-pair.ts';
import { eventually } from './eventually.ts';

test('while somebody follows, replies are what they were, ids of the cluster among them', async () => {
  const start = await place();
  const within = await keyOf({ scopes: ['search:write'], index_patterns: ['goods*'] });
  const filtered = await keyOf({ scopes: ['search:write'], document_filter: { term: { shop: 'a' } } });
  const ids: string[] = [];
  for (const { send } of [{ send: root }, within, filtered]) {
    const one = await send('POST /goods-1/_doc?routing=r', { shop: 'a' });
    assert.deepEqual([one.status, one.body.result, one.body._version], [201, 'created', 1]);
    assert.match(one.body._id, /^[\w-]{20}$/);
    const several = await send(
      'POST /goods-1/_bulk',
      bulk({ index: {} }, { shop: 'a' }, { create: { _id: null } }, { shop: 'a' }),
    );
    const items = several.body.items.map((item: object) => Object.entries(item)[0]);
    assert.deepEqual(
      items.map(([kind, { status }]: [string, { status: number }]) => [kind, status]),
      [
        ['index', 201],
        ['create', 201],
      ],
    );
    ids.push(one.body._id, ...items.map(([, { _id }]: [string, { _id: string }]) => _id));
    assert.equal((await send('POST /goods-1/_doc?if_seq_no=1&if_primary_term=1', { shop: 'a' })).status, 400);
  }
  const told = (await root(`GET /api/events?after=${start}&limit=1000`)).body.items as Told[];
  assert.deepEqual(
    told.filter(({ type }) => type.includes('document')).map(({ subject }) => subject),
    ids.map((id) => `goods-1/${id}`),
  );
});

test('what a server has left is looked for and told as it is', async () => {
  const start = await place();
  for (const id of ['l1', 'l2']) await root(`PUT /goods-1/_doc/${id}`, { shop: 'a' });
  const { body } = await root('PUT /goods-2/_doc/l3?routing=r', { shop: 'a' });
  const all = [
    { kind: 'index', index: 'goods-1', id: 'l1' },
    { kind: 'update', index: 'shelf', id: 'l2' },
    { kind: 'create', index: 'goods-2', id: 'l3', routing: 'r' },
    // What never came to be is not told; what should be gone is, and an update may have deleted.
    { kind: 'index', index: 'goods-1', id: 'never' },
    { kind: 'create', index: 'no-index', id: 'never' },
    { kind: 'delete', index: 'shelf', id: 'gone' },
    { kind: 'update', index: 'goods-1', id: 'gone too' },
  ] as const;
  const behind = await place();
  await records.write(beginIntents, { intents: [{ id: 'left', documents: all }], leaseMs: 0 });
  const finder = await over(records, { clusterIntentMs: 2_000 });
  const found = async (): Promise<Told[]> =>
    (await root(`GET /api/events?after=${behind}&limit=1000`)).body.items as Told[];
  const told = await eventually(async () => {
    const events = await found();
    assert.deepEqual(
      events.map(({ type, subject }) => `${type.replace('octavo.document.', '')} ${subject}`),
      [
        ...['indexed goods-1/l1', 'indexed goods-1/l2', 'indexed goods-2/l3'],
        ...['deleted goods-1/gone', 'deleted goods-1/gone too'],
      ],
    );
    return events;
  });
  assert.deepEqual(told[2]!.data, { index: 'goods-2', id: 'l3', seq_no: body._seq_no, version: 1 });
  assert.deepEqual(told[3]!.data, { index: 'goods-1', id: 'gone' });
  // It is told before those that were deleted are looked at once more, and the note ends behind that.
  await finder.app.close();
  assert.equal(await records.read(dueIntents, { limit: 9 }), 0);
  assert.notEqual(start, behind);
});

test('what a query changes is told document by document, as where documents are embedded', async () => {
  await root('PUT /by-query', {
    mappings: { properties },
    aliases: { asked: { filter: { term: { shop: 'a' } } } },
  });
  for (let n = 0; n < 25; n++) await root(`PUT /by-query/_doc/q${n}`, { shop: n % 2 === 0 ? 'a' : 'b' });
  await root('POST /by-query/_refresh');
  const own = await askOver(engine, { logLevel: 'silent' });
  for (const [line, body, type, count] of [
    [
      'POST /by-query/_update_by_query?scroll_size=4&refresh',
      { query: { term: { shop: 'b' } } },
      'indexed',
      12,
    ],
    ['POST /asked/_update_by_query?refresh=true', undefined, 'indexed', 13],
    ['POST /by-query/_update_by_query?refresh', { query: { match_none: {} } }, 'indexed', 0],
    ['POST /by*/_delete_by_query?refresh&max_docs=5', { query: { term: { shop: 'b' } } }, 'deleted', 5],
    [
      'POST /by-query/_delete_by_query?refresh&conflicts=proceed',
      { query: { match_all: {} } },
      'deleted',
      20,
    ],
  ] as const) {
    const start = await place();
    const reply = await root(line, body);
    assert.equal(reply.status, 200, reply.text);
    const told = (await root(`GET /api/events?after=${start}&limit=1000`)).body.items as Told[];
    assert.equal(told.length, count, line);
    for (const each of told) {
      assert.equal(each.type, `octavo.document.${type}`);
      assert.ok(each.data.seq_no > 0);
    }
    assert.equal(new Set(told.map(({ subject }) => subject)).size, count);
    const { total, updated, deleted, batches, failures } = reply.body;
    assert.deepEqual(
      { total, changed: (updated ?? 0) + deleted, batches, failures },
      {
        total,
        changed: count,
        batches: Math.ceil(count / (line.includes('scroll_size') ? 4 : 1_000)),
        failures: [],
      },
    );
    // The same words as the engine's own.
    const same = await own.ask(line, { query: { match_none: {} } });
    assert.deepEqual(Object.keys(reply.body), Object.keys(same.body), line);
  }
});

test('of what only the cluster can do by a query it is told that something has changed', async () => {
  const reader = ['events:read', 'search:read'];
  const within = await keyOf({ scopes: reader, index_patterns: ['goods*'] });
  const other = await keyOf({ scopes: reader, index_patterns: ['by*'] });
  const filtered = await keyOf({ scopes: reader, document_filter: { term: { shop: 'a' } } });
  await root('POST /goods-1,goods-2/_refresh');
  const start = await place();
  // Where it goes on with pipelines of its own, which ones it writes is not known here.
  const reply = await root('POST /goods-1,goods-2/_update_by_query?pipeline=_none', {
    query: { match_all: {} },
  });
  assert.equal(reply.status, 200, reply.text);
  assert.ok(reply.body.updated > 0);
  const { items } = (await root(`GET /api/events?after=${start}&types=document.*`)).body;
  assert.deepEqual(
    items.map(({ type, subject, source, data }: Told) => ({ type, subject, source, data })),
    ['goods-1', 'goods-2'].map((index) => ({
      ...{ type: 'octavo.document.changed', subject: index, source: '/' },
      data: { index, by: 'update_by_query' },
    })),
  );
  assert.deepEqual(await within.events(start), ['changed goods-1', 'changed goods-2']);
  assert.deepEqual(await other.events(start), []);
  assert.deepEqual(await filtered.events(start), [], 'no filter can be held against it');
  const none = await place();
  await root('POST /goods-1/_delete_by_query?pipeline=_none', { query: { match_none: {} } });
  await root('POST /goods-1/_delete_by_query', {});
  assert.deepEqual((await root(`GET /api/events?after=${none}`)).body.items, []);
});
