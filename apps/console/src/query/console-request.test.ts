import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyFault, sentRequest } from './console-request.ts';

const BODY = '{"query":{"match_all":{}}}';

test('a search by GET keeps its body, and is sent by POST', () => {
  for (const path of ['/_search', '/a/_search?size=1', '/a/_count', '/a/_explain/1', '_search']) {
    const { method, text, safe } = sentRequest({ method: 'GET', path, body: BODY });
    assert.deepEqual([method, text, safe], ['POST', BODY, true], path);
  }
});

test('other requests by GET have no body', () => {
  for (const path of ['/', '/_cat/indices', '/a/_doc/1', '/_search/point_in_time/_all', '/api/newsfeed'])
    assert.deepEqual(sentRequest({ method: 'GET', path, body: BODY }), { method: 'GET', path, safe: true });
});

test('bulk requests and several searches are lines of JSON', () => {
  const body = '{"index":{}}\n{"a":1}';
  const request = { method: 'POST', path: '/a/_bulk?refresh=true', body };
  assert.equal(bodyFault(request), undefined);
  const { text, headers, safe } = sentRequest(request);
  assert.deepEqual([text, headers, safe], [`${body}\n`, { 'content-type': 'application/x-ndjson' }, false]);
  assert.match(bodyFault({ ...request, body: `${body}\n{"a":` }) ?? '', /^Line 3: /);
  assert.notEqual(bodyFault({ ...request, path: '/a/_search' }), undefined);
});
