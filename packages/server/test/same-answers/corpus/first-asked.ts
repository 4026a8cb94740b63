// Searches of every query kind and with every member of a body, their refusals, and bodies in odd spellings.

import { type Request, request } from '../request.ts';

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

/** Of lists that a place can be added to: other cursors of the same list. */
const PLACES: readonly object[] = [{ from: 2 }, { from: 40 }, { page: 3 }];

/** The places of one list. What is given as a body stands before what says where the page begins, or behind it. */
function places(target: string, body: Record<string, unknown>): Request[] {
  const line = `POST ${target}`;
  const isPlaced = ['from', 'page', 'search_after', 'next_token', 'tokens'].some((name) => name in body);
  const others = isPlaced
    ? []
    : [
        { ...body, ...PLACES[0] },
        { ...PLACES[1], ...body },
        { ...body, ...PLACES[2] },
      ];
  return [body, ...others].map((each) => request(line, each));
}

const SEARCH = '/colours/_search';
const BLUE = { match: { text: 'blue' } };

export const firstAsked: readonly (readonly Request[])[] = [
  ...QUERIES.map((query) => places(SEARCH, { query, size: 4 })),
  ...LISTS.map((list) => places(SEARCH, { query: BLUE, size: 3, ...list })),
  ...LISTS.map((list) => places(SEARCH, { size: 3, ...list })),
  ...ODD.map((body) => [request(`POST ${SEARCH}`, body)]),
  ...['/paints/_search', '/reds/_search', '/colours*/_search', '/_search', '/nowhere/_search'].flatMap(
    (target) => [
      ...[...QUERIES.slice(0, 4), ...QUERIES.slice(7, 12)].map((query) => [
        request(`POST ${target}`, { query, size: 2 }),
      ]),
      ...LISTS.slice(0, 28).map((list) => [request(`POST ${target}`, { query: BLUE, size: 2, ...list })]),
      ...ODD.slice(0, 9).map((body) => [request(`POST ${target}`, body)]),
    ],
  ),
];
