// `scripted_metric`: what OpenSearch 3.1 answers to the same requests, and a naive twin.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from './ask.ts';

const { ask } = await server();

await ask('PUT /m', {
  mappings: { properties: { n: { type: 'integer' }, k: { type: 'keyword' }, d: { type: 'double' } } },
});
const documents = Array.from({ length: 6 }, (_, i) => ({
  n: (i + 1) % 4,
  k: ['a', `b${(i + 1) % 3}`],
  d: i + 1.5,
}));
for (const [i, document] of documents.entries()) await ask(`PUT /m/_doc/${i + 1}`, document);
await ask('PUT /other/_bulk?refresh=true', '{"index":{}}\n{"n":1}\n{"index":{}}\n{"n":2}\n');
await ask('POST /m/_refresh');

const whole = { combine_script: 'return state', reduce_script: 'return states' };

async function metric(body: object, index = 'm'): Promise<string> {
  const {
    status,
    text,
    body: reply,
  } = await ask(`POST /${index}/_search?size=0&filter_path=aggregations`, {
    aggs: { m: { scripted_metric: body } },
  });
  if (status === 200) return /^\{"aggregations":\{"m":\{"value":(.*)\}\}\}$/s.exec(text)![1]!;
  const [cause] = reply.error.root_cause;
  return `${status} ${cause.type}: ${cause.reason}`;
}

test('states are gathered, combined and reduced as in OpenSearch', async () => {
  const cases: [object, string][] = [
    [
      {
        init_script: 'state.l = []',
        map_script: "state.l.add(doc['n'].value)",
        combine_script: 'def s = 0; for (x in state.l) { s += x } return s',
        reduce_script: 'def s = 0; for (x in states) { s += x } return s',
      },
      '9',
    ],
    [
      {
        ...whole,
        map_script: 'state.c = (state.c == null ? 0 : state.c) + params.by',
        params: { by: 2 },
      },
      '[{"c":12}]',
    ],
    [
      { ...whole, init_script: 'state.l = []', map_script: 'state.l.add(_score)' },
      '[{"l":[1.0,1.0,1.0,1.0,1.0,1.0]}]',
    ],
    [{ ...whole, map_script: 'state.y = params._source.d' }, '[{"y":6.5}]'],
    [
      {
        ...whole,
        map_script:
          "state.c = doc.k.value; state.d = doc.d.value; state.e = null; state.f = [1, 2L, 3.5f, true]; state.z = ZonedDateTime.parse('2020-01-01T00:00:00Z')",
      },
      '[{"c":"a","d":6.5,"e":null,"f":[1,2,3.5,true],"z":"2020-01-01T00:00:00.000Z"}]',
    ],
    [
      {
        init_script: 'state.l = []',
        map_script: 'state.l.add(1)',
        combine_script: 'return state.l.size()',
        reduce_script: 'return states.size() + params.p',
        params: { p: 1.5 },
      },
      '2.5',
    ],
  ];
  for (const [body, expected] of cases) assert.equal(await metric(body), expected, JSON.stringify(body));
  const counts = {
    ...whole,
    init_script: 'state.l = 0',
    map_script: 'state.l++',
    combine_script: 'return state.l',
  };
  assert.equal(await metric(counts, 'm,other'), '[6,2]');
});

test('each bucket has its own state', async () => {
  const { body } = await ask('POST /m/_search?size=0', {
    aggs: {
      t: {
        terms: { field: 'n' },
        aggs: {
          s: {
            scripted_metric: {
              init_script: 'state.sum = 0.0',
              map_script: 'state.sum += doc.d.value',
              combine_script: 'state.sum',
              reduce_script: 'states.sum()',
            },
          },
        },
      },
      none: {
        filter: { term: { n: 77 } },
        aggs: { s: { scripted_metric: { ...whole, init_script: 'state.l = 5', map_script: 'state.l++' } } },
      },
    },
  });
  for (const { key, s } of body.aggregations.t.buckets) {
    const own = documents.filter(({ n }) => n === key);
    assert.equal(
      s.value,
      own.reduce((sum, { d }) => sum + d, 0),
    );
  }
  assert.deepEqual(body.aggregations.none.s.value, [{ l: 5 }]);
});

test('what is missing or fails is told', async () => {
  const cases: [object, string][] = [
    [
      { map_script: 'state.c = 1', combine_script: 'state' },
      '400 illegal_argument_exception: [reduceScript] must not be null: [m]',
    ],
    [
      { map_script: 'state.c = 1', reduce_script: 'states' },
      '400 illegal_argument_exception: [combineScript] must not be null: [m]',
    ],
    [whole, '400 illegal_argument_exception: Required [map_script]'],
    [{ ...whole, map_script: 'state.c = zz' }, '400 script_exception: compile error'],
    [{ ...whole, map_script: 'int x = 0; state.c = 1 / x' }, '400 script_exception: runtime error'],
    [{ ...whole, map_script: 'while (true) { }' }, '400 script_exception: runtime error'],
    [{ ...whole, map_script: 'state.s = state' }, '400 script_exception: runtime error'],
  ];
  for (const [body, expected] of cases) assert.equal(await metric(body), expected, JSON.stringify(body));
  assert.match(
    await metric({ ...whole, map_script: '1', foo: 1 }),
    /^400 x_content_parse_exception: .*unknown field \[foo\]/,
  );
});
