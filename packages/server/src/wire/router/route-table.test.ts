// Paths lead to the routes that a plain comparison of segments finds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ROUTES } from '../routes.ts';
import type { Route } from './route.ts';
import { RouteTable } from './route-table.ts';

const route = (methods: Route['methods'], path: string): Route => ({
  methods,
  path,
  params: [],
  handle: () => ({}),
});
const table = new RouteTable([
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
  const found = table.find(method, path);
  return found.route === undefined
    ? found.allowed.join()
    : `${found.route.path} ${Object.values(found.path).join()}`.trim();
};

test('literal segments win, with a step back where they lead nowhere', () => {
  assert.equal(find('GET', '/'), '/');
  assert.equal(find('GET', '/a'), '/{index} a');
  assert.equal(find('GET', '/a//'), '/{index} a');
  assert.equal(find('GET', '//'), '/');
  assert.equal(find('POST', '/_search'), '/_search');
  assert.equal(find('PUT', '/a/_doc/1'), '/{index}/_doc/{id} a,1');
  assert.equal(find('PUT', '/a/book/1'), '/{index}/{type}/{id} a,book,1');
  assert.equal(find('GET', '/_cat/indices/x'), '/_cat/indices/{name} x');
});

test('types do not begin with an underscore, wrong methods are told apart from unknown paths', () => {
  assert.equal(find('PUT', '/a/_foo/1'), '');
  assert.equal(find('POST', '/_foo/bar'), '');
  assert.equal(find('DELETE', '/a/_search'), 'GET,POST');
  assert.equal(find('BREW', '/a/_search'), 'GET,POST');
  assert.equal(find('GET', '/a//x'), '');
});

test('variables are decoded once, and end at a slash only', () => {
  assert.equal(find('PUT', '/a/_doc/x%2Fy'), '/{index}/_doc/{id} a,x/y');
  assert.equal(find('PUT', '/a/_doc/%2525'), '/{index}/_doc/{id} a,%25');
  assert.equal(find('PUT', '/a/_doc/a#b;c'), '/{index}/_doc/{id} a,a#b;c');
  assert.equal(find('PUT', `/a/_doc/${'x'.repeat(9_000)}`), `/{index}/_doc/{id} a,${'x'.repeat(9_000)}`);
  assert.equal(find('PUT', '/a/%5Fdoc/1'), '/{index}/_doc/{id} a,1');
  assert.throws(() => find('PUT', '/a/_doc/%zz'), { type: 'bad_parameter_exception' });
  assert.throws(() => find('PUT', '/a/_doc/%ff'), { type: 'bad_parameter_exception' });
});

/** The routes that fit a path, segment by segment; the one whose first literals come earliest wins. */
function plainly(method: string, uri: string): string {
  const segments = uri.split('/').slice(1).map(decodeURIComponent);
  while (segments.at(-1) === '') segments.pop();
  const patterns = ROUTES.map((each) => ({
    each,
    parts: each.path === '/' ? [] : each.path.slice(1).split('/'),
  }));
  const fitting = patterns
    .filter(
      ({ parts }) =>
        parts.length === segments.length &&
        parts.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i])) &&
        !(parts[0] === '{index}' && parts[1] === '{type}' && segments.slice(0, 2).some((s) => s[0] === '_')),
    )
    .sort((a, b) => {
      const at = a.parts.findIndex((part, i) => part.startsWith('{') !== b.parts[i]!.startsWith('{'));
      return at < 0 ? 0 : a.parts[at]!.startsWith('{') ? 1 : -1;
    });
  const best = fitting.find(({ each }) => (each.methods as readonly string[]).includes(method));
  if (best === undefined) return [...new Set(fitting.flatMap(({ each }) => each.methods))].sort().join();
  const variables = best.parts.flatMap((part, i) => (part.startsWith('{') ? [segments[i]] : []));
  return `${best.each.path} ${JSON.stringify(variables)}`;
}

test('every endpoint is found as a plain comparison of segments finds it', () => {
  const all = new RouteTable(ROUTES);
  const literals = [...new Set(ROUTES.flatMap((each) => each.path.split('/')))].filter((s) => s[0] !== '{');
  const odd = [
    '%2F',
    'a%2Fb',
    '%25',
    '%2525',
    '%252F',
    '%C3%BC',
    '%5Fsearch',
    'a;b',
    'a:b',
    'a+b',
    '*',
    '.',
    '-',
    '_x',
  ];
  const segment = fc.oneof(fc.constantFrom(...literals), fc.constantFrom('a', 'book', ...odd));
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'QUERY', 'BREW');
  fc.assert(
    fc.property(method, fc.array(segment, { maxLength: 6 }), (verb, segments) => {
      const uri = `/${segments.join('/')}`;
      const found = all.find(verb, uri);
      const got =
        found.route === undefined
          ? [...found.allowed].sort().join()
          : `${found.route.path} ${JSON.stringify(Object.values(found.path))}`;
      assert.equal(got, plainly(verb, uri));
    }),
    { numRuns: 3_000 },
  );
});
