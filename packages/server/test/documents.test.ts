// Single documents over HTTP: statuses, members and errors of OpenSearch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const { ask } = await server();

test('index, get, source, head, delete', async () => {
  // A cluster has another number of replicas by default.
  await ask('PUT /a1', { settings: { number_of_replicas: 1 } });
  const made = await ask('PUT /a1/_doc/1?refresh=true', { n: 1 });
  assert.equal(made.status, 201);
  assert.equal(made.headers['location'], '/a1/_doc/1');
  assert.deepEqual(made.body, {
    _index: 'a1',
    _id: '1',
    _version: 1,
    result: 'created',
    forced_refresh: true,
    _shards: { total: 2, successful: 1, failed: 0 },
    _seq_no: 0,
    _primary_term: 1,
  });
  assert.equal((await ask('PUT /a1/_doc/1', { n: 2 })).body.result, 'updated');
  const got = await ask('GET /a1/_doc/1');
  assert.equal(
    got.text,
    '{"_index":"a1","_id":"1","_version":2,"_seq_no":1,"_primary_term":1,"found":true,"_source":{"n":2}}',
  );
  assert.equal((await ask('GET /a1/_source/1')).text, '{"n":2}');
  assert.equal((await ask('HEAD /a1/_doc/1')).status, 200);
  assert.equal((await ask('HEAD /a1/_source/9')).status, 404);
  assert.equal((await ask('DELETE /a1/_doc/1')).body.result, 'deleted');
  assert.equal((await ask('DELETE /a1/_doc/1')).status, 404);
  assert.deepEqual((await ask('GET /a1/_doc/1')).body, { _index: 'a1', _id: '1', found: false });
  assert.equal((await ask('GET /a1/_source/1')).body.error.reason, 'Document not found [a1]/[1]');
});

test('stored bytes come back as they were sent', async () => {
  const source = '{ "big": 9007199254740993, "x": 1.0 , "u":"é\\u00e9" }';
  await ask('PUT /raw/_doc/1', source);
  assert.equal((await ask('GET /raw/_source/1')).text, source);
});

test('conflicts and contradictions', onlyEmbedded('other details in errors'), async () => {
  await ask('PUT /c/_doc/1', {});
  const conflict = await ask('PUT /c/_create/1', {});
  assert.equal(conflict.status, 409);
  assert.deepEqual(conflict.body.error.root_cause[0], {
    type: 'version_conflict_engine_exception',
    reason: '[1]: version conflict, document already exists (current version [1])',
    index: 'c',
    shard: '0',
    index_uuid: (await ask('GET /_cat/indices/c?format=json')).body[0].uuid,
  });
  const lonely = await ask('PUT /c/_doc/1?if_seq_no=5', {});
  assert.equal(lonely.body.error.reason, 'Validation Failed: 1: ifSeqNo is set, but primary term is [0];');
  const internal = await ask('PUT /c/_doc/1?version=5', {});
  assert.match(internal.body.error.reason, /internal versioning can not be used/);
  const kind = await ask('PUT /c/_doc/1?op_type=foo', {});
  assert.equal(kind.body.error.reason, "opType must be 'create' or 'index', found: [foo]");
  assert.equal(
    (await ask('PUT /c/_doc/1?refresh=foo', {})).body.error.reason,
    'Unknown value for refresh: [foo].',
  );
  assert.equal((await ask('POST /c/_doc')).body.error.reason, 'request body is required');
  assert.equal((await ask(`PUT /c/_doc/${'x'.repeat(513)}`, {})).status, 400);
  assert.equal((await ask('PUT /c/_doc/2?version=7&version_type=external', {})).body._version, 7);
  assert.equal((await ask('GET /c/_doc/2?version=3')).status, 409);
});

test('partial updates', onlyEmbedded('other words for bodies that do not parse'), async () => {
  await ask('PUT /u/_doc/1', { a: 1 });
  const noop = await ask('POST /u/_update/1', { doc: { a: 1 } });
  assert.deepEqual([noop.body.result, noop.body._shards.total], ['noop', 0]);
  const changed = await ask('POST /u/_update/1?_source', { doc: { a: 2 } });
  assert.deepEqual(changed.body.get, { _seq_no: 1, _primary_term: 1, found: true, _source: { a: 2 } });
  assert.equal((await ask('POST /u/_update/2', { doc: { a: 2 } })).status, 404);
  assert.equal((await ask('POST /u/_update/2', { doc: {}, upsert: { b: 1 } })).status, 201);
  const reasons: [unknown, string][] = [
    [{}, 'Validation Failed: 1: script or doc is missing;'],
    [{ doc: {}, script: 'x' }, "Validation Failed: 1: can't provide both script and doc;"],
    [{ foo: 1 }, '[UpdateRequest] unknown field [foo]'],
    [{ script: 'x' }, 'failed to execute script'],
  ];
  for (const [body, reason] of reasons) {
    assert.equal((await ask('POST /u/_update/1', body)).body.error.reason, reason);
  }
});

test('typed documents keep their type', onlyEmbedded('no types'), async () => {
  const made = await ask('PUT /t/book/1', { a: 1 });
  assert.equal(made.body._type, 'book');
  assert.equal(made.headers['location'], '/t/book/1');
  assert.equal((await ask('GET /t/book/1')).body._type, 'book');
  assert.equal((await ask('GET /t/film/1')).body.found, false);
  assert.equal((await ask('POST /t/book', { a: 2 })).status, 201);
  await ask('PUT /t/_doc/9', { a: 1 });
  assert.equal((await ask('GET /t/book/_search')).body.hits.total.value, 2);
  assert.equal((await ask('GET /t/_doc/_search')).body.hits.total.value, 3);
  assert.equal(
    (await ask('POST /t/_foo', {})).body.error,
    'no handler found for uri [/t/_foo] and method [POST]',
  );
  assert.equal((await ask('PUT /t/_foo/1', {})).status, 400);
});

test('source filters', async () => {
  await ask('PUT /s/_doc/1', { a: 1, o: { x: 1, y: 2 } });
  assert.deepEqual((await ask('GET /s/_doc/1?_source=o.x')).body._source, { o: { x: 1 } });
  assert.deepEqual((await ask('GET /s/_doc/1?_source_excludes=o')).body._source, { a: 1 });
  assert.equal('_source' in (await ask('GET /s/_doc/1?_source=false')).body, false);
  assert.equal((await ask('GET /s/_source/1?_source=false')).status, 400);
});

test('many at once', async () => {
  await ask('PUT /m/_doc/1', { a: 1 });
  const got = await ask('GET /_mget', {
    docs: [
      { _index: 'm', _id: 1 },
      { _index: 'none', _id: '2' },
    ],
  });
  assert.equal(got.body.docs[0].found, true);
  assert.equal(got.body.docs[1].error.type, 'index_not_found_exception');
  assert.equal((await ask('GET /m/_mget', { ids: ['1', '2'] })).body.docs[1].found, false);
  const missing = await ask('GET /_mget', { docs: [{ _id: '1' }] });
  assert.equal(missing.body.error.reason, 'Validation Failed: 1: index is missing for doc 0;');
  assert.equal(
    (await ask('GET /m/_mget', {})).body.error.reason,
    'Validation Failed: 1: no documents to get;',
  );
});
