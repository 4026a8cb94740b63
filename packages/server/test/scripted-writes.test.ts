// Scripts in updates, bulk updates and updates by query: what OpenSearch 3.1 answers to the same requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, server } from './ask.ts';

const { ask } = await server();

test('a script changes a document, deletes it, or leaves it', async () => {
  await ask('PUT /u/_doc/1', { n: 1, tags: ['a'] });
  const update = (source: string, params = {}) =>
    ask('POST /u/_update/1?_source=true', { script: { source, lang: 'painless', params } });
  const added = await update('ctx._source.n += params.by; ctx._source.tags.add(params.tag)', {
    by: 4,
    tag: 'b',
  });
  assert.deepEqual([added.body.result, added.body._version], ['updated', 2]);
  assert.deepEqual(added.body.get._source, { n: 5, tags: ['a', 'b'] });
  const removed = await update(
    "ctx._source.tags.remove(ctx._source.tags.indexOf('a')); ctx._source.remove('n')",
  );
  assert.deepEqual(removed.body.get._source, { tags: ['b'] });
  const same = await update(
    "if (ctx._source.tags.contains('b')) { ctx.op = 'none' } else { ctx.op = 'delete' }",
  );
  assert.deepEqual([same.body.result, same.body._version], ['noop', 3]);
  const seen = await update(
    'ctx._source.seen = ctx._index + ctx._id + ctx._version + ctx.op + (ctx._now > 0)',
  );
  assert.equal(seen.body.get._source.seen, 'u13indextrue');
  // As in the peer, an update keeps its document whatever the script makes of the metadata.
  const moved = await update("ctx._id = 'z'; ctx._index = 'z'; ctx._routing = 'z'; ctx._source.moved = true");
  assert.deepEqual([moved.body._id, moved.body._index, moved.body.get._source.moved], ['1', 'u', true]);
  assert.equal((await ask('GET /u/_doc/z')).status, 404);
  const deleted = await update("ctx.op = 'delete'");
  assert.deepEqual([deleted.body.result, deleted.body._version, deleted.status], ['deleted', 6, 200]);
  assert.equal((await ask('GET /u/_doc/1')).body.found, false);
  assert.equal((await update("ctx.op = 'none'")).body.error.type, 'document_missing_exception');
});

test('an upsert is taken as it is, or runs through the script', async () => {
  const script =
    "ctx._source.count += params.by; ctx._source.op = ctx.op; if (params.by < 0) ctx.op = 'none'";
  const body = { script: { source: script, params: { by: 1 } }, upsert: { count: 10 } };
  assert.equal((await ask('POST /u/_update/a', body)).body.result, 'created');
  assert.deepEqual((await ask('GET /u/_source/a')).body, { count: 10 });
  const scripted = { ...body, scripted_upsert: true };
  assert.equal((await ask('POST /u/_update/b', scripted)).status, 201);
  assert.equal((await ask('POST /u/_update/b', scripted)).body.result, 'updated');
  assert.deepEqual((await ask('GET /u/_source/b')).body, { count: 12, op: 'index' });
  const none = { ...scripted, script: { source: script, params: { by: -1 } } };
  const refused = (await ask('POST /u/_update/c', none)).body;
  assert.deepEqual([refused.result, refused._version, refused.get], ['noop', -1, { found: false }]);
  assert.equal((await ask('GET /u/_doc/c')).status, 404);
});

test('numbers keep their type and every digit', async () => {
  await ask('PUT /u/_doc/n', '{"long":9007199254740993,"double":1.0,"int":7}');
  const script =
    '{"script":{"source":"ctx._source.long += 1; ctx._source.half = ctx._source.int / params.two; ctx._source.third = ctx._source.int / params.three","params":{"two":2,"three":2.0}}}';
  await ask('POST /u/_update/n', script);
  assert.equal(
    (await ask('GET /u/_source/n')).text,
    '{"long":9007199254740994,"double":1.0,"int":7,"half":3,"third":3.5}',
  );
});

