// Aggregations over values that scripts compute: what OpenSearch 3.1 answers to the same requests, and naive twins.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

await ask('PUT /m', {
  mappings: {
    properties: {
      n: { type: 'integer' },
      k: { type: 'keyword' },
      d: { type: 'double' },
      t: { type: 'text' },
    },
  },
});
for (let i = 1; i <= 6; i++)
  await ask(`PUT /m/_doc/${i}`, { n: i % 4, k: ['a', `b${i % 3}`], d: i + 0.5, t: 'x y' });
await ask('POST /m/_refresh');

/** The result of an aggregation without its type, buckets as `key:count`; or its error. */
async function answer(body: object): Promise<string> {
  const { status, body: reply } = await ask('POST /m/_search?size=0&typed_keys', { aggs: { m: body } });
  if (status !== 200)
    return `${status} ${reply.error.root_cause[0].type}: ${reply.error.root_cause[0].reason}`;
  const [[name, result]] = Object.entries(reply.aggregations) as [[string, Record<string, unknown>]];
  const { buckets, ...rest } = result as Record<string, unknown> & {
    buckets?: { key: unknown; doc_count: number }[];
  };
  const type = name.split('#')[0];
  if (buckets === undefined) return `${type} ${JSON.stringify(rest['value'] ?? rest['values'] ?? rest)}`;
  return `${type} ${buckets.map(({ key, doc_count }) => `${JSON.stringify(key)}:${doc_count}`).join(' ')}`;
}

test('values are computed as in OpenSearch', async () => {
  const n = "doc['n'].value";
  const cases: [object, string][] = [
    [{ terms: { script: "doc['k'].value + doc['n'].value" } }, 'sterms "a1":2 "a2":2 "a0":1 "a3":1'],
    [{ terms: { script: { source: n } } }, 'sterms "1":2 "2":2 "0":1 "3":1'],
    [{ terms: { script: { source: n }, value_type: 'long' } }, 'lterms 1:2 2:2 0:1 3:1'],
    [{ terms: { script: { source: `${n} * 1.5` }, value_type: 'double' } }, 'dterms 1.5:2 3:2 0:1 4.5:1'],
    [{ terms: { script: "doc['k']" } }, 'sterms "a":6 "b0":2 "b1":2 "b2":2'],
    [{ terms: { script: { source: '[1, 2.5]' }, value_type: 'double' } }, 'dterms 1:6 2.5:6'],
    [{ terms: { script: 'null' } }, 'sterms '],
    [{ terms: { script: `${n} > 1` } }, 'sterms "false":3 "true":3'],
    [{ terms: { script: { source: `${n} > 1` }, value_type: 'boolean' } }, 'lterms 0:3 1:3'],
    [{ terms: { script: 'null', missing: 'x' } }, 'sterms "x":6'],
    [
      { terms: { field: 'k', script: { source: '_value + params.s', params: { s: '!' } } } },
      'sterms "a!":6 "b0!":2 "b1!":2 "b2!":2',
    ],
    [{ terms: { field: 'n', script: '_value * 2' } }, 'dterms 2:2 4:2 0:1 6:1'],
    [{ terms: { script: 'new HashMap()' } }, 'sterms "{}":6'],
    [{ avg: { script: `${n} * 2` } }, 'avg 3'],
    [{ avg: { script: 'true' } }, 'avg 1'],
    [{ avg: { script: '[1, 3]' } }, 'avg 2'],
    [{ sum: { field: 'n', script: '_value * _value' } }, 'sum 19'],
    [{ sum: { field: 'd', script: 'Math.round(_value)' } }, 'sum 27'],
    [{ value_count: { script: "doc['k']" } }, 'value_count 12'],
    [{ cardinality: { script: "doc['k'].value + doc['n'].value" } }, 'cardinality 4'],
    [{ histogram: { interval: 2, script: `${n} + 1` } }, 'histogram 0:1 2:4 4:1'],
    [
      { date_histogram: { fixed_interval: '1s', script: `${n} * 1000L` } },
      'date_histogram 0:1 1000:2 2000:2 3000:1',
    ],
    [{ range: { script: n, ranges: [{ to: 2 }, { from: 2 }] } }, 'range "*-2.0":3 "2.0-*":3'],
    [{ stats: { script: '_score' } }, 'stats {"count":6,"min":1,"max":1,"avg":1,"sum":6}'],
    [{ weighted_avg: { value: { script: 'doc.n.value' }, weight: { script: '2' } } }, 'weighted_avg 1.5'],
    [{ missing: { script: 'null' } }, 'missing {"doc_count":6}'],
    [
      { multi_terms: { terms: [{ script: 'doc.k.value' }, { field: 'n' }] } },
      'multi_terms ["a",1]:2 ["a",2]:2 ["a",0]:1 ["a",3]:1',
    ],
    [{ rare_terms: { script: 'doc.k.value' } }, 'srareterms '],
    [{ max: { script: "params._source['d']" } }, 'max 6.5'],
  ];
  for (const [body, expected] of cases) assert.equal(await answer(body), expected, JSON.stringify(body));
});

