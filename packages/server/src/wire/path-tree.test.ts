import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathTree } from './path-tree.ts';
import type { Route } from './route.ts';

const route = (methods: Route['methods'], path: string): Route => ({
  methods,
  path,
  params: [],
  handle: () => ({}),
});
const tree = new PathTree([
  route(['GET'], '/'),
  route(['GET'], '/{index}'),
  route(['GET', 'POST'], '/{index}/_search'),
  route(['GET', 'POST'], '/_search'),
  route(['GET'], '/_cat/indices/{name}'),
  route(['PUT'], '/{index}/_doc/{id}'),
  route(['PUT'], '/{index}/{type}/{id}'),
  route(['POST'], '/{index}/{type}'),
]);

const find = (method: string, path: string): string => {
  const found = tree.find(method, path === '/' ? [] : path.slice(1).split('/'));
  return found.route === undefined
    ? found.allowed.join()
    : `${found.route.path} ${Object.values(found.path).join()}`.trim();
};

test('literal segments win, with a step back where they lead nowhere', () => {
  assert.equal(find('GET', '/'), '/');
  assert.equal(find('GET', '/a'), '/{index} a');
  assert.equal(find('POST', '/_search'), '/_search');
  assert.equal(find('PUT', '/a/_doc/1'), '/{index}/_doc/{id} a,1');
  assert.equal(find('PUT', '/a/book/1'), '/{index}/{type}/{id} a,book,1');
  assert.equal(find('GET', '/_cat/indices/x'), '/_cat/indices/{name} x');
});

test('types do not begin with an underscore, wrong methods are told apart from unknown paths', () => {
  assert.equal(find('PUT', '/a/_foo/1'), '');
  assert.equal(find('POST', '/_foo/bar'), '');
  assert.equal(find('DELETE', '/a/_search'), 'GET,POST');
  assert.equal(find('GET', '/a//x'), '');
});
