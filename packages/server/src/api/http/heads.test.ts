// The small parts that read and write header fields.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesTag } from '../../http/entity-tags.ts';
import { accepts } from './accept.ts';
import { etagOf } from './etag.ts';
import { linkHeader } from './links.ts';
import { PathTable } from './path-table.ts';

test('Accept', () => {
  const json = ['application/json'];
  for (const header of [
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON;q=1',
    'application/*',
    'application/json; charset=utf-8',
    'text/html, application/json;profile="a,b";q=0.3',
    'application/json;version=1, */*;q=0',
  ])
    assert.equal(accepts(header, json), true, header);
  for (const header of [
    'text/html',
    'application/json;q=0, */*',
    'application/*;q=0, */*;q=1',
    'text/*',
    'application/json;v=1;q=0, */*',
  ])
    assert.equal(accepts(header, json), false, header);
});

test('ETags: tokens do not count, callers and contents do', () => {
  const page = (token: string, name: string): string =>
    JSON.stringify({ items: [{ name }], next_token: `v1.k1.${token}` });
  assert.equal(etagOf(page('abc', 'x'), 'a'), etagOf(page('xyz', 'x'), 'a'));
  assert.notEqual(etagOf(page('abc', 'x'), 'a'), etagOf(page('abc', 'x'), 'b'));
  assert.notEqual(etagOf(page('abc', 'x'), 'a'), etagOf(page('abc', 'y'), 'a'));
  // A text that looks like a token is escaped in JSON, and stays.
  const quoted = (token: string): string => page('abc', `"next_token":"v1.k1.${token}"`);
  assert.notEqual(etagOf(quoted('a'), 'a'), etagOf(quoted('b'), 'a'));
  const tag = etagOf('x', 'a');
  assert.equal(matchesTag(`"no", ${tag}`, tag), true);
  assert.equal(matchesTag('"no"', tag), false);
  assert.equal(matchesTag(undefined, tag), false);
});

test('Link: relative, with what was asked for and what differs', () => {
  assert.equal(linkHeader('/api/a', {}), undefined);
  assert.equal(
    linkHeader('/api/a/?author=x%20y&max_id=5', {
      next: { max_id: 9 },
      first: { max_id: undefined },
      prev: undefined,
    }),
    '</api/a/?author=x+y&max_id=9>; rel="next", </api/a/?author=x+y>; rel="first"',
  );
});

test('methods of a path', () => {
  const paths = new PathTable();
  paths.add('GET', '/api/a/:id');
  paths.add(['PUT', 'DELETE'], '/api/a/:id');
  paths.add('POST', '/api/a/b');
  assert.deepEqual(paths.allowed('/api/a/x/'), ['DELETE', 'GET', 'OPTIONS', 'PUT']);
  assert.deepEqual(paths.allowed('/api/a/b'), ['OPTIONS', 'POST']);
  assert.deepEqual(paths.allowed('/api/a//'), []);
  assert.deepEqual(paths.allowed('/api/a'), []);
});
