// The blocks of an index apply on every endpoint, until its settings remove them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

async function filled(name: string): Promise<void> {
  await ask(`PUT /${name}/_doc/1?refresh=true`, { a: 'x' });
}

/** Status and reason of an error. */
async function refused(line: string, body?: unknown): Promise<[number, string]> {
  const { status, body: answer } = await ask(line, body);
  return [status, answer.error?.reason ?? ''];
}

test('writes are refused one by one, and reads go on', async () => {
  await filled('w');
  const blocked = await ask('PUT /w/_block/write');
  assert.deepEqual(blocked.body, {
    acknowledged: true,
    shards_acknowledged: true,
    indices: [{ name: 'w', blocked: true }],
  });
  const why: [number, string] = [403, 'index [w] blocked by: [FORBIDDEN/8/index write (api)];'];
  assert.deepEqual(await refused('PUT /w/_doc/2', { a: 'y' }), why);
  assert.deepEqual(await refused('POST /w/_update/1', { doc: { a: 'y' } }), why);
  assert.deepEqual(await refused('DELETE /w/_doc/1'), why);
  const bulk = await ask(
    'POST /_bulk',
    '{"index":{"_index":"w","_id":"3"}}\n{}\n{"index":{"_index":"o","_id":"3"}}\n{}\n',
  );
  assert.deepEqual(
    bulk.body.items.map((item: { index: { status: number } }) => item.index.status),
    [403, 201],
  );
  assert.equal(
    (await ask('POST /w/_delete_by_query?conflicts=proceed', { query: { match_all: {} } })).status,
    403,
  );
  assert.equal((await ask('GET /w/_search')).body.hits.total.value, 1);
  assert.equal((await ask('GET /w/_doc/1')).status, 200);
  assert.equal((await ask('PUT /w/_mapping', { properties: { b: { type: 'long' } } })).status, 200);
  await ask('PUT /w/_settings', { 'index.blocks.write': null });
  assert.equal((await ask('PUT /w/_doc/2', { a: 'y' })).status, 201);
});

test('reads are refused, of what was read before as well', async () => {
  await filled('r');
  const reads = [
    'GET /r/_search',
    'GET /r/_doc/1',
    'GET /r/_count',
    'POST /r/_search?scroll=1m',
    'GET /r/_search?q=a:x',
  ];
  for (const line of reads) for (let i = 0; i < 3; i++) assert.equal((await ask(line)).status, 200, line);
  const { _scroll_id: scroll_id } = (await ask('POST /r/_search?scroll=1m', { size: 1 })).body;
  await ask('PUT /r/_settings', { index: { blocks: { read: true } } });
  const why: [number, string] = [403, 'index [r] blocked by: [FORBIDDEN/7/index read (api)];'];
  for (const line of [
    ...reads,
    'POST /r/_pit?keep_alive=1m',
    'POST /r/_search/point_in_time?keep_alive=1m',
  ]) {
    const { status, body } = await ask(line);
    assert.deepEqual(
      [status, body.error.type, body.error.reason],
      [403, 'cluster_block_exception', why[1]],
      line,
    );
  }
  assert.equal((await ask('POST /_search/scroll', { scroll_id, scroll: '1m' })).status, 403);
  assert.equal((await ask('PUT /r/_doc/2', { a: 'y' })).status, 201);
  await ask('PUT /r/_settings', { 'index.blocks.read': false });
  assert.equal((await ask('GET /r/_search')).body.hits.total.value, 2);
});

test('one that is read-only stays as it is, until that is lifted; another may be deleted', async () => {
  for (const [block, status, deleted] of [
    ['read_only', 403, 403],
    ['read_only_allow_delete', 429, 200],
  ] as const) {
    await filled('k');
    await ask('PUT /k/_settings', { [`index.blocks.${block}`]: true });
    assert.equal((await refused('PUT /k/_doc/2', {}))[0], status);
    assert.equal((await refused('PUT /k/_mapping', { properties: { b: { type: 'long' } } }))[0], status);
    const removes = { actions: [{ remove_index: { index: 'k' } }] };
    if (deleted !== 200) assert.equal((await ask('POST /_aliases', removes)).status, deleted);
    assert.equal((await ask('DELETE /k')).status, deleted);
    if (deleted === 200) continue;
    await ask('PUT /k/_settings', { [`index.blocks.${block}`]: false });
    assert.equal((await ask('DELETE /k')).status, 200);
  }
});

