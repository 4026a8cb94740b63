// function_score beside a naive twin over the documents, and beside scores that a real OpenSearch 3.1 gave.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../../test/query-run.ts';
import { makeView } from '../../../../test/query-world.ts';
import { EngineError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { parseQuery } from '../../parse.ts';
import { planQuery } from '../../plan-query.ts';

const mappings = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'integer' },
    d: { type: 'double' },
    dt: { type: 'date' },
    g: { type: 'geo_point' },
  },
};
const three = makeView(mappings, [
  { id: '1', source: { t: 'a b', k: 'x', n: 3, d: 1.5, dt: '2024-01-01', g: [10, 50] } },
  { id: '2', source: { t: 'a', k: 'y', n: [7, 1], d: -2, dt: '2024-03-01', g: [11, 51] } },
  { id: '3', source: { t: 'b' } },
]);

const A = { match: { t: 'a' } };
const AB = { match: { t: 'a b' } };
const X3 = { filter: { term: { k: 'x' } }, weight: 3 };
const A5 = { filter: { term: { t: 'a' } }, weight: 5 };

/** Bodies, and what OpenSearch 3.1 found: ids with scores. */
const ANSWERS: readonly [JsonObject, Record<string, number>][] = [
  [
    { query: A, field_value_factor: { field: 'n', missing: 1 } },
    { 1: 0.5320796, 2: 0.23797652 },
  ],
  [{ field_value_factor: { field: 'zz', missing: 2 } }, { 1: 2, 2: 2, 3: 2 }],
  [
    { query: A, field_value_factor: { field: 'dt', factor: 1e-12 } },
    { 2: 0.40676165, 1: 0.3022331 },
  ],
  [{ gauss: { n: { origin: 2, scale: 3 } } }, { 3: 1, 1: 0.9258747, 2: 0.9258747 }],
  [
    { gauss: { n: { origin: 2, scale: 3, offset: 1, decay: 0.3 }, multi_value_mode: 'max' } },
    { 1: 1, 3: 1, 2: 0.11760825 },
  ],
  [{ exp: { n: { origin: 2, scale: 3 }, multi_value_mode: 'avg' } }, { 3: 1, 1: 0.7937005, 2: 0.5 }],
  [{ linear: { n: { origin: 2, scale: 3 }, multi_value_mode: 'sum' } }, { 3: 1, 1: 0.8333333, 2: 0 }],
  [
    { gauss: { dt: { origin: '2024-01-15', scale: '10d', offset: '5d' } } },
    { 3: 1, 1: 0.5703819, 2: 8.703337e-6 },
  ],
  [{ gauss: { g: { origin: '50,10.5', scale: '50km' } } }, { 3: 1, 1: 0.70180243, 2: 0.022941075 }],
  [
    { linear: { g: { origin: { lat: 50, lon: 10.5 }, scale: '500km', offset: '10mi' } } },
    { 3: 1, 1: 0.9803561, 2: 0.8994109 },
  ],
  [
    { query: A, weight: 3, boost: 2 },
    { 2: 1.4278591, 1: 1.0641592 },
  ],
  [
    { query: A, weight: 3, boost: 2, boost_mode: 'replace' },
    { 1: 3, 2: 3 },
  ],
  [
    { query: AB, functions: [X3, { weight: 5 }], score_mode: 'avg', boost_mode: 'sum' },
    { 1: 1.3547196, 2: 1.2379766, 3: 1.2379766 },
  ],
  [
    { query: AB, functions: [X3, A5], score_mode: 'max', max_boost: 4, boost_mode: 'replace' },
    { 1: 4, 2: 4, 3: 1 },
  ],
  [{ query: AB, functions: [X3, A5], score_mode: 'sum', min_score: 2 }, { 1: 2.8377576 }],
  [
    { query: AB, functions: [] },
    { 1: 0.3547197, 2: 0.23797652, 3: 0.23797652 },
  ],
];

function close(found: readonly [string, number][], wanted: Readonly<Record<string, number>>): void {
  assert.deepEqual(found.map(([id]) => id).sort(), Object.keys(wanted).sort());
  for (const [id, score] of found)
    assert.ok(Math.abs(score - wanted[id]!) <= 1e-5 * Math.max(wanted[id]!, 1e-9), `${id}: ${score}`);
}

test('scores are those of OpenSearch', () => {
  for (const [body, wanted] of ANSWERS) close(run({ function_score: body }, three), wanted);
});

test('random scores have the seed and the name of the index in them, as in OpenSearch', () => {
  const named = { ...three, name: 'scoring-a' };
  const random = (random_score: JsonObject) => run({ function_score: { random_score } }, named);
  close(random({ seed: 42 }), { 1: 0.7770084, 3: 0.42025542, 2: 0.23795807 });
  close(random({ seed: 'abc', field: 'n' }), { 1: 0.7635983, 2: 0.30748868, 3: 0.15823674 });
  close(random({ seed: 12345678901, field: 'k' }), { 3: 0.8925267, 1: 0.5805108, 2: 0.18165666 });
  close(random({ seed: 7, field: 'd' }), { 2: 0.85697055, 3: 0.793249, 1: 0.01125443 });
  close(random({ seed: 7, field: 'dt' }), { 3: 0.793249, 2: 0.6119606, 1: 0.032716274 });
  for (const [, score] of random({})) assert.ok(score >= 0 && score < 1);
});

