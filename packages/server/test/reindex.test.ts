// Documents are copied by `_reindex` as OpenSearch 3.1 copies them: counts, conflicts, versions, routing, scripts, and the
// refusals of bodies.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
let as: Record<string, string> = {};

before(async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  as = { authorization: `Bearer ${made.body.token}` };
  await ask('PUT /src', { mappings: { properties: { t: { type: 'keyword' }, n: { type: 'integer' } } } }, as);
  for (let n = 1; n <= 5; n++)
    await ask(`PUT /src/_doc/${n}?routing=r${n}&refresh=true`, { t: `t${n}`, n, o: { a: 1, b: 2 } }, as);
});

beforeEach(async () => {
  await ask('DELETE /d?ignore_unavailable=true', undefined, as);
  await ask('DELETE /e?ignore_unavailable=true', undefined, as);
});

type Document = Record<string, unknown>;
interface Counts {
  total: number;
  created: number;
  updated: number;
  deleted: number;
  noops: number;
  version_conflicts: number;
  batches: number;
  failures: { id: string; status: number; cause: { type: string; reason: string } }[];
}

async function reindex(body: Document, query = '', status = 200): Promise<Counts> {
  const answer = await ask(`POST /_reindex?refresh=true${query}`, body, as);
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

async function refusal(body: unknown, query = ''): Promise<string> {
  const { status, body: answer, text } = await ask(`POST /_reindex?${query}`, body, as);
  assert.ok(status >= 400 && status < 500, text);
  const { type, reason, caused_by: cause } = answer.error;
  return [`${status} ${type}: ${reason}`, ...causes(cause)].join(' < ');
}

function causes(cause: { type: string; reason: string; caused_by: unknown } | undefined): string[] {
  if (cause === undefined) return [];
  return [`${cause.type}: ${cause.reason}`, ...causes(cause.caused_by as never)];
}

async function documents(index: string): Promise<Record<string, Document>> {
  const { body, text } = await ask(`POST /${index}/_search`, { size: 100, sort: ['_doc'] }, as);
  assert.ok(body.hits, text);
  return Object.fromEntries(
    body.hits.hits.map((hit: { _id: string; _source: Document }) => [hit._id, hit._source]),
  );
}

const plain = { source: { index: 'src' }, dest: { index: 'd' } };

test('all documents are copied, with their routing, and written again as updates', async () => {
  const first = await reindex(plain);
  assert.deepEqual(
    [first.total, first.created, first.updated, first.batches, first.failures],
    [5, 5, 0, 1, []],
  );
  assert.deepEqual(await documents('d'), await documents('src'));
  assert.equal((await ask('GET /d/_doc/2?routing=r2', undefined, as)).body._routing, 'r2');
  const second = await reindex(plain);
  assert.deepEqual([second.created, second.updated], [0, 5]);
});

test('a query, the size of pages, a number of documents, and parts of the source', async () => {
  const some = { ...plain, source: { index: ['src'], query: { range: { n: { gte: 2 } } }, size: 2 } };
  assert.deepEqual((await reindex({ ...some, max_docs: 3 })).batches, 2);
  assert.equal(Object.keys(await documents('d')).length, 3);
  assert.equal((await reindex(some, '&max_docs=1')).total, 1);
  const parts = { _source: { includes: ['o.*'], excludes: ['o.b'] }, query: { term: { n: 1 } } };
  await reindex({ source: { index: 'src', ...parts }, dest: { index: 'e' } });
  assert.deepEqual(await documents('e'), { 1: { o: { a: 1 } } });
});

test('conflicts end the copy after their page, or are counted', async () => {
  await reindex(plain);
  const create = { source: { index: 'src', size: 2 }, dest: { index: 'd', op_type: 'create' } };
  const aborted = await reindex(create, '', 409);
  assert.deepEqual([aborted.version_conflicts, aborted.batches, aborted.failures.length], [2, 1, 2]);
  assert.equal(aborted.failures[0]!.status, 409);
  assert.equal(aborted.failures[0]!.cause.type, 'version_conflict_engine_exception');
  assert.equal(
    aborted.failures[0]!.cause.reason,
    '[1]: version conflict, document already exists (current version [1])',
  );
  const gone = await reindex({ ...create, conflicts: 'proceed' });
  assert.deepEqual([gone.version_conflicts, gone.batches, gone.failures], [5, 3, []]);
});

test('external versions keep the version of the source', async () => {
  const external = { ...plain, dest: { index: 'd', version_type: 'external' } };
  await ask('POST /src/_update_by_query?refresh=true&q=n:3', undefined, as);
  await reindex(external);
  assert.equal((await ask('GET /d/_doc/3?routing=r3', undefined, as)).body._version, 2);
  assert.equal((await reindex(external, '', 409)).version_conflicts, 5);
  const orEqual = { ...plain, dest: { index: 'd', version_type: 'external_gte' } };
  assert.equal((await reindex(orEqual)).updated, 5);
});

test('the routing is kept, dropped or set', async () => {
  await reindex({ ...plain, dest: { index: 'd', routing: 'discard' } });
  assert.equal((await ask('GET /d/_doc/1', undefined, as)).body._routing, undefined);
  await reindex({ ...plain, dest: { index: 'd', routing: '=x' } });
  assert.equal((await ask('GET /d/_doc/1?routing=x', undefined, as)).body._routing, 'x');
});

test('a script decides where a document goes and what becomes of it', async () => {
  const source = `ctx._source.x = 1; ctx._id = ctx._id + 'x';
    if (ctx._source.n == 1) ctx.op = 'noop';
    if (ctx._source.n == 2) { ctx.op = 'delete' }
    if (ctx._source.n == 3) { ctx._index = 'e'; ctx._routing = 'r' }
    if (ctx._source.n == 5) { ctx._source = ['v': ctx._version, 'i': ctx._index, 'p': params.p] }`;
  await ask('PUT /d', undefined, as);
  const done = await reindex({ ...plain, script: { source, params: { p: 7 } } });
  assert.deepEqual([done.created, done.deleted, done.noops], [3, 1, 1]);
  assert.deepEqual(await documents('d'), {
    '4x': { t: 't4', n: 4, o: { a: 1, b: 2 }, x: 1 },
    '5x': { v: -1, i: 'src', p: 7 },
  });
  assert.deepEqual(Object.keys(await documents('e')), ['3x']);
  assert.equal((await ask('GET /e/_doc/3x?routing=r', undefined, as)).body._routing, 'r');
});

test('a script without an id gets new ones', async () => {
  await reindex({ ...plain, script: { source: 'ctx._id = null' } });
  const ids = Object.keys(await documents('d'));
  assert.equal(ids.length, 5);
  assert.ok(ids.every((id) => id.length === 20));
});

const scripts: readonly (readonly [string, RegExp])[] = [
  ['ctx.foo = 1', /^400 illegal_argument_exception: Invalid fields added to context \[foo\]/],
  ['ctx._now = 5', /Invalid fields added to context \[_now\]/],
  ["ctx.op = 'create'", /Operation type \[create\] not allowed, only \[noop, index, delete\] are allowed/],
  ["ctx._version = 'a'", /_version may only be set to an int or a long but was \[a\]/],
  ['ctx._version = 7', /^400 action_request_validation_exception: .*internal versioning can not be used/],
  ['ctx._index = null', /Can't reindex without a destination index!/],
  ['ctx._source.x =', /^400 script_exception: compile error/],
];
for (const [source, reason] of scripts)
  test(`the script ${source} is refused`, onlyEmbedded('a cluster has other words'), async () => {
    assert.match(await refusal({ ...plain, script: { source } }), reason);
    assert.equal((await ask('HEAD /d', undefined, as)).status, 404);
  });

const refusals: readonly (readonly [unknown, string])[] = [
  [undefined, '400 parse_exception: request body is required'],
  [
    {},
    '400 action_request_validation_exception: Validation Failed: 1: use _all if you really want to copy from all existing indexes;2: index must be specified;',
  ],
  [
    { source: { index: 'src' }, dest: { index: 'src' } },
    '400 action_request_validation_exception: Validation Failed: 1: reindex cannot write into an index its reading from [src];',
  ],
  [
    { source: { index: 'none' }, dest: { index: 'd' } },
    '404 index_not_found_exception: no such index [none]',
  ],
  [
    { ...plain, max_docs: 0 },
    '400 x_content_parse_exception: [1:59] [reindex] failed to parse field [max_docs] < illegal_argument_exception: [max_docs] should be >= [slices]',
  ],
  [
    { ...plain, dest: { index: 'd', op_type: 'update' } },
    "400 x_content_parse_exception: [1:57] [reindex] failed to parse field [dest] < x_content_parse_exception: [1:57] [dest] failed to parse field [op_type] < illegal_argument_exception: opType must be 'create' or 'index', found: [update]",
  ],
  [
    { ...plain, dest: { index: 'd', version_type: 'foo' } },
    '400 x_content_parse_exception: [1:62] [reindex] failed to parse field [dest] < x_content_parse_exception: [1:62] [dest] failed to parse field [version_type] < illegal_argument_exception: No version type match [foo]',
  ],
  [
    { ...plain, dest: { index: 'd', routing: 'foo' } },
    '400 action_request_validation_exception: Validation Failed: 1: routing must be unset, [keep], [discard] or [=<some new value>];',
  ],
  [{ ...plain, foo: 1 }, '400 x_content_parse_exception: [1:48] [reindex] unknown field [foo]'],
  [
    { ...plain, dest: 'a' },
    "400 x_content_parse_exception: [1:34] [reindex] dest doesn't support values of type: VALUE_STRING",
  ],
  [
    { ...plain, source: { index: 'src', _source: false } },
    '400 action_request_validation_exception: Validation Failed: 1: _source:false is not supported in this context;',
  ],
  [
    { ...plain, source: { index: 'src', from: 2 } },
    '400 action_request_validation_exception: Validation Failed: 1: using [from] is not allowed in a scroll context;2: from is not supported in this context;',
  ],
  [
    { ...plain, source: { index: 'src', size: 0 } },
    '400 action_request_validation_exception: Validation Failed: 1: [size] cannot be [0] in a scroll context;',
  ],
];
for (const [body, reason] of refusals)
  test(`the body ${JSON.stringify(body)} is refused`, onlyEmbedded('places differ'), async () => {
    assert.equal(await refusal(body), reason);
  });

test('an alias as destination: its write index, and only an alias if that is required', async () => {
  await ask('PUT /d', { aliases: { a: {} } }, as);
  assert.match(
    await refusal({ source: { index: 'd' }, dest: { index: 'a' } }),
    /cannot write into an index its reading from/,
  );
  assert.match(await refusal(plain, 'require_alias=true'), /^404 index_not_found.*\[d\] is not an alias/);
  assert.equal((await reindex({ ...plain, dest: { index: 'a' } }, '&require_alias=true')).created, 5);
  assert.equal(Object.keys(await documents('d')).length, 5);
});

test('an index without sources cannot be copied', async () => {
  await ask('PUT /d', { mappings: { _source: { enabled: false } } }, as);
  await ask('PUT /d/_doc/1?refresh=true', { a: 1 }, as);
  const body = { source: { index: 'd' }, dest: { index: 'e' } };
  assert.equal(await refusal(body), "400 illegal_argument_exception: [d][1] didn't store _source");
});

test(
  'a key copies what it sees to where it may write',
  onlyEmbedded('a cluster refuses keys with restrictions'),
  async () => {
    const key = async (rights: Document): Promise<Record<string, string>> => {
      const made = await ask('POST /api/keys', { name: 'k', scopes: ['search:write'], ...rights }, as);
      assert.equal(made.status, 201, made.text);
      return { authorization: `Bearer ${made.body.token}` };
    };
    const named = await key({ index_patterns: ['src'] });
    const away = await ask('POST /_reindex', plain, named);
    assert.equal(away.status, 403, away.text);
    assert.equal(away.body.failures[0].cause.type, 'security_exception');
    const other = await key({ index_patterns: ['d', 'e'] });
    assert.equal((await ask('POST /_reindex', plain, other)).status, 403);
    await ask('PUT /d', { mappings: { properties: { t: { type: 'keyword' } } } }, as);
    const filtered = await key({ document_filter: { term: { t: 't2' } } });
    const seen = await ask('POST /_reindex?refresh=true', plain, filtered);
    assert.deepEqual([seen.status, seen.body.created], [200, 1], seen.text);
    assert.deepEqual(Object.keys(await documents('d')), ['2']);
    const reader = await key({ scopes: ['search:read'] });
    assert.equal((await ask('POST /_reindex', plain, reader)).status, 403);
  },
);