test('computed values stand on every level', async () => {
  const { body } = await ask('POST /m/_search?size=0', {
    aggs: {
      t: {
        terms: { script: 'doc.n.value', order: { s: 'desc' } },
        aggs: {
          s: { sum: { script: { source: 'doc.d.value * params.f', params: { f: 2 } } } },
          k: { terms: { field: 'k' }, aggs: { c: { value_count: { script: 'doc.k' } } } },
        },
      },
    },
  });
  const shown = body.aggregations.t.buckets.map(
    (bucket: {
      key: string;
      s: { value: number };
      k: { buckets: { doc_count: number; c: { value: number } }[] };
    }) =>
      `${bucket.key}:${bucket.s.value}:${bucket.k.buckets.map(({ doc_count, c }) => `${doc_count}/${c.value}`)}`,
  );
  assert.deepEqual(shown, ['2:18:2/4,1/2,1/2', '1:14:2/4,1/2,1/2', '0:9:1/2,1/2', '3:7:1/2,1/2']);
});

test('only documents that the query finds are computed', async () => {
  await ask('PUT /some/_bulk?refresh=true', '{"index":{}}\n{"n":1}\n{"index":{}}\n{"m":2}\n');
  const aggs = { s: { sum: { script: "doc['n'].value" } } };
  const found = await ask('POST /some/_search?size=0', { query: { exists: { field: 'n' } }, aggs });
  assert.equal(found.body.aggregations.s.value, 1);
  const failed = await ask('POST /some/_search?size=0', { aggs });
  assert.deepEqual([failed.status, failed.body.error.root_cause[0].type], [400, 'script_exception']);
});

test('mistakes are told', async () => {
  const cases: [object, string][] = [
    [
      { avg: { script: "'x'" } },
      '500 aggregation_execution_exception: Unsupported script value [x], expected a number, date, or boolean',
    ],
    [{ max: { script: "doc['zz'].value" } }, '400 script_exception: runtime error'],
    [{ avg: { script: 'zz' } }, '400 script_exception: compile error'],
    [{ avg: { script: 'while (true) { }' } }, '400 script_exception: runtime error'],
    [
      { avg: { script: { id: 'nope' } } },
      '404 resource_not_found_exception: unable to find script [nope] in cluster state',
    ],
  ];
  for (const [body, expected] of cases) assert.equal(await answer(body), expected, JSON.stringify(body));
  assert.match(
    await answer({ geo_bounds: { script: '1' } }),
    /^400 illegal_argument_exception: \[script\] is not supported/,
  );
  assert.match(
    await answer({ ip_range: { script: '1', ranges: [{ to: '1.1.1.1' }] } }),
    /^400 .*\[script\] is not supported/,
  );
});
