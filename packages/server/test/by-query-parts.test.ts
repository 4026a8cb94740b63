// A change by query changes only its part: a slice, the first in an order, the documents before a search
// would stop.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();
const all = { query: { match_all: {} } };

beforeEach(async () => {
  await ask('DELETE /parts?ignore_unavailable=true');
  const lines = Array.from({ length: 20 }, (_, n) => [{ index: { _id: String(n) } }, { n: 100 - n }]);
  const body = lines.flat().map((line) => `${JSON.stringify(line)}\n`);
  await ask('POST /parts/_bulk?refresh=true', body.join(''));
});

const left = async (): Promise<number[]> => {
  const { body } = await ask('POST /parts/_search', { size: 100, sort: ['n'] });
  return body.hits.hits.map((hit: { _source: { n: number } }) => hit._source.n);
};
const deleted = async (query: string, body: object): Promise<number> => {
  const answer = await ask(`POST /parts/_delete_by_query?refresh=true&${query}`, { ...all, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.deleted;
};

test('slices are parts of the whole', async () => {
  const first = await deleted('scroll_size=3', { slice: { id: 0, max: 2 } });
  assert.ok(first > 0 && first < 20, `${first} of 20`);
  assert.equal((await left()).length, 20 - first);
  assert.equal(await deleted('scroll_size=3', { slice: { id: 1, max: 2 } }), 20 - first);
});

for (const [name, query, body] of [
  ['the body', 'max_docs=3', { sort: ['n'] }],
  ['a parameter', 'max_docs=3&sort=n:asc', {}],
] as const)
  test(`the first in the order of ${name}`, async () => {
    assert.equal(await deleted(`scroll_size=2&${query}`, body), 3);
    assert.deepEqual((await left()).slice(0, 2), [84, 85]);
  });

test('a search that stops early finds no more to change', async () => {
  assert.equal(await deleted('scroll_size=2&terminate_after=3', {}), 3);
  assert.equal((await left()).length, 17);
});

test('a pipeline that is not there, copies that are not there, and a place to begin at are refused', async () => {
  for (const query of ['pipeline=nope', 'wait_for_active_shards=x', 'from=3'])
    assert.equal((await ask(`POST /parts/_update_by_query?${query}`, all)).status, 400, query);
});