test('nothing about one that is read-only changes, of several named together none, until it is lifted', async () => {
  for (const [block, status] of [
    ['read_only', 403],
    ['read_only_allow_delete', 429],
    ['metadata', 403],
  ] as const) {
    await filled('kept');
    await filled('free');
    await ask('PUT /kept/_settings', { [`index.blocks.${block}`]: true });
    const changes: [string, unknown?][] = [
      ['PUT /kept/_settings', { 'index.refresh_interval': '5s' }],
      ['PUT /kept/_block/write'],
      ['POST /kept/_close'],
      ['POST /free,kept/_forcemerge'],
      ['POST /free,kept/_close'],
      ['POST /kept/_open'],
      ['PUT /kept/_alias/other'],
      [
        'POST /_aliases',
        { actions: [{ add: { index: 'free', alias: 'other' } }, { add: { index: 'kept', alias: 'other' } }] },
      ],
      ['POST /_aliases', { actions: [{ remove_index: { index: 'kept' } }] }],
      ['PUT /free,kept/_settings', { 'index.refresh_interval': '5s' }],
      ['PUT /free,kept/_mapping', { properties: { b: { type: 'long' } } }],
    ];
    for (const [line, body] of changes) {
      const [answered, reason] = await refused(line, body);
      assert.equal(answered, status, `${block}: ${line}`);
      assert.match(reason, /^index \[kept\] blocked by: /);
    }
    const free = (await ask('GET /free')).body.free;
    assert.deepEqual(free.aliases, {});
    assert.equal(free.settings.index.refresh_interval, undefined);
    assert.equal(free.mappings.properties.b, undefined);
    assert.equal((await ask('GET /free/_search')).status, 200);
    const shown = ['GET /kept', 'GET /kept/_mapping', 'GET /kept/_settings', 'GET /kept/_alias'];
    for (const line of [...shown, 'GET /kept/_mapping/field/a'])
      assert.equal((await ask(line)).status, block === 'metadata' ? 403 : 200, `${block}: ${line}`);
    assert.equal((await ask('GET /kept/_search')).status, 200);
    await ask('PUT /kept/_settings', { [`index.blocks.${block}`]: null });
    assert.equal((await ask('PUT /kept/_alias/other')).status, 200);
    assert.equal((await ask('DELETE /kept,free')).status, 200);
  }
});

test('documents bring no fields where the mapping may not change; others are taken', async () => {
  await filled('m');
  await ask('PUT /m/_settings', { 'index.blocks.metadata': true });
  const why: [number, string] = [403, 'index [m] blocked by: [FORBIDDEN/9/index metadata (api)];'];
  assert.deepEqual(await refused('PUT /m/_doc/2', { a: 'y', b: 1 }), why);
  assert.deepEqual(await refused('POST /m/_update/1', { doc: { c: { d: true } } }), why);
  assert.equal((await ask('PUT /m/_doc/3', { a: 'y' })).status, 201);
  const lines = Array.from(
    { length: 3_000 },
    (_, i) => `{"index":{}}\n{"a":"x"${i === 1_500 ? ',"e":1' : ''}}\n`,
  );
  const { items } = (await ask('POST /m/_bulk?refresh=true', lines.join(''))).body;
  assert.deepEqual(
    items.flatMap((item: { index: { status: number } }, i: number) => (item.index.status === 201 ? [] : [i])),
    [1_500],
  );
  assert.equal((await ask('GET /m/_count')).body.count, 3_001);
  await ask('PUT /m/_settings', { 'index.blocks.metadata': null });
  assert.deepEqual(Object.keys((await ask('GET /m')).body.m.mappings.properties), ['a']);
  assert.equal((await ask('PUT /m/_doc/2', { b: 1 })).status, 201);
});

test('a mapping that one of several indices refuses is that of none', async () => {
  await ask('PUT /one', { mappings: { properties: { n: { type: 'long' } } } });
  await ask('PUT /two', { mappings: { properties: { x: { type: 'text' } } } });
  const mapping = (name: string) => async (): Promise<string[]> =>
    Object.keys((await ask(`GET /${name}/_mapping`)).body[name].mappings.properties);
  const [one, two] = [mapping('one'), mapping('two')];
  for (const indices of ['one,two', 'two,one', '*']) {
    const [status, reason] = await refused(`PUT /${indices}/_mapping`, {
      properties: { more: { type: 'keyword' }, x: { type: 'keyword' } },
    });
    assert.equal(status, 400);
    assert.match(reason, /mapper \[x\] cannot be changed from type \[text\] to \[keyword\]/);
    assert.deepEqual([await one(), await two()], [['n'], ['x']]);
  }
  assert.equal(
    (await ask('PUT /one,two/_mapping', { properties: { more: { type: 'keyword' } } })).status,
    200,
  );
  assert.deepEqual(
    [await one(), await two()].map((names) => names.toSorted()),
    [
      ['more', 'n'],
      ['more', 'x'],
    ],
  );
});

test('what is not kept out is there when the block is told of', async () => {
  const bulk = Array.from({ length: 2_000 }, (_, i) => `{"index":{}}\n{"n":${i}}\n`).join('');
  await filled('f');
  for (let round = 0; round < 10; round++) {
    const writes = Array.from({ length: 4 }, () => ask('POST /f/_bulk', bulk));
    await ask('PUT /f/_block/write');
    const told = (await ask('GET /f/_count')).body.count;
    await Promise.all(writes);
    assert.equal((await ask('GET /f/_count')).body.count, told);
    await ask('PUT /f/_settings', { 'index.blocks.write': null });
  }
});
