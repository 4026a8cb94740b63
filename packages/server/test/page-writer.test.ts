// Pages written as bytes say what pages made as trees say. Each of many bodies is asked as a tree
// (`pretty=false`), as bytes, and as bytes again, when it has been parsed already: the three are the same,
// whether there are hits or an error.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { server } from './ask.ts';
import { eventually } from './eventually.ts';

const DOCS = 60;
const WORDS = ['red', 'green', 'blue', 'dark', 'light', 'deep'];

const { ask: request, engine } = await server();

before(async () => {
  const properties = {
    n: { type: 'integer' },
    tag: { type: 'keyword' },
    text: { type: 'text' },
    score: { type: 'float' },
  };
  await engine.indices.create('colours', { mappings: { properties }, aliases: { paints: {} } });
  await engine.write(
    Array.from({ length: DOCS }, (_, n) => {
      const words = WORDS.filter((_, w) => (n >> w) & 1 || n % (w + 2) === 0);
      const source = {
        n,
        tag: WORDS[n % 6],
        text: words.join(' '),
        score: Math.fround(n / 7),
        list: [n, n + 1],
      };
      return { kind: 'index', index: 'colours', id: `c${n}`, source: Buffer.from(JSON.stringify(source)) };
    }),
  );
});

async function ask(target: string, body: string): Promise<string> {
  const { status, text } = await request(`POST ${target}`, body);
  const same = text
    .replace(/"took":\d+/, '"took":0')
    .replaceAll(/"(next_token|prev_token)":"[^"]+"/g, '"$1":"…"');
  return `${status} ${same}`;
}

const QUERIES: readonly object[] = [
  { match_all: {} },
  { match_none: {} },
  { match: { text: 'red' } },
  { match: { text: { query: 'red blue', operator: 'and' } } },
  { match: { nowhere: 'red' } },
  { match_phrase: { text: 'green blue' } },
  { multi_match: { query: 'dark', fields: ['text', 'tag'] } },
  { term: { tag: 'blue' } },
  { terms: { tag: ['blue', 'deep'] } },
  { terms: { tag: { index: 'colours', id: 'c1', path: 'tag' } } },
  { range: { n: { gte: 10, lt: 30 } } },
  { range: { n: { gte: 'ten' } } },
  { prefix: { tag: 'd' } },
  { wildcard: { tag: '*e*' } },
  { exists: { field: 'score' } },
  { ids: { values: ['c3', 'c4', 'none'] } },
  {
    bool: {
      must: [{ match: { text: 'light' } }],
      filter: [{ range: { n: { lt: 40 } } }],
      must_not: [{ term: { tag: 'red' } }],
    },
  },
  { bool: { should: [{ term: { tag: { value: 'red', _name: 'is red' } } }], minimum_should_match: 1 } },
  { constant_score: { filter: { term: { tag: 'green' } }, boost: 3.5 } },
  { function_score: { query: { match: { text: 'red' } }, boost: 2 } },
  { query_string: { query: 'text:(red OR blue) AND n:[1 TO 20]' } },
  { no_such_query: {} },
  { match: {} },
  { term: { tag: 'blue' }, range: { n: {} } },
];
const LISTS: readonly object[] = [
  {},
  { size: 3 },
  { size: 0 },
  { size: -1 },
  { size: 1_000_000_000 },
  { from: 5, size: 4 },
  { from: -5 },
  { from: '7', size: 2 },
  { page: 2, size: 5 },
  { page: 0, size: 5 },
  { page: 2, from: 3 },
  { sort: ['n'] },
  { sort: [{ tag: 'desc' }, { n: 'asc' }], size: 7 },
  { sort: [{ score: { order: 'desc', missing: '_first' } }], track_scores: true },
  { sort: ['_score', 'n'] },
  { sort: ['text'] },
  { sort: [{ n: 'sideways' }] },
  { sort: ['n'], search_after: [17], size: 4 },
  { sort: ['n'], search_after: ['17'], from: 0 },
  { sort: ['n'], search_after: [17, 18] },
  { sort: ['n'], search_after: [null] },
  { sort: [{ tag: 'asc' }, { n: 'asc' }], search_after: ['dark', 20.0] },
  { search_after: [1] },
  { sort: ['n'], tokens: true, size: 5 },
  { tokens: true, size: 5 },
  { next_token: 'nonsense' },
  { track_total_hits: false },
  { track_total_hits: 7 },
  { track_total_hits: 'many' },
  { min_score: 0.5 },
  { post_filter: { term: { tag: 'dark' } } },
  { _source: false },
  { _source: ['n', 'l*'] },
  { _source: { excludes: ['text'] }, sort: ['n'] },
  { stored_fields: ['_none_'] },
  { docvalue_fields: ['tag'] },
  { fields: ['n'] },
  { version: true, seq_no_primary_term: true },
  { explain: true, size: 1 },
  { collapse: { field: 'tag' } },
  { timeout: '1s' },
  { terminate_after: 3 },
  { indices_boost: [{ colours: 2 }] },
  { rescore: { window_size: 3, query: { rescore_query: { match_all: {} } } } },
  { highlight: { fields: { text: {} } } },
  { no_such_member: 1 },
  { slice: { id: 0, max: 2 } },
];
const ODD: readonly string[] = [
  '',
  '{}',
  ' {}',
  '\uFEFF{}',
  '[]',
  'null',
  '{"size":2',
  '{"size":2}}',
  '{"size":2,"size":3}',
  '{"si\\u007ae":2}',
  '{"query":{"match":{"text":"r\\u0065d"}}}',
  `{"query":${'{"bool":{"must":'.repeat(2_000)}{"match_all":{}}${'}}'.repeat(2_000)}}`,
  `{"query":{"match":{"text":"${'red '.repeat(1_000)}"}}}`,
  `{"query":{"match":{"text":"${'red '.repeat(1_100)}"}}}`,
  '{"from":01}',
  '{"from":1e0,"size":2}',
  '{"from":5,"size":2}',
  '{"from":5\u000b,"size":2}',
  '{"from":5\u00a0,"size":2}',
  '{"query":{"x\\ud800y":{"t":"a"}}}',
];