test('mistakes are told with their place', async () => {
  await ask('PUT /u/_doc/e', { n: 1 });
  const refused = async (script: unknown): Promise<Answer['body']> => {
    const { status, body } = await ask('POST /u/_update/e', { script });
    assert.equal(status, 400);
    return body.error;
  };
  const missing = await refused('ctx._source.n += params.x');
  assert.deepEqual(missing.root_cause, [
    { type: 'illegal_argument_exception', reason: 'failed to execute script' },
  ]);
  assert.equal(missing.caused_by.type, 'script_exception');
  assert.equal(missing.caused_by.reason, 'runtime error');
  assert.deepEqual(missing.caused_by.position, { offset: 23, start: 0, end: 25 });
  assert.equal(missing.caused_by.caused_by.type, 'null_pointer_exception');
  assert.equal((await refused('ctx._source.n += ')).caused_by.reason, 'compile error');
  assert.equal((await refused('while (true) { }')).caused_by.caused_by.type, 'painless_error');
  assert.equal(
    (await refused({ source: '1', lang: 'expression' })).caused_by.reason,
    'script_lang not supported [expression]',
  );
  assert.equal(
    (await refused({ source: '1', foo: 1 })).caused_by.reason.endsWith('[script] unknown field [foo]'),
    true,
  );
  assert.match((await refused({})).caused_by.reason, /^must specify either \[source\]/);
  assert.match((await refused(5)).reason, /script doesn't support values of type: VALUE_NUMBER$/);
  assert.equal((await refused("ctx._source = 'x'")).caused_by.caused_by.type, 'class_cast_exception');
  assert.equal((await ask('GET /u/_source/e')).body.n, 1);
});

test('updates of one bulk see each other', async () => {
  const line = (source: string) => [{ update: { _id: 'x' } }, { script: { source }, upsert: { a: 1 } }];
  const lines = [
    ...line('ctx._source.a += 1'),
    ...line('ctx._source.a += 10'),
    ...line('ctx._source.b.c = 1'),
  ];
  lines.push(...line("ctx.op = 'delete'"), ...line('ctx._source.a = 5'));
  const text = `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`;
  const { body } = await ask('POST /bulk-scripts/_bulk', text);
  const items = body.items.map(({ update }: Answer['body']) => update.result ?? update.error.type);
  assert.deepEqual(items, ['created', 'updated', 'illegal_argument_exception', 'deleted', 'created']);
  assert.deepEqual((await ask('GET /bulk-scripts/_source/x')).body, { a: 1 });
});

test('endless scripts of a bulk are stopped together, and hold nobody else up', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => [
    { update: { _id: `s${i % 2}` } },
    { script: 'int i = 0; while (true) { i++ }' },
  ]).flat();
  await ask('PUT /u/_doc/s0', {});
  await ask('PUT /u/_doc/s1', {});
  await ask('PUT /u/_doc/other', { n: 1 });
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  const bulk = ask('POST /u/_bulk', `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`);
  const beside = ask('POST /u/_update/other', { script: 'ctx._source.n++' });
  setImmediate(count);
  const { body } = await bulk;
  isOver = true;
  const statuses: number[] = body.items.map(({ update }: Answer['body']) => update.status);
  assert.deepEqual([...new Set(statuses)], [400, 429]);
  const ran = statuses.filter((status) => status === 400).length;
  assert.ok(turns > ran, `${turns} turns of the event loop for ${ran} scripts`);
  assert.equal((await beside).body.result, 'updated');
});

test('a script that is too deep for the stack is refused, and the server goes on', async () => {
  await ask('PUT /u/_doc/deep', { n: 1 });
  const deep = [
    `def x = ${'1+'.repeat(20_000)}1`,
    `def x = ${'true&&'.repeat(10_000)}true`,
    `a${'.b'.repeat(30_000)}`,
    `ctx._source${'[0]'.repeat(20_000)}`,
    `def a; ${'a = '.repeat(10_000)}1`,
    `${'if (false) {} else '.repeat(3_000)}{}`,
    `${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
    'def l = []; for (int i = 0; i < 90000; i++) { l = [l] } ctx._source.x = l',
  ];
  for (const source of deep) {
    const { status, body } = await ask('POST /u/_update/deep', { script: { source } });
    assert.deepEqual([status, body.error.caused_by?.type], [400, 'script_exception'], source.slice(0, 60));
  }
  assert.deepEqual((await ask('GET /u/_source/deep')).body, { n: 1 });
});

test('an update by query runs its script on each document', async () => {
  for (let i = 0; i < 5; i++) await ask(`PUT /q/_doc/${i}`, { n: i });
  const run = (source: string, query: object = { match_all: {} }) =>
    ask('POST /q/_update_by_query?refresh=true', { script: { source, params: { p: 2.5 } }, query });
  const source =
    "if (ctx._source.n == 0) { ctx.op = 'noop' } else if (ctx._source.n == 1) { ctx.op = 'delete' } else { ctx._source.m = ctx._source.n / params.p }";
  const { body } = await run(source);
  assert.deepEqual([body.total, body.updated, body.deleted, body.noops], [5, 3, 1, 1]);
  assert.deepEqual((await ask('GET /q/_source/3')).body, { n: 3, m: 1.2 });
  const wrong: [string, string, string][] = [
    [
      "ctx.op = 'bad'",
      'illegal_argument_exception',
      'Operation type [bad] not allowed, only [noop, index, delete] are allowed',
    ],
    ["ctx._id = 'bad'", 'illegal_argument_exception', 'Modifying [_id] not allowed'],
    ['ctx.foo = 1', 'illegal_argument_exception', 'Invalid fields added to context [foo]'],
    ['ctx._source.x.y = 1', 'script_exception', 'runtime error'],
    ['ctx._source.x.', 'script_exception', 'compile error'],
  ];
  for (const [script, type, reason] of wrong) {
    const { status, body } = await run(script);
    assert.deepEqual([status, body.error.type, body.error.reason], [400, type, reason]);
  }
});
