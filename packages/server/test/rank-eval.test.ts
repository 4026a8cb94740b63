// Searches are rated by `_rank_eval` as by OpenSearch 3.1, whose scores for the same documents are written here; random lists are
// compared with the definitions of the metrics.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { readMetric } from '../src/wire/search/rank-eval/rank-metrics.ts';
import { server } from './ask.ts';
import { onlyEmbedded } from './over-cluster.ts';
import { openStore } from './stores.ts';

const records = await openStore();
after(() => records.close());
const { ask } = await server({ records });
let as: Record<string, string> = {};
const embedded = onlyEmbedded('a cluster rates itself');

before(async () => {
  const made = await ask('POST /api/keys', { name: 'admin', scopes: ['*'] });
  as = { authorization: `Bearer ${made.body.token}` };
  for (let n = 1; n <= 4; n++) await ask(`PUT /re/_doc/d${n}?refresh=true`, { text: `berlin ${n}`, n }, as);
});

const rated = (id: string, rating: number): object => ({ _index: 're', _id: id, rating });
const requests = [
  {
    id: 'q1',
    request: { query: { match: { text: 'berlin' } } },
    ratings: [rated('d1', 0), rated('d2', 1), rated('d3', 3)],
  },
  { id: 'q2', request: { query: { term: { n: 1 } } }, ratings: [rated('d1', 1)] },
];

const scores: readonly (readonly [object, number, object])[] = [
  [{ precision: {} }, 0.75, { precision: { relevant_docs_retrieved: 2, docs_retrieved: 4 } }],
  [
    { precision: { relevant_rating_threshold: 2, ignore_unlabeled: true, k: 2 } },
    0,
    { precision: { relevant_docs_retrieved: 0, docs_retrieved: 2 } },
  ],
  [{ recall: { k: 1 } }, 0.5, { recall: { relevant_docs_retrieved: 0, relevant_docs: 2 } }],
  [{ mean_reciprocal_rank: {} }, 0.75, { mean_reciprocal_rank: { first_relevant: 2 } }],
  [{ dcg: {} }, 2.565464876785729, { dcg: { dcg: 4.130929753571458, unrated_docs: 1 } }],
  [
    { dcg: { normalize: true } },
    0.7706701468217607,
    {
      dcg: {
        dcg: 4.130929753571458,
        ideal_dcg: 7.630929753571458,
        normalized_dcg: 0.5413402936435214,
        unrated_docs: 1,
      },
    },
  ],
  [
    { expected_reciprocal_rank: { maximum_relevance: 3 } },
    0.22135416666666666,
    { expected_reciprocal_rank: { unrated_docs: 1 } },
  ],
];
for (const [metric, score, details] of scores)
  test(`the metric ${JSON.stringify(metric)}`, embedded, async () => {
    const { status, body, text } = await ask('POST /re/_rank_eval', { requests, metric }, as);
    assert.equal(status, 200, text);
    assert.equal(body.metric_score, score);
    assert.deepEqual(body.details.q1.metric_details, details);
    assert.deepEqual(body.failures, {});
  });

test('hits, and those without a rating', embedded, async () => {
  const one = { ...requests[0], summary_fields: ['n'] };
  const { body } = await ask('POST /re/_rank_eval', { requests: [one], metric: { precision: {} } }, as);
  const { hits, unrated_docs } = body.details.q1;
  assert.deepEqual(unrated_docs, [{ _index: 're', _id: 'd4' }]);
  assert.deepEqual(
    hits.map((each: { hit: { _id: string; _source: object }; rating: number | null }) => [
      each.hit._id,
      each.hit._source,
      each.rating,
    ]),
    [
      ['d1', { n: 1 }, 0],
      ['d2', { n: 2 }, 1],
      ['d3', { n: 3 }, 3],
      ['d4', { n: 4 }, null],
    ],
  );
});

test('summary fields of a wrong type are refused', embedded, async () => {
  for (const wrong of [{}, [null], [{}], [['n']]]) {
    const one = { ...requests[0], summary_fields: wrong };
    const { status, text } = await ask(
      'POST /re/_rank_eval',
      { requests: [one], metric: { precision: {} } },
      as,
    );
    assert.equal(status, 400, text);
  }
});

test('a search that fails is told beside the others', embedded, async () => {
  const wrong = { id: 'w', request: { query: { term: { n: 'x' } } }, ratings: [] };
  const body = { requests: [wrong, requests[1]], metric: { precision: {} } };
  const answer = await ask('POST /re/_rank_eval', body, as);
  assert.equal(answer.body.metric_score, 1);
  assert.equal(answer.body.failures.w.error.type, 'search_phase_execution_exception');
  const none = await ask('POST /none/_rank_eval', { ...body, requests: [requests[1]] }, as);
  assert.equal(none.body.metric_score, 'NaN');
  assert.equal(none.body.failures.q2.error.type, 'index_not_found_exception');
});

