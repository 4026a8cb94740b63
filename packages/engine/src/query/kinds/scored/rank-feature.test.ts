// rank_feature beside a naive twin: every layout of segments, names that begin alike, curves and weights.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../../test/query-run.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

const mappings = {
  properties: {
    rank: { type: 'rank_feature' },
    length: { type: 'rank_feature', positive_score_impact: false },
    topics: { type: 'rank_features' },
  },
};

const NAMES = ['a', 'ab', 'b', 'a\0', ''];
const docs = Array.from({ length: 300 }, (_, i) => {
  const topics = Object.fromEntries(
    NAMES.filter((_name, n) => (i + n) % 3 !== 0).map((name, n) => [name, 0.37 * (1 + ((i * 7 + n) % 29))]),
  );
  const source = i % 5 === 0 ? { topics } : { rank: 1.25 ** (i % 40), length: 1 + (i % 17) * 3.3, topics };
  return { id: String(i), source };
});
type Source = { rank?: number; length?: number; topics: Record<string, number> };

/** The nine significant bits of a value that are stored. */
function stored(value: number): number {
  const float = new Float32Array([value]);
  const bits = new Uint32Array(float.buffer);
  bits[0]! &= 0xffff8000;
  return float[0]!;
}

const value = (source: Source, field: string): number | undefined => {
  if (field === 'length') return source.length && stored(1 / source.length);
  const own = field === 'rank' ? source.rank : source.topics[field.slice('topics.'.length)];
  return own && stored(own);
};

const CURVES: readonly [JsonObject, (v: number) => number][] = [
  [{ saturation: { pivot: 3 } }, (v) => v / (v + 3)],
  [{ sigmoid: { pivot: 2, exponent: 1.5 } }, (v) => v ** 1.5 / (v ** 1.5 + 2 ** 1.5)],
  [{ linear: {} }, (v) => v],
  [{ log: { scaling_factor: 2 } }, (v) => Math.log(2 + v)],
];

const FIELDS = ['rank', 'length', ...NAMES.map((name) => `topics.${name}`), 'topics.none'];

test('scores are those of the naive twin, in every layout', () => {
  for (const layout of [[-300], [100, -150, 50], [7, 290, -3]]) {
    const view = makeView(mappings, docs, layout);
    for (const field of FIELDS) {
      for (const [curve, of] of CURVES) {
        if (field === 'length' && 'log' in curve) continue;
        const found = new Map(run({ rank_feature: { field, ...curve, boost: 1.5 } }, view));
        for (const { id, source } of docs) {
          const own = value(source as Source, field);
          const score = found.get(id);
          if (own === undefined) assert.equal(score, undefined, `${field} of ${id}`);
          else
            assert.ok(Math.abs(score! - 1.5 * of(own)) <= 1e-6 * Math.max(1, of(own)), `${field} of ${id}`);
        }
      }
    }
  }
});

test('the default pivot lies near the mean of the values', () => {
  for (const layout of [[-300], [100, -150, 50]]) {
    const view = makeView(mappings, docs, layout);
    for (const field of FIELDS) {
      const bits = docs.flatMap(({ source }) => {
        const own = value(source as Source, field);
        return own === undefined ? [] : new Uint32Array(new Float32Array([own]).buffer)[0]! >>> 15;
      });
      const mean = Math.trunc(bits.reduce((sum, each) => sum + each, 0) / Math.max(1, bits.length));
      const pivot = new Float32Array(new Uint32Array([mean << 15]).buffer)[0]!;
      for (const [id, score] of run({ rank_feature: { field } }, view)) {
        const own = value(docs[Number(id)]!.source as Source, field)!;
        assert.ok(Math.abs(score - own / (own + pivot)) < 1e-6, `${field} of ${id}`);
      }
    }
  }
});
