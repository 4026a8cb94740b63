// Rollover moves an alias to a new index; shrink, split and clone copy an index. Answers are those of OpenSearch 3.1.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askOver, server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask, engine } = await server({ records });
let as: Record<string, string> = {};
const embedded = onlyEmbedded('a cluster does it itself');

before(async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  as = { authorization: `Bearer ${made.body.token}` };
});

const aliasesOf = async (names: string): Promise<Record<string, { aliases: object }>> =>
  (await ask(`GET /${names}/_alias`, undefined, as)).body;

test('an alias that names its write index', embedded, async () => {
  const filter = { term: { a: 1 } };
  await ask('PUT /logs-000001', { aliases: { logs: { is_write_index: true, filter }, other: {} } }, as);
  await ask('PUT /logs-000001/_doc/1?refresh=true', { a: 1 }, as);
  const conditions = { max_docs: 1, max_age: '36h', max_size: '1536mb' };
  const dry = await ask('POST /logs/_rollover?dry_run=true', { conditions }, as);
  assert.deepEqual(dry.body, {
    acknowledged: false,
    shards_acknowledged: false,
    old_index: 'logs-000001',
    new_index: 'logs-000002',
    rolled_over: false,
    dry_run: true,
    conditions: { '[max_docs: 1]': true, '[max_age: 1.5d]': false, '[max_size: 1.5gb]': false },
  });
  const early = await ask('POST /logs/_rollover', { conditions: { max_docs: 2 } }, as);
  assert.deepEqual([early.body.rolled_over, engine.indices.info('logs-000002')], [false, undefined]);
  const done = await ask('POST /logs/_rollover', { conditions }, as);
  assert.deepEqual([done.body.rolled_over, done.body.acknowledged], [true, true]);
  assert.deepEqual(await aliasesOf('logs-*'), {
    'logs-000001': { aliases: { logs: { filter, is_write_index: false }, other: {} } },
    'logs-000002': { aliases: { logs: { filter, is_write_index: true } } },
  });
  const body = { mappings: { properties: { x: { type: 'keyword' } } }, aliases: { q: {} } };
  assert.equal((await ask('POST /logs/_rollover/new', body, as)).body.new_index, 'new');
  assert.deepEqual(Object.keys((await aliasesOf('new'))['new']!.aliases), ['logs', 'q']);
  assert.equal((await ask('PUT /logs/_doc/2', { a: 1 }, as)).body._index, 'new');
  const nameless = await ask('POST /logs/_rollover', undefined, as);
  assert.match(nameless.body.error.reason, /index name \[new\] does not match pattern '\^\.\*-\\d\+\$'/);
});

test('an alias of one index moves, and date maths in its name stays', embedded, async () => {
  await ask('PUT /plain-9', { aliases: { plain: {} } }, as);
  assert.equal((await ask('POST /plain/_rollover', {}, as)).body.new_index, 'plain-000010');
  assert.deepEqual(await aliasesOf('plain-*'), {
    'plain-000010': { aliases: { plain: {} } },
    'plain-9': { aliases: {} },
  });
  const name = encodeURIComponent('<day-{now/d}-1>');
  await ask(`PUT /${name}`, { aliases: { day: {} } }, as);
  const { body } = await ask('POST /day/_rollover', {}, as);
  assert.match(body.new_index, /^day-\d{4}\.\d\d\.\d\d-000002$/);
  assert.equal(engine.indices.info(body.new_index)?.settings['index.provided_name'], '<day-{now/d}-000002>');
});

const refusals: readonly (readonly [string, object | undefined, RegExp])[] = [
  ['none/_rollover', undefined, /rollover target \[none\] does not exist/],
  ['r-1/_rollover', undefined, /rollover target is a \[concrete index\]/],
  ['both/_rollover', undefined, /rollover target \[both\] does not point to a write index/],
  ['r/_rollover/r-1', undefined, /index \[r-1\/[\w-]{22}\] already exists/],
  ['r/_rollover/UP', undefined, /must be lowercase/],
  ['r/_rollover', { foo: {} }, /\[rollover\] unknown field \[foo\]/],
  ['r/_rollover', { conditions: { foo: 1 } }, /\[conditions\] unknown field \[foo\]/],
  ['r/_rollover', { conditions: { max_age: 'zz' } }, /as a time value: unit is missing/],
  ['r/_rollover', { conditions: { max_size: 'zz' } }, /as a size in bytes: unit is missing/],
  ['r/_rollover', { settings: { foo: 1 } }, /unknown setting \[index\.foo\]/],
];
test('rollovers that are refused make no index', embedded, async () => {
  await ask('PUT /r-1', { aliases: { r: {}, both: {} } }, as);
  await ask('PUT /r-2x', { aliases: { both: {} } }, as);
  const before = engine.indices.names();
  for (const [path, body, reason] of refusals) {
    const answer = await ask(`POST /${path}`, body, as);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, reason, path);
  }
  assert.deepEqual(engine.indices.names(), before);
});

