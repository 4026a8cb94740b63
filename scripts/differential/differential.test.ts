// The parts of `npm run differential` that need no OpenSearch: generators, comparison and shrinker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareReplies, signatureOf, worstOf } from './compare.ts';
import { makeDataset } from './dataset.ts';
import { CASES_PER_DATASET, datasetOf, makeCase } from './generate/make-case.ts';
import { parseReply } from './reply.ts';
import { type Sample, shrink } from './shrink.ts';

test('a seed and a number always give the same data and requests', () => {
  for (const number of [0, 3, CASES_PER_DATASET, 9 * CASES_PER_DATASET]) {
    const make = (): string => {
      const dataset = datasetOf(5, Math.floor(number / CASES_PER_DATASET));
      return JSON.stringify([dataset, makeCase(5, number, dataset)]);
    };
    assert.equal(make(), make());
  }
});

test('cases have all kinds of requests, as JSON without holes', () => {
  const features = new Set<string>();
  const datasets = [1, 2, 3, 4].map((seed) => makeDataset(seed));
  for (let number = 0; number < 2000; number++) {
    const one = makeCase(1, number, datasets[number % 4]!);
    for (const feature of one.features) features.add(feature);
    assert.ok(one.steps.length > 0);
    for (const { body } of one.steps)
      if (body !== undefined) assert.deepEqual(JSON.parse(JSON.stringify(body)), body);
  }
  for (const each of [
    'query bool',
    'query regexp',
    'aggregation terms',
    'pipeline derivative',
    'highlight',
    'collapse',
  ])
    assert.ok(features.has(each), each);
  for (const each of ['walk pit', 'write _bulk', '_msearch', '_analyze', 'sort _geo_distance', 'mistake'])
    assert.ok(features.has(each), each);
});

const SEARCH = [{ method: 'POST', path: '/$index/_search', body: {} }];

function classOf(peer: string, ours: string, status = 200, ownStatus: number = status): string {
  const [a, b] = [
    { status, body: parseReply(peer) },
    { status: ownStatus, body: parseReply(ours) },
  ];
  return worstOf(compareReplies(SEARCH, [a], [b]));
}

test('differences have classes', () => {
  assert.equal(classOf('{"took":1,"a":0.1}', '{"took":9,"a":0.1000000000001}'), 'same');
  assert.equal(classOf('{"a":12345678901234567}', '{"a":12345678901234568}'), 'same');
  assert.equal(classOf('{"a":1.5}', '{"a":1.6}'), 'wrong');
  assert.equal(classOf('{"a":1.0}', '{"a":1}'), 'shape');
  assert.equal(classOf('{"a":1}', '{"a":1,"b":2}'), 'shape');
  assert.equal(classOf('{"a":[1]}', '{"a":[1,2]}'), 'wrong');
  const error = (type: string, reason: string): string =>
    JSON.stringify({ error: { type, reason }, status: 400 });
  assert.equal(classOf(error('x', 'one'), error('x', 'two'), 400), 'text');
  assert.equal(classOf(error('x', 'one'), error('y', 'one'), 400), 'status');
  assert.equal(classOf('{}', error('x', '[rescore] is not supported'), 200, 400), 'refused');
  assert.equal(classOf('{}', error('x', 'no'), 200, 400), 'status');
  assert.equal(classOf(error('null_pointer_exception', ''), error('x', 'no'), 500, 400), 'same');
});

test('hits that tie in a sort by fields have no order', () => {
  const steps = [{ method: 'POST', path: '/$index/_search', body: { sort: ['n'] } }];
  const page = (...hits: [string, number][]): string =>
    JSON.stringify({ hits: { hits: hits.map(([_id, n]) => ({ _id, sort: [n] })) } });
  const compare = (peer: string, ours: string): string =>
    worstOf(
      compareReplies(
        steps,
        [{ status: 200, body: parseReply(peer) }],
        [{ status: 200, body: parseReply(ours) }],
      ),
    );
  const first = page(['a', 1], ['b', 2], ['c', 2], ['d', 3]);
  assert.equal(compare(first, page(['a', 1], ['c', 2], ['b', 2], ['e', 3])), 'same');
  assert.equal(compare(first, page(['a', 1], ['x', 2], ['b', 2], ['d', 3])), 'wrong');
  assert.equal(compare(first, page(['a', 1], ['b', 2], ['c', 2], ['d', 4])), 'wrong');
});

test('the parts of an explanation have an order only where the peer keeps them in one', () => {
  const part = (description: string, value: number): object => ({ description, value, details: [] });
  const parts = [part('weight(a:x in 0)', 2), part('weight(b:x in 0)', 1)];
  const compare = (description: string, query: object, ours: readonly object[]): string => {
    const reply = (details: readonly object[]): { status: number; body: ReturnType<typeof parseReply> } => ({
      ...{ status: 200, body: parseReply(JSON.stringify({ explanation: { description, details } })) },
    });
    const step = { method: 'POST', path: '/$index/_explain/1', body: { query } };
    return worstOf(compareReplies([step], [reply(parts)], [reply(ours)]));
  };
  const fields = { multi_match: { query: 'x', fields: ['a', 'b'] } };
  assert.equal(compare('max of:', fields, parts.toReversed()), 'same');
  assert.equal(compare('max plus 0.3 times others of:', { dis_max: {} }, parts.toReversed()), 'same');
  assert.equal(compare('sum of:', { bool: {} }, parts.toReversed()), 'wrong');
  assert.equal(compare('product of:', fields, parts.toReversed()), 'wrong');
  assert.equal(compare('max of:', fields, [parts[0]!, part('weight(b:x in 0)', 3)]), 'wrong');
});