test('bytes and trees are the same', async () => {
  const bodies = [
    ...QUERIES.map((query) => JSON.stringify({ query, size: 20 })),
    ...LISTS.map((list) => JSON.stringify({ query: { match: { text: 'blue' } }, ...list })),
    ...LISTS.map((list) => JSON.stringify(list)),
    ...ODD,
  ];
  const targets = [
    '/colours/_search',
    '/paints/_search',
    '/nowhere/_search',
    '/colours*/_search',
    '/_search',
  ];
  let found = 0;
  for (const target of targets) {
    for (const body of bodies) {
      const tree = await ask(`${target}?pretty=false`, body);
      if (tree.startsWith('200')) found++;
      for (const time of ['first', 'again'])
        assert.equal(await ask(target, body), tree, `${time}: ${target} ${body.slice(0, 300)}`);
    }
  }
  assert.ok(found > 200, `${found} of ${bodies.length * targets.length} have found something`);
});

test('a list that changes is read anew', async () => {
  const body = '{"query":{"term":{"tag":"new"}},"size":5}';
  const put = (n: number): Promise<unknown> =>
    engine.write([{ kind: 'index', index: 'colours', id: `n${n}`, source: Buffer.from('{"tag":"new"}') }]);
  for (let n = 0; n < 3; n++) {
    const { hits } = JSON.parse((await ask('/colours/_search', body)).slice(4));
    assert.equal(hits.total.value, n);
    await put(n);
    assert.equal(JSON.parse((await ask('/colours/_search', body)).slice(4)).hits.total.value, n + 1);
  }
});

test('a position that the clock says moves on', async () => {
  await engine.indices.create('days', { mappings: { properties: { day: { type: 'date' } } } });
  const start = Date.now();
  const days = Array.from({ length: 40 }, (_, n) => start + 250 * n);
  await engine.write(
    days.map((day, n) => {
      return { kind: 'index', index: 'days', id: `${n}`, source: Buffer.from(JSON.stringify({ day })) };
    }),
  );
  for (const now of ['"now"', '"\\u006eow"', '"now-1s"']) {
    const body = `{"sort":[{"day":"asc"}],"search_after":[${now}],"size":1}`;
    const shown = async (): Promise<number> => {
      const { hits } = JSON.parse((await ask('/days/_search', body)).slice(4));
      return hits.hits[0].sort[0];
    };
    let last = 0;
    for (let asked = 0; asked < 4; asked++) last = await shown();
    await eventually(async () => assert.ok((await shown()) > last));
  }
});
