// Pages all over a list of thousands of documents, sealed and new, which use remembered orders, printed
// sorts, plans and pages.

import { type Request, request } from '../request.ts';

const SORTS: readonly object[][] = [
  [{ day: 'desc' }, { real: 'desc' }, { tag: 'asc' }],
  [{ day: { order: 'desc', format: 'yyyy-MM-dd' } }, { real: 'desc' }, { tag: 'asc' }],
  [{ real: { order: 'asc', missing: '_first' } }, { n: 'asc' }],
  [{ real: { order: 'asc', numeric_type: 'long' } }, { n: 'asc' }],
  [{ n: { order: 'asc', numeric_type: 'double' } }, { float: 'desc' }],
  [{ tag: { order: 'desc', missing: 'middle' } }, { _id: 'asc' }],
  [{ large: 'asc' }],
];

const SCORED: readonly object[] = [
  { match: { text: 'w2 w3' } },
  { match: { text: 'w7 w11 w13 common' } },
  { match: { text: { query: 'w5 w31', operator: 'and' } } },
  { match_phrase: { text: 'w2 w4' } },
  { term: { text: { value: 'w64', boost: 3 } } },
  {
    bool: {
      must: [{ match: { text: 'w3' } }],
      should: [{ match: { text: 'w17' } }],
      filter: [{ range: { n: { lt: 300 } } }],
    },
  },
  { query_string: { query: 'w2 w9', default_field: 'text' } },
];

const search = (body: object): Request => request('POST /many/_search', body);
const shown = { _source: ['n'] };

export const manyPages: readonly (readonly Request[])[] = [
  ...SORTS.map((sort) => [0, 430, 1_290, 3_080].map((from) => search({ sort, size: 5, ...shown, from }))),
  ...SCORED.flatMap((query) => [
    [0, 20, 1_500].map((from) => search({ query, size: 5, ...shown, from })),
    [0, 300].map((from) => search({ query, size: 4, ...shown, sort: ['_score', { n: 'desc' }], from })),
    [0, 300].map((from) =>
      search({ query, size: 4, ...shown, sort: [{ n: 'desc' }], from, track_total_hits: 100 }),
    ),
  ]),
];
