// Open scrolls and points in time are counted, by index and for the node, until they are closed or expire.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { server } from './ask.ts';

const { ask } = await server();

interface Search {
  readonly open_contexts: number;
  readonly scroll_current: number;
  readonly point_in_time_current: number;
}

const counts = (search: Search): number[] => [
  search.open_contexts,
  search.scroll_current,
  search.point_in_time_current,
];

async function figures(): Promise<{ node: number[]; all: number[]; a: number[]; b: number[]; cat: string }> {
  const stats = (await ask('GET /_stats/search')).body;
  const { nodes } = (await ask('GET /_nodes/stats/indices/search')).body;
  const [node] = Object.values(nodes) as { indices: { search: Search } }[];
  const cat = (await ask('GET /_cat/indices/a,b?h=index,search.open_contexts,scc,spc&s=index&format=json'))
    .body as Record<string, string>[];
  return {
    node: counts(node!.indices.search),
    all: counts(stats._all.total.search),
    a: counts(stats.indices.a.total.search),
    b: counts(stats.indices.b.primaries.search),
    cat: cat.map((row) => Object.values(row).join(' ')).join(', '),
  };
}

test('what is open is counted where it was opened', async () => {
  for (const index of ['a', 'b']) await ask(`PUT /${index}/_doc/1`, { n: 1 });
  const none = { node: [0, 0, 0], all: [0, 0, 0], a: [0, 0, 0], b: [0, 0, 0], cat: 'a 0 0 0, b 0 0 0' };
  assert.deepEqual(await figures(), none);
  const scrolls: string[] = [];
  for (const index of ['a', 'a', '*'])
    scrolls.push((await ask(`POST /${index}/_search?scroll=1m`, { size: 1 })).body._scroll_id);
  const pit = (await ask('POST /b/_search/point_in_time?keep_alive=1m')).body.pit_id;
  const elastic = (await ask('POST /a/_pit?keep_alive=1m')).body.id;
  await ask('POST /_search', { pit: { id: pit, keep_alive: '1m' } });
  await ask('POST /_search/scroll', { scroll: '1m', scroll_id: scrolls[0] });
  assert.deepEqual(await figures(), {
    node: [6, 4, 2],
    all: [6, 4, 2],
    a: [4, 3, 1],
    b: [2, 1, 1],
    cat: 'a 4 3 1, b 2 1 1',
  });
  await ask('DELETE /_search/scroll', { scroll_id: [scrolls[0], scrolls[2]] });
  await ask('DELETE /_pit', { id: elastic });
  assert.deepEqual((await figures()).all, [2, 1, 1]);
  await ask('DELETE /_search/scroll/_all');
  await ask('DELETE /_search/point_in_time/_all');
  assert.deepEqual(await figures(), none);
});

test('a scroll that failed or ran out is not counted', async () => {
  assert.equal((await ask('POST /a/_search?scroll=1m', { sort: ['nothing_like_it'] })).status, 400);
  assert.equal((await ask('POST /a/_search?scroll=1ms', { size: 1 })).status, 200);
  while ((await figures()).node[0] !== 0) await after(50);
});

test('what looks at an index ends with it: another one of its name is not what was seen', async () => {
  const documents = Array.from({ length: 30 }, (_, i) => `{"index":{"_id":"old${i}"}}\n{"n":${i}}\n`).join(
    '',
  );
  for (const index of ['gone', 'stays']) await ask(`POST /${index}/_bulk`, documents);
  for (const end of ['DELETE /gone', 'POST /_aliases']) {
    const open = async (index: string): Promise<string> =>
      (await ask(`POST /${index}/_search?scroll=1m`, { size: 5 })).body._scroll_id;
    const scrolls = [await open('gone'), await open('gone,stays')];
    const pit = (await ask('POST /gone/_search/point_in_time?keep_alive=1m')).body.pit_id;
    const other = await open('stays');
    await ask(end, end === 'POST /_aliases' ? { actions: [{ remove_index: { index: 'gone' } }] } : undefined);
    await ask('POST /gone/_bulk', documents.replaceAll('old', 'new'));
    for (const scroll_id of scrolls)
      assert.equal((await ask('POST /_search/scroll', { scroll: '1m', scroll_id })).status, 404);
    assert.equal((await ask('POST /_search', { pit: { id: pit } })).status, 404);
    const still = await ask('POST /_search/scroll', { scroll: '1m', scroll_id: other });
    assert.deepEqual([still.status, still.body.hits.hits.length], [200, 5]);
    const { indices } = (await ask('GET /_stats/search')).body;
    assert.deepEqual(counts(indices.gone.total.search), [0, 0, 0]);
    await ask('DELETE /_search/scroll/_all');
  }
});