const refused: readonly (readonly [object, RegExp])[] = [
  [{ metric: { precision: {} } }, /Required \[requests\]/],
  [{ requests }, /Required \[metric\]/],
  [{ requests: [], metric: { precision: {} } }, /Cannot evaluate ranking if no search requests/],
  [{ requests, metric: { foo: {} } }, /unknown field \[foo\]/],
  [{ requests, metric: { precision: { k: 0 } } }, /Window size k must be positive/],
  [{ requests, metric: { expected_reciprocal_rank: {} } }, /Required \[maximum_relevance\]/],
  [
    {
      requests: [{ ...requests[0], ratings: [rated('d1', 1), rated('d1', 2)] }],
      metric: { precision: {} },
    },
    /Found duplicate rated document key/,
  ],
  [
    { requests: [{ ...requests[0], request: { query: { foo: {} } } }], metric: { precision: {} } },
    /x_content_parse_exception.*\[requests\].*unknown query \[foo\]/,
  ],
  [
    {
      requests: [{ ...requests[0], request: { aggs: { a: { max: { field: 'n' } } } } }],
      metric: { precision: {} },
    },
    /should not contain aggregations/,
  ],
];
for (const [body, reason] of refused)
  test(`${JSON.stringify(body).slice(-80)} is refused`, embedded, async () => {
    const answer = await ask('POST /re/_rank_eval', body, as);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text.replaceAll('\\"', '"'), reason);
  });

test('searches made by templates', embedded, async () => {
  const templates = [
    { id: 't', template: { source: '{"query":{"term":{"n":{{n}}}}}' } },
    { id: 's', template: { id: 'stored' } },
  ];
  const source = { query: { term: { n: '{{n}}' } } };
  await ask('PUT /_scripts/stored', { script: { lang: 'mustache', source } }, as);
  const made = (id: string, n: unknown, more: object = {}): object => ({
    ...{ id: `${id}${n}`, template_id: id, params: { n }, ratings: [rated('d1', 1)] },
    ...more,
  });
  const body = { templates, metric: { precision: {} } };
  const all = [made('t', 1), made('s', 1), made('t', 2), made('t', 'zz')];
  const answer = await ask('POST /re/_rank_eval', { ...body, requests: all }, as);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.metric_score, 2 / 3);
  assert.equal(answer.body.details.s1.hits[0].hit._id, 'd1');
  assert.deepEqual(Object.keys(answer.body.failures), ['tzz']);
  const wrong: readonly (readonly [object, RegExp])[] = [
    [made('none', 1), /\[template_id\] \[none\] is none of \[templates\]/],
    [made('t', 1, { template_id: undefined }), /need to set id of template/],
    [made('t', 1, { params: undefined }), /Need to set at least test request/],
    [made('t', 1, { request: {} }), /Ambiguous rated request/],
  ];
  for (const [request, reason] of wrong) {
    const refusal = await ask('POST /re/_rank_eval', { ...body, requests: [request] }, as);
    assert.equal(refusal.status, 400, refusal.text);
    assert.match(refusal.text, reason);
  }
});

test('a key is rated by what it sees', embedded, async () => {
  const key = async (rights: object): Promise<Record<string, string>> => {
    const made = await ask('POST /api/keys', { name: 'k', scopes: ['search:read'], ...rights }, as);
    return { authorization: `Bearer ${made.body.token}` };
  };
  const body = { requests, metric: { recall: {} } };
  const filtered = await key({ document_filter: { term: { n: 1 } } });
  const seen = await ask('POST /re/_rank_eval', body, filtered);
  assert.deepEqual(
    seen.body.details.q1.hits.map((each: { hit: { _id: string } }) => each.hit._id),
    ['d1'],
  );
  const other = await ask('POST /re/_rank_eval', body, await key({ index_patterns: ['other'] }));
  assert.equal(other.body.failures.q1.error.type, 'security_exception', other.text);
});

test('random lists have the precision, recall and gain of their definitions', () => {
  const rating = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });
  fc.assert(
    fc.property(fc.array(rating, { maxLength: 8 }), fc.array(fc.nat(4), { maxLength: 4 }), (hits, others) => {
      const known = hits.filter((each) => each !== undefined);
      const all = [...known, ...others];
      const good = known.filter((each) => each >= 2).length;
      const options = { relevant_rating_threshold: 2 };
      const scoreOf = (metric: object): number => readMetric(metric as never).evaluate(hits, all).score;
      assert.equal(scoreOf({ precision: options }), hits.length === 0 ? 0 : good / hits.length);
      const relevant = all.filter((each) => each >= 2).length;
      assert.equal(scoreOf({ recall: options }), relevant === 0 ? 0 : good / relevant);
      const gain = hits.reduce<number>((sum, each, i) => sum + (2 ** (each ?? 0) - 1) / Math.log2(i + 2), 0);
      assert.ok(Math.abs(scoreOf({ dcg: {} }) - gain) < 1e-9);
    }),
  );
});
