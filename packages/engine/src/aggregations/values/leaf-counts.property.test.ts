// The matches of a leaf count at once as they do document by document, whatever matches and whichever moment is asked for next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aggregate, plainResults, type TwinIndex } from '../../../test/aggregation-world.ts';
import { makeView } from '../../../test/query-world.ts';
import type { JsonObject } from '../../json/value.ts';
import type { LeafView, NumericColumn } from '../../segment/leaf.ts';
import { leafOrdinals } from './leaf-ordinals.ts';

const FIRST_DEATH = 1_000;
/** With it, every document is looked at. */
const LOOKS_AT_EACH = { terminateAfter: 1_000_000_000 };
const properties: JsonObject = {
  one: { type: 'long' },
  many: { type: 'long' },
  word: { type: 'keyword' },
  words: { type: 'keyword' },
  day: { type: 'date' },
  real: { type: 'double' },
};
/** Levels that only count, below an aggregation. */
function below(outer: JsonObject, name: string): JsonObject {
  const word = { terms: { field: 'word', exclude: ['b'], order: { _key: 'asc' } } };
  const one = { terms: { field: 'one', order: { _key: 'asc' } } };
  return {
    [`${name}1`]: { ...outer, aggs: { word, one } },
    [`${name}2`]: {
      ...outer,
      aggs: { month: { date_histogram: { field: 'day', calendar_interval: 'month' } } },
    },
    [`${name}3`]: { ...outer, aggs: { word, words: { terms: { field: 'words' } } } },
    [`${name}4`]: { ...outer, aggs: { missing: { terms: { field: 'one', missing: 3 } } } },
  };
}

const AGGREGATIONS: JsonObject = {
  a: { terms: { field: 'one', order: { _key: 'asc' } } },
  b: { terms: { field: 'many', missing: 3, order: { _key: 'asc' } } },
  c: { terms: { field: 'word', order: { _key: 'asc' } } },
  d: { terms: { field: 'words', exclude: ['b'], order: { _key: 'asc' } } },
  e: { histogram: { field: 'many', interval: 4 } },
  f: { date_histogram: { field: 'day', calendar_interval: 'month' } },
  g: { range: { field: 'one', ranges: [{ to: 4 }, { from: 2, to: 9 }, { from: 7 }] } },
  h: { range: { field: 'many', ranges: [{ to: 4 }, { from: 2, to: 9 }, { from: 7 }] } },
  i: { cardinality: { field: 'words' } },
  j: { cardinality: { field: 'many' } },
  k: { composite: { size: 3, sources: [{ w: { terms: { field: 'word' } } }], after: { w: 'a' } } },
  l: { composite: { size: 3, sources: [{ n: { terms: { field: 'many' } } }] } },
  m: { rare_terms: { field: 'one', max_doc_count: 3 } },
  n: { stats: { field: 'one' } },
  o: { extended_stats: { field: 'many', missing: 5 } },
  p: { sum: { field: 'real' } },
  q: { min: { field: 'day' } },
  r: { max: { field: 'many' } },
  s: {
    terms: { field: 'one' },
    aggs: { t: { terms: { field: 'words' }, aggs: { u: { avg: { field: 'real' } } } } },
  },
  ...below({ terms: { field: 'word', order: { _key: 'asc' } } }, 'w'),
  ...below({ date_histogram: { field: 'day', calendar_interval: 'month' } }, 'x'),
  ...below({ terms: { field: 'one', missing: 5, order: { _key: 'asc' } } }, 'y'),
  v: { multi_terms: { terms: [{ field: 'word' }, { field: 'one' }, { field: 'many' }] } },
};
const QUERIES: readonly JsonObject[] = [
  { match_all: {} },
  { range: { one: { gte: 3, lt: 10 } } },
  { bool: { must_not: { term: { word: 'a' } } } },
  { exists: { field: 'many' } },
];

const value = fc.integer({ min: 0, max: 12 });
const text = fc.constantFrom('a', 'b', 'c', 'dd', 'e');
const document = fc.record(
  {
    one: value,
    many: fc.array(value, { maxLength: 3 }),
    word: text,
    words: fc.array(text, { maxLength: 3 }),
    day: fc.integer({ min: 0, max: 300 }).map((day) => day * 86_400_000),
    real: fc.integer({ min: -40, max: 40 }).map((n) => n / 8),
  },
  { requiredKeys: [] },
);
/** Every document has one value of each field. */
const fullDocument = fc.record({
  one: value,
  many: value,
  word: text,
  words: text,
  day: fc.integer({ min: 0, max: 300 }).map((day) => day * 86_400_000),
  real: fc.integer({ min: -40, max: 40 }).map((n) => n / 8),
});

/** A leaf when so many of its documents have died. */
function afterDeaths(view: LeafView, deathCount: number): LeafView {
  const live = view.leaf.deaths.liveAt(FIRST_DEATH + deathCount);
  return { ...view, live, liveCount: view.docCount - deathCount, deathCount };
}

test('counts of a leaf are not used for ordinals that were given out anew', async () => {
  const sources = Array.from({ length: 40 }, (_, i) => ({ id: `doc${i}`, source: { one: i < 16 ? 1 : 2 } }));
  const index: TwinIndex = { view: makeView({ properties }, sources, [1]), docs: [] };
  const histogram = async (query: JsonObject): Promise<unknown> =>
    plainResults(await aggregate([index], { h: { histogram: { field: 'one', interval: 1 } } }, { query }));
  await histogram({ term: { one: 2 } });
  const before = await histogram({ match_all: {} });
  // So many that those of the leaf go.
  const empty = { starts: undefined, hi: new Uint32Array(0) } as unknown as NumericColumn;
  for (let i = 0; i < 1_000; i++) leafOrdinals(`other ${i}`, empty, 0);
  assert.deepEqual(await histogram({ match_all: {} }), before);
});

test('leaves are counted at once as they are document by document, at any moment', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array<JsonObject>(document, { minLength: 2, maxLength: 90 }),
        fc.array<JsonObject>(fullDocument, { minLength: 2, maxLength: 90 }),
      ),
      fc.constantFrom([1], [3], [-4], [2, -6]),
      fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { minLength: 2, maxLength: 4 }),
      fc.constantFrom(...QUERIES),
      async (docs, layout, deaths, moments, query) => {
        const sources = docs.map((source, i) => ({ id: `doc${i}`, source }));
        const view = makeView({ properties }, sources, layout);
        for (const { leaf } of view.leaves)
          for (const doc of deaths)
            if (!leaf.deaths.isDead(doc % leaf.docCount))
              leaf.deaths.append(doc % leaf.docCount, FIRST_DEATH + leaf.deaths.count + 1);
        for (const moment of moments) {
          const leaves = view.leaves.map((each) => afterDeaths(each, moment % (each.leaf.deaths.count + 1)));
          const index: TwinIndex = { view: { ...view, leaves }, docs: [] };
          const atOnce = plainResults(await aggregate([index], AGGREGATIONS, { query }));
          const each = plainResults(await aggregate([index], AGGREGATIONS, { query, ...LOOKS_AT_EACH }));
          assert.deepEqual(atOnce, each);
        }
      },
    ),
    { numRuns: 60 },
  );
});
