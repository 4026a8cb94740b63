// Paging over a point in time meets every document, although nearly all of them tie and the index changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';
import { onlyEmbedded, TEST_DOCUMENTS } from './over-cluster.ts';

const { ask } = await server();
const DOCUMENTS = 230;

interface Shown {
  _index: string;
  _id: string;
  sort: unknown[];
}

/** Walks in pages of 7, changing documents between pages; gives `index/id` of what was shown. */
async function walk(pit: object, sort: unknown, own = Number.POSITIVE_INFINITY): Promise<string[]> {
  const seen: string[] = [];
  let after: unknown[] | undefined;
  for (let page = 0; page < 100; page++) {
    const body = { pit, sort, size: 7, ...(after === undefined ? {} : { search_after: after }) };
    const reply = await ask('POST /_search', body);
    assert.equal(reply.status, 200, reply.text);
    const hits = reply.body.hits.hits as Shown[];
    if (hits.length === 0) return seen;
    for (const hit of hits) seen.push(`${hit._index}/${hit._id}`);
    after = hits.at(-1)?.sort.slice(0, own);
    if (page % 5 === 0) {
      await ask(`PUT /t0/_doc/${page}`, { n: 7 });
      await ask(`DELETE /t1/_doc/${page + 1}`);
    }
    if (page % 9 === 0) await ask('POST /t0/_forcemerge');
  }
  throw new Error('the walk does not end');
}

async function fill(): Promise<Set<string>> {
  await ask('DELETE /t0,t1?ignore_unavailable=true');
  const lines: object[] = [];
  const all = new Set<string>();
  for (let i = 0; i < DOCUMENTS; i++) {
    const index = `t${i % 2}`;
    lines.push({ index: { _index: index, _id: `${i >> 1}` } }, { n: i < 200 ? 1 : 2, s: 'same' });
    all.add(`${index}/${i >> 1}`);
  }
  const reply = await ask('POST /_bulk', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  assert.equal(reply.body.errors, false);
  return all;
}

/** Over a cluster ties are its own, and an OpenSearch breaks none: there every sort names what is unique. */
const TIEBREAK = TEST_DOCUMENTS === undefined ? [] : ['_id', '_index'];
const SORTS = [
  ['n'],
  'n',
  [{ n: 'desc' }, '_score'],
  [{ n: 'asc', 's.keyword': 'desc' }],
  ['_id'],
  ['_doc'],
].map((sort) => (TIEBREAK.length === 0 ? sort : [sort, TIEBREAK].flat()));

test('OpenSearch: nothing is missed and nothing comes twice, over two indices', async () => {
  for (const sort of SORTS) {
    const all = await fill();
    const { pit_id: id } = (await ask('POST /t0,t1/_search/point_in_time?keep_alive=1m')).body;
    const seen = await walk({ id }, sort);
    assert.deepEqual([seen.length, new Set(seen)], [DOCUMENTS, all], JSON.stringify(sort));
  }
});

test('Elasticsearch: the same', async () => {
  for (const sort of SORTS) {
    const all = await fill();
    const { id } = (await ask('POST /t0,t1/_pit?keep_alive=1m')).body;
    const seen = await walk({ id }, sort);
    assert.deepEqual([seen.length, new Set(seen)], [DOCUMENTS, all], JSON.stringify(sort));
  }
});

test(
  'values without the tiebreak: after the last tie in OpenSearch, an error in Elasticsearch',
  onlyEmbedded('ties are its own'),
  async () => {
    await fill();
    const { pit_id: pit } = (await ask('POST /t0,t1/_search/point_in_time?keep_alive=1m')).body;
    const seen = await walk({ id: pit }, ['n'], 1);
    assert.equal(seen.length, 14);
    const { id } = (await ask('POST /t0,t1/_pit?keep_alive=1m')).body;
    const refused = await ask('POST /_search', { pit: { id }, sort: ['n'], search_after: [1] });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /search_after has 1 value\(s\) but sort has 2/);
  },
);

test('a sort that is total already shows no value more; nor does a collapsed one', async () => {
  await fill();
  const { pit_id: id } = (await ask('POST /t0/_search/point_in_time?keep_alive=1m')).body;
  for (const sort of [['_id'], ['n', '_id'], ['_doc']]) {
    const { body } = await ask('POST /_search', { pit: { id }, sort, size: 1 });
    assert.equal(body.hits.hits[0].sort.length, sort.length);
  }
  const groups = { pit: { id }, sort: ['n'], collapse: { field: 'n' } };
  const { body } = await ask('POST /_search', groups);
  assert.deepEqual(
    body.hits.hits.map((hit: Shown) => hit.sort),
    [[1], [2]],
  );
});