test('shrink, split and clone copy documents with versions, mappings and settings', embedded, async () => {
  const analysis = { analyzer: { my: { type: 'custom', tokenizer: 'keyword' } } };
  const settings = { number_of_shards: 2, number_of_replicas: 0, refresh_interval: -1, analysis };
  const mappings = { properties: { t: { type: 'text', analyzer: 'my' } } };
  await ask('PUT /c', { settings, mappings, aliases: { ca: {} } }, as);
  for (let n = 0; n < 3; n++) await ask('PUT /c/_doc/1?routing=r', { t: 'a b' }, as);
  await ask('PUT /c/_doc/2', { t: 'c' }, as);
  const open = await ask('PUT /c/_clone/c1', undefined, as);
  assert.deepEqual([open.status, open.body.error.type], [500, 'illegal_state_exception']);
  await ask('PUT /c/_settings', { 'index.blocks.write': true }, as);
  const made: readonly (readonly [string, object | undefined, string, string])[] = [
    ['clone/c1', { settings: { 'index.refresh_interval': '5s' }, aliases: { cb: {} } }, '2', 'true'],
    ['shrink/c2', { settings: { 'index.blocks.write': null } }, '1', 'undefined'],
    ['split/c3', { settings: { 'index.number_of_shards': 4 } }, '4', 'true'],
  ];
  for (const [path, body, shards, block] of made) {
    const answer = await ask(`PUT /c/_${path}`, body, as);
    const name = path.slice(-2);
    assert.deepEqual(answer.body, { acknowledged: true, shards_acknowledged: true, index: name });
    const info = engine.indices.info(name)!;
    assert.deepEqual(
      [info.settings['index.number_of_shards'], String(info.settings['index.blocks.write'])],
      [shards, block],
    );
    assert.deepEqual(info.mappings, engine.indices.info('c')!.mappings);
    assert.equal(info.settings['index.resize.source.name'], 'c');
    assert.equal((await ask(`GET /${name}/_count?q=t:%22a%20b%22`, undefined, as)).body.count, 1);
    assert.equal((await ask(`GET /${name}/_doc/1?routing=r`, undefined, as)).body._version, 3);
    assert.equal((await ask(`GET /${name}/_count`, undefined, as)).body.count, 2);
  }
  assert.deepEqual(Object.keys(engine.indices.info('c1')!.aliases), ['cb']);
  const begun = await ask('PUT /c/_clone/c4?wait_for_completion=false', undefined, as);
  const task = await ask(`GET /_tasks/${begun.body.task}?wait_for_completion=true`, undefined, as);
  assert.deepEqual([task.body.response.index, task.body.task.status.created], ['c4', 2]);
  const wrong: readonly (readonly [string, object | undefined, number, RegExp])[] = [
    ['clone/c1', undefined, 400, /already exists/],
    ['clone/x', { mappings: {} }, 400, /\[resize_request\] unknown field \[mappings\]/],
    ['clone/x', { settings: { number_of_shards: 3 } }, 400, /must be the same as the number of source/],
    ['clone/x?copy_settings=false', undefined, 400, /can not be explicitly set to \[false\]/],
    ['shrink/x', { settings: { number_of_shards: 3 } }, 400, /must be less that the number of source/],
    ['split/x', undefined, 400, /index.number_of_shards is required for split operations/],
    ['split/x', { settings: { number_of_shards: 3 } }, 400, /must be a factor of \[3\]/],
    ['split/x', { settings: { number_of_shards: 6 } }, 500, /must be a multiple of the target shards/],
  ];
  for (const [path, body, status, reason] of wrong) {
    const answer = await ask(`PUT /c/_${path}`, body, as);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, reason);
  }
  assert.equal((await ask('PUT /none/_clone/x', undefined, as)).status, 404);
});

test('a key changes only indices and aliases that it may manage', embedded, async () => {
  const key = async (rights: object): Promise<Record<string, string>> => {
    const made = await ask('POST /api/keys', { name: 'k', scopes: ['search:admin'], ...rights }, as);
    return { authorization: `Bearer ${made.body.token}` };
  };
  await ask('PUT /mine-1', { aliases: { mine: {} } }, as);
  const writer = await key({ scopes: ['search:write'] });
  assert.equal((await ask('POST /mine/_rollover', {}, writer)).status, 403);
  const some = await key({ index_patterns: ['mine*'] });
  assert.equal((await ask('POST /mine/_rollover/other', {}, some)).status, 403);
  assert.equal(engine.indices.info('other'), undefined);
  assert.equal((await ask('POST /mine/_rollover', {}, some)).body.new_index, 'mine-000002');
  assert.equal((await ask('PUT /c/_clone/mine-c', undefined, some)).status, 403);
  await ask('PUT /mine-1/_settings', { 'index.blocks.write': true }, as);
  assert.equal((await ask('PUT /mine-1/_clone/other', undefined, some)).status, 403);
  assert.equal((await ask('PUT /mine-1/_clone/mine-c', undefined, some)).status, 200);
  const filtered = await key({ document_filter: { term: { a: 1 } } });
  assert.equal((await ask('PUT /mine-1/_clone/mine-d', undefined, filtered)).status, 403);
});

test('a copy that the end of the server cut off is deleted at the next start', embedded, async () => {
  await ask('PUT /whole', { settings: { 'index.blocks.write': true } }, as);
  const done = await ask('POST /whole/_clone/copied', {}, as);
  assert.equal(done.status, 200, done.text);
  assert.equal(engine.indices.info('copied')?.settings['index.resize.unfinished'], undefined);
  await engine.indices.create('cut-off', { settings: { 'index.resize.unfinished': 'true' } });
  await askOver(engine, { records });
  assert.equal(engine.indices.info('cut-off'), undefined);
  assert.notEqual(engine.indices.info('copied'), undefined);
});
