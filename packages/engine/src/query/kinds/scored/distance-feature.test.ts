// distance_feature beside what OpenSearch 3.1 answered, and beside a naive twin.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../../test/query-run.ts';
import { makeView } from '../../../../test/query-world.ts';
import { EngineError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';

const mappings = {
  properties: { k: { type: 'keyword' }, dt: { type: 'date' }, g: { type: 'geo_point' } },
};
const view = makeView(mappings, [
  { id: '1', source: { k: 'x', dt: '2024-01-01', g: [10, 50] } },
  { id: '2', source: { k: 'y', dt: '2024-03-01', g: [11, 51] } },
  { id: '3', source: {} },
]);
const feature = (body: JsonObject): [string, number][] => run({ distance_feature: body }, view);

test('scores are those of OpenSearch', () => {
  const answers: readonly [JsonObject, number, number][] = [
    [{ field: 'dt', origin: '2024-01-15', pivot: '7d' }, 0.3181818, 0.13461539],
    [{ field: 'dt', origin: '2024-01-15', pivot: '7d', boost: 3 }, 0.95454544, 0.40384614],
    [{ field: 'dt', origin: '2024-01-15||/M', pivot: '12h' }, 0.015873017, 0.016949153],
    [{ field: 'dt', origin: 7, pivot: '7d' }, 0.00035478966, 0.000353714],
    [{ field: 'g', origin: [10.5, 50], pivot: '50km', boost: 2 }, 1.1663529, 0.599943],
    [{ field: 'g', origin: '50,10.5', pivot: '5mi' }, 0.18378194, 0.064513505],
  ];
  for (const [body, one, two] of answers) {
    const found = new Map(feature(body));
    assert.deepEqual([...found.keys()].sort(), ['1', '2']);
    for (const [id, score] of [
      ['1', one],
      ['2', two],
    ] as const)
      assert.ok(Math.abs(found.get(id)! - score) <= 1e-6 * score, `${JSON.stringify(body)} ${id}`);
  }
});

test('the nearest of several values counts, in every layout', () => {
  const origin = Date.UTC(2024, 0, 1);
  const docs = Array.from({ length: 60 }, (_, i) => ({
    id: String(i),
    source: i % 4 === 0 ? {} : { dt: [origin + (i % 13) * 1e7, origin - (i % 7) * 3e7] },
  }));
  for (const layout of [[-100], [13, -20, 5]]) {
    const found = new Map(
      run({ distance_feature: { field: 'dt', origin, pivot: '1h' } }, makeView(mappings, docs, layout)),
    );
    for (const { id, source } of docs) {
      const distances = source.dt?.map((ms) => Math.abs(ms - origin));
      const wanted = distances && Math.fround(3.6e6 / (3.6e6 + Math.min(...distances)));
      assert.equal(found.get(id), wanted);
    }
  }
});

test('without scores it is the documents with a value', () => {
  assert.equal(run({ distance_feature: { field: 'dt', origin: 0, pivot: '1d' } }, view, false).length, 2);
  assert.deepEqual(feature({ field: 'zz', origin: 3, pivot: '1d' }), []);
});

test('errors are those of OpenSearch', () => {
  const cases: readonly [JsonObject, string, string][] = [
    [{}, 'illegal_argument_exception', 'Required [field, origin, pivot]'],
    [{ field: 'dt', pivot: '1d' }, 'illegal_argument_exception', 'Required [origin]'],
    [
      { field: 'dt', origin: 1, pivot: 1 },
      'x_content_parse_exception',
      "[distance_feature] pivot doesn't support values of type: VALUE_NUMBER",
    ],
    [
      { field: 'dt', origin: 1, pivot: '0d' },
      'query_shard_exception',
      'failed to create query: pivotDistance must be > 0, got 0',
    ],
    [
      { field: 'k', origin: 1, pivot: '1d' },
      'query_shard_exception',
      'failed to create query: Illegal data type of [keyword]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!',
    ],
  ];
  for (const [body, type, reason] of cases) {
    const isIt = (e: unknown) => e instanceof EngineError && e.type === type && e.message === reason;
    assert.throws(() => feature(body), isIt, JSON.stringify(body));
  }
});