test('faults of the peer count as the same only where they are', () => {
  const compare = (body: object, peer: object, ours: object): string => {
    const reply = (json: object): { status: number; body: ReturnType<typeof parseReply> } => ({
      ...{ status: 200, body: parseReply(JSON.stringify(json).replaceAll('"max"', '9223372036854775807')) },
    });
    return worstOf(
      compareReplies([{ method: 'POST', path: '/x/_search', body }], [reply(peer)], [reply(ours)]),
    );
  };
  const auto = {
    b: { auto_date_histogram: { field: 'at' }, aggs: { a: { histogram: { order: {} } }, c: {} } },
  };
  const below = (name: string, n: number): object => ({
    aggregations: {
      b: { buckets: [{ [name]: { buckets: Array.from({ length: n }, () => ({ key: 1 })) } }] },
    },
  });
  assert.equal(compare({ aggs: auto }, below('a', 1), below('a', 2)), 'same');
  assert.equal(compare({ aggs: auto }, below('c', 1), below('c', 2)), 'wrong');
  assert.equal(compare({ aggs: { b: { aggs: auto.b.aggs } } }, below('a', 1), below('a', 2)), 'wrong');
  const hits = (...values: (number | string)[]): object => ({
    hits: { hits: values.map((n) => ({ sort: [n] })) },
  });
  assert.equal(compare({ sort: ['at'] }, hits(1), hits(1, 'max')), 'same');
  assert.equal(compare({ sort: ['at'] }, hits(1), hits(1, 2)), 'wrong');
  const terms = (...scores: number[]): object => ({
    buckets: scores.map((score) => ({ score, bg_count: 1 })),
  });
  const shown = (text: string): object => ({ hits: { hits: [{ highlight: { t: [text] } }] } });
  const phrase = { match_phrase: { t: 'a b' } };
  const within = { query: { function_score: { query: phrase } } };
  assert.equal(compare(within, shown('<em>a</em> b'), shown('a b')), 'same');
  assert.equal(compare({ query: phrase }, shown('<em>a</em> b'), shown('a b')), 'wrong');
  const options = (n: number): object => ({
    suggest: { s: [{ options: Array.from({ length: n }, () => 1) }] },
  });
  const completion = (size: number): object => ({ suggest: { s: { completion: { size, fuzzy: {} } } } });
  assert.equal(compare(completion(2), options(1), options(2)), 'same');
  assert.equal(compare(completion(3), options(1), options(2)), 'wrong');
  assert.equal(compare(completion(2), options(2), options(1)), 'wrong');
  const gnd = { aggs: { a: { significant_terms: { field: 'k', gnd: {} } } } };
  assert.equal(compare(gnd, terms(), terms(Math.exp(-1))), 'same');
  assert.equal(compare({}, terms(), terms(Math.exp(-1))), 'wrong');
  assert.equal(compare(gnd, terms(), terms(0.5)), 'wrong');
});

test('the signature of a difference has no positions', () => {
  const compare = (n: number): string => {
    const list = (a: number): string =>
      JSON.stringify({ list: Array.from({ length: 5 }, (_, k) => (k === n ? a : 0)) });
    const [peer, ours] = [1, 2].map((a) => ({ status: 200, body: parseReply(list(a)) }));
    return signatureOf(compareReplies(SEARCH, [peer!], [ours!]));
  };
  assert.equal(compare(1), compare(4));
});

test('the shrinker finds the one clause and the one document', async () => {
  const dataset = makeDataset(3);
  const wanted = dataset.documents[7]!.id;
  const body = {
    query: {
      bool: {
        must: [
          { match_all: {} },
          { dis_max: { queries: [{ term: { n: 1 } }, { exists: { field: 'tag' } }] } },
        ],
      },
    },
    sort: ['seq'],
    size: 3,
  };
  const sample: Sample = {
    steps: [
      { method: 'GET', path: '/$index/_doc/1' },
      { method: 'POST', path: '/$index/_search?version=true', body },
    ],
    dataset,
  };
  const holds = async ({ steps, dataset: { documents } }: Sample): Promise<boolean> =>
    JSON.stringify(steps).includes('"exists":{"field"') && documents.some(({ id }) => id === wanted);
  const { steps, dataset: rest } = await shrink(sample, { holds, tries: 2000 });
  assert.deepEqual(steps, [{ method: 'POST', path: '/$index/_search', body: { exists: { field: 'tag' } } }]);
  assert.deepEqual(rest.documents, [{ id: wanted, source: {} }]);
  assert.deepEqual(rest.mappings, { properties: {} });
});
