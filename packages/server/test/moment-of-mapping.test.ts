// All pages of a scroll read the indices as they were at its first page, while mappings, settings and names
// change: otherwise later pages would be pages of another list.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Engine, SearchRequest } from '@octavo/engine';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';

const DOCS = 120;
const { ask, engine } = await server();
const own: Engine['search'] = engine.search.bind(engine);
const { skip } = onlyEmbedded('what it keeps of a scroll is its own');

async function begin(): Promise<void> {
  if (skip) return;
  engine.search = own;
  for (const index of ['a', 'b']) {
    await ask(`DELETE /${index}`);
    const properties = { t: { type: 'text' }, g: { type: 'keyword' } };
    await ask(`PUT /${index}`, { mappings: { dynamic: false, properties } });
    const lines = Array.from({ length: DOCS }, (_, n) => {
      const source = { t: `Red ${'x '.repeat(n % 5)}`, g: `g${n % 3}` };
      return `{"index":{"_id":"${index}${n}"}}\n${JSON.stringify(source)}\n`;
    });
    await ask(`POST /${index}/_bulk`, lines.join(''));
  }
  await ask('POST /_aliases', { actions: [{ add: { index: 'a', alias: 'moving' } }] });
}

beforeEach(begin);

const red = { match: { t: 'Red' } };
const mapAlias = () => ask('PUT /a/_mapping', { properties: { also: { type: 'alias', path: 'g' } } });
const mapAnalyzer = () =>
  ask('PUT /a/_mapping', { properties: { t: { type: 'text', search_analyzer: 'keyword' } } });
const setField = () => ask('PUT /a/_settings', { 'index.query.default_field': 'g' });
const moveAlias = () =>
  ask('POST /_aliases', {
    actions: [{ remove: { index: 'a', alias: 'moving' } }, { add: { index: 'b', alias: 'moving' } }],
  });

const CASES: readonly (readonly [string, object, () => Promise<{ status: number }>])[] = [
  ['a', { bool: { must: [red], must_not: [{ term: { also: 'g1' } }] } }, mapAlias],
  ['a', red, mapAnalyzer],
  ['a', { query_string: { query: 'Red' } }, setField],
  ['a,b', { bool: { must: [red], filter: [{ term: { _index: 'moving' } }] } }, moveAlias],
  ['a,b', { bool: { must: [red], must_not: [{ prefix: { _index: 'mov' } }] } }, moveAlias],
];

for (const sort of [undefined, ['_doc'], [{ g: 'desc' }]]) {
  test(`a scroll goes on with what its query meant, sorted by ${JSON.stringify(sort)}`, {
    skip,
  }, async () => {
    for (const [target, query, change] of CASES) {
      const asked = { query, ...(sort && { sort }) };
      const whole = await ask(`POST /${target}/_search`, { ...asked, size: 2 * DOCS });
      const shown = JSON.stringify(query);
      assert.equal(whole.body.hits.hits.length, DOCS, shown);
      let page = await ask(`POST /${target}/_search?scroll=1m`, { ...asked, size: 25 });
      const first = page;
      const found: unknown[] = [];
      for (let seq = 1; page.body.hits.hits.length > 0; seq++) {
        assert.deepEqual(page.body.hits.total, whole.body.hits.total, shown);
        found.push(...page.body.hits.hits);
        if (seq === 2) assert.equal((await change()).status, 200);
        if (seq === 3) {
          await ask('PUT /a/_doc/a7', { t: 'Red', g: 'g1' });
          await ask(`POST /${target}/_forcemerge?max_num_segments=1`);
        }
        // One that is opened meanwhile means what the query means now.
        const now = seq === 2 && (await ask(`POST /${target}/_search?scroll=1m`, { ...asked, size: 25 }));
        page = await ask('POST /_search/scroll', { scroll: '1m', scroll_id: first.body._scroll_id });
        const anew = now && (await ask(`POST /${target}/_search`, { ...asked, from: 25, size: 25 }));
        if (!now || !anew) continue;
        const behind = await ask('POST /_search/scroll', { scroll: '1m', scroll_id: now.body._scroll_id });
        assert.deepEqual(behind.body.hits.hits, anew.body.hits.hits, shown);
        assert.notDeepEqual(anew.body.hits.hits, page.body.hits.hits, shown);
      }
      assert.deepEqual(found, whole.body.hits.hits, shown);
      await begin();
    }
  });
}

test('what changes by query is what the query meant when it began', { skip }, async () => {
  for (const [target, query, change] of CASES) {
    let pages = 0;
    engine.search = async (request: SearchRequest) => {
      const result = await own(request);
      if (++pages === 2) assert.equal((await change()).status, 200);
      return result;
    };
    const { body, text } = await ask(`POST /${target}/_delete_by_query?scroll_size=25`, { query });
    assert.equal(body.deleted, DOCS, text);
    await begin();
  }
});

test('values that a query looks up elsewhere are those of the opening, whatever becomes of them', {
  skip,
}, async () => {
  const changes = [
    () => ask('PUT /looked-up/_doc/1', { groups: ['g0', 'g1', 'g2'] }),
    () => ask('DELETE /looked-up/_doc/1'),
    () => ask('DELETE /looked-up'),
  ];
  for (const change of changes) {
    await ask('PUT /looked-up/_doc/1?refresh=true', { groups: ['g0', 'g1'] });
    const query = { bool: { filter: { terms: { g: { index: 'looked-up', id: '1', path: 'groups' } } } } };
    let page = (await ask('POST /a/_search?scroll=1m', { size: 30, query })).body;
    await change();
    const seen = new Set<string>();
    for (; page.hits.hits.length > 0; ) {
      assert.equal(page.hits.total.value, (2 * DOCS) / 3);
      for (const { _id } of page.hits.hits) assert.ok(!seen.has(_id) && seen.add(_id));
      page = (await ask('POST /_search/scroll', { scroll: '1m', scroll_id: page._scroll_id })).body;
    }
    assert.equal(seen.size, (2 * DOCS) / 3);
  }
});