test('all combinations score as the naive twin does, in every layout', () => {
  const docs = Array.from({ length: 90 }, (_, i) => ({
    id: String(i),
    source: { t: `${'ab'[i % 2]} c`, k: 'xyz'[i % 3], ...(i % 5 === 0 ? {} : { n: [i % 7, i % 11] }) },
  }));
  type Mode = (a: number, b: number) => number;
  const modes: Record<string, Mode> = {
    multiply: (a, b) => a * b,
    sum: (a, b) => a + b,
    max: Math.max,
    min: Math.min,
  };
  const boosts: Record<string, Mode> = { ...modes, replace: (_, b) => b, avg: (a, b) => (a + b) / 2 };
  for (const layout of [[-1_000_000], [20, -13, 7]]) {
    const view = makeView(mappings, docs, layout);
    const own = new Map(run({ match: { t: 'a' } }, view));
    for (const score_mode of [...Object.keys(modes), 'avg', 'first']) {
      for (const boost_mode of Object.keys(boosts)) {
        const functions = [
          { filter: { term: { k: 'x' } }, weight: 2 },
          { field_value_factor: { field: 'n', missing: 3, modifier: 'log2p' }, weight: 1.5 },
        ];
        const found = run(
          {
            function_score: {
              query: { match: { t: 'a' } },
              functions,
              score_mode,
              boost_mode,
              min_score: 0.3,
            },
          },
          view,
        );
        const wanted: Record<string, number> = {};
        for (const { id, source } of docs) {
          if (!own.has(id)) continue;
          const factor = 1.5 * Math.log10(2 + (source.n === undefined ? 3 : Math.min(...source.n)));
          const values = source.k === 'x' ? [2, factor] : [factor];
          let value = values[0]!;
          if (score_mode === 'avg')
            value = values.reduce((a, b) => a + b) / (source.k === 'x' ? 2 + 1.5 : 1.5);
          else if (score_mode !== 'first') value = values.reduce((a, b) => modes[score_mode]!(a, b));
          const score = Math.fround(boosts[boost_mode]!(own.get(id)!, value));
          if (score >= Math.fround(0.3)) wanted[id] = score;
        }
        close(found, wanted);
      }
    }
  }
});

test('a minimum score filters also where no scores are wanted', () => {
  const body = { query: AB, field_value_factor: { field: 'n', missing: 0 }, min_score: 0.2 };
  assert.deepEqual(run({ bool: { filter: { function_score: body } } }, three), [
    ['1', 0],
    ['2', 0],
  ]);
  assert.deepEqual(run({ function_score: body }, three, false).length, 2);
});

test('what a plan looks for is what its query looks for', () => {
  const plan = planQuery(parseQuery({ function_score: { query: A, functions: [X3] } }), three, {
    now: 0,
    scores: true,
  });
  assert.equal(plan.wanted?.length, 1);
});

test('errors are those of OpenSearch', () => {
  const cases: readonly [JsonObject, string, string][] = [
    [{ foo: 3 }, 'parsing_exception', 'failed to parse [function_score] query. field [foo] is not supported'],
    [
      { foo: [] },
      'parsing_exception',
      'failed to parse [function_score] query. array [foo] is not supported',
    ],
    [{ script_score: {} }, 'parsing_exception', "script_score requires 'script' field"],
    [{ weight: -1 }, 'illegal_argument_exception', '[weight] cannot be negative for a filtering function'],
    [{ gauss: {} }, 'parsing_exception', 'malformed score function score parameters.'],
    [
      { gauss: { n: { origin: 1 } } },
      'parse_exception',
      'both [scale] and [origin] must be set for numeric fields.',
    ],
    [
      { gauss: { n: { origin: 1, scale: 0 } } },
      'query_shard_exception',
      'failed to create query: function_score : scale must be > 0.0.',
    ],
    [{ gauss: { zz: { origin: 1, scale: 1 } } }, 'parsing_exception', 'unknown field [zz]'],
    [
      { field_value_factor: { field: 'zz' } },
      'exception',
      "Unable to find a field mapper for field [zz]. No 'missing' value defined.",
    ],
    [{ field_value_factor: { field: 'n' } }, 'exception', 'Missing value for field [n]'],
    [
      { field_value_factor: { field: 'd', missing: 0 } },
      'illegal_argument_exception',
      'field value function must not produce negative scores, but got: [-2.0] for field value: [-2.0]',
    ],
    [
      { field_value_factor: { field: 'd', missing: 0, modifier: 'sqrt' } },
      'exception',
      'function score query returned an invalid score: NaN for doc: 1',
    ],
  ];
  for (const [body, type, reason] of cases) {
    const isIt = (e: unknown) => e instanceof EngineError && e.type === type && e.message === reason;
    assert.throws(() => run({ function_score: body }, three), isIt, JSON.stringify(body));
  }
});
