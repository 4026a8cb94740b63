// The match of a document against a filter before the write equals the engine's result after it. Random documents and filters
// run over a real engine. Where the match cannot be decided, it is undefined.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JsonObject } from '@octavo/engine';
import fc from 'fast-check';
import { ownEngine } from '../../../test/own-engine.ts';
import { Undecidable } from './filter-fields.ts';
import { willMatch } from './filter-match.ts';

const { engine, end } = await ownEngine();
after(async () => {
  await end();
});

const mappings: JsonObject = {
  properties: {
    shop: { type: 'keyword' },
    title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 8 } } },
    n: { type: 'integer' },
    x: { type: 'double' },
    on: { type: 'boolean' },
    o: { properties: { k: { type: 'keyword' } } },
    date: { type: 'date' },
    short: { type: 'keyword', normalizer: 'lowercase' },
  },
};
const shops = fc.constantFrom('a', 'b', 'A', '');
const oneOrMore = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T | T[] | null> =>
  fc.oneof(each, fc.array(each, { maxLength: 3 }), fc.constant(null));
const document = fc.record(
  {
    shop: oneOrMore(shops),
    title: oneOrMore(fc.constantFrom('Red fox', 'red', 'a fox, red', 'blue', 'a long title')),
    n: oneOrMore(fc.integer({ min: -3, max: 3 })),
    x: oneOrMore(fc.constantFrom(-1, 0, 0.5, 2)),
    on: oneOrMore(fc.boolean()),
    o: fc.oneof(fc.record({ k: oneOrMore(shops) }), fc.array(fc.record({ k: shops }), { maxLength: 2 })),
    'o.k': shops,
    new: shops,
    date: fc.constant('2026-01-01'),
    short: shops,
  },
  { requiredKeys: [] },
);

const FIELDS = ['shop', 'title', 'title.raw', 'n', 'x', 'on', 'o.k', 'new', 'date', 'short', 'none'];
const values = fc.constantFrom<(string | number | boolean)[]>(
  'a',
  'b',
  'red',
  'fox',
  'Red fox',
  0,
  1,
  0.5,
  true,
);
const on = (field: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  fc.tuple(field, value).map(([name, wanted]) => ({ [name]: wanted }) as JsonObject);
const field = fc.constantFrom(...FIELDS);
const { query } = fc.letrec<{ query: JsonObject; leaf: JsonObject }>((tie) => ({
  leaf: fc.oneof(
    fc.constant({ match_all: {} }),
    on(field, values).map((term) => ({ term })),
    on(field, fc.array(values, { maxLength: 3 })).map((terms) => ({ terms })),
    on(field, values).map((match) => ({ match })),
    on(field, fc.constant({ query: 'fox red', operator: 'and' })).map((match) => ({ match })),
    on(field, fc.record({ gte: fc.integer({ min: -2, max: 2 }), lt: fc.constantFrom(1, 2.5) })).map(
      (range) => ({
        range,
      }),
    ),
    field.map((name) => ({ exists: { field: name } })),
    fc.constant({ ids: { values: ['d1', 'd2'] } }),
    fc.constant({ wildcard: { shop: 'a*' } }),
  ) as fc.Arbitrary<JsonObject>,
  query: fc.oneof(
    { maxDepth: 2 },
    tie('leaf'),
    fc
      .record(
        {
          must: fc.array(tie('query'), { maxLength: 2 }),
          filter: tie('query'),
          should: fc.array(tie('query'), { maxLength: 3 }),
          must_not: tie('query'),
          minimum_should_match: fc.constantFrom(1, 2),
        },
        { requiredKeys: [] },
      )
      .map((bool) => ({ bool }) as JsonObject),
  ),
}));

test('what is told beforehand is what is found afterwards', async () => {
  let told = 0;
  let undecided = 0;
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 3, maxLength: 8 }),
      fc.array(query, { minLength: 12, maxLength: 12 }),
      async (docs, queries) => {
        const index = `i${round++}`;
        await engine.indices.create(index, { mappings, settings: {} });
        const sources = docs.map((doc) => JSON.parse(JSON.stringify(doc)) as JsonObject);
        // Before anything is written: afterwards there would be mappings for what is new.
        const before = queries.map((filter) =>
          sources.map((source, i) => {
            const candidate = {
              engine,
              index,
              mappings: engine.indices.info(index)!.mappings,
              id: `d${i}`,
              source,
            };
            try {
              return willMatch(filter, candidate);
            } catch (error) {
              assert.ok(error instanceof Undecidable, String(error));
              return undefined;
            }
          }),
        );
        for (const [i, source] of sources.entries()) {
          const bytes = Buffer.from(JSON.stringify(source));
          const [result] = await engine.write([{ kind: 'index', index, id: `d${i}`, source: bytes }]);
          assert.equal(result!.error, undefined);
        }
        for (const [q, filter] of queries.entries()) {
          let found: Set<string>;
          try {
            const result = await engine.search({
              indices: [index],
              query: filter,
              size: 100,
              sort: ['_doc'],
            });
            found = new Set(result.hits.map(({ id }) => id));
          } catch (error) {
            // A value that is none of the field's type: such a filter shows nothing, and is no filter of a key.
            if (before[q]!.every((one) => one !== true)) continue;
            throw error;
          }
          for (const [i, one] of before[q]!.entries()) {
            if (one === undefined) undecided++;
            else told++;
            if (one === undefined) continue;
            assert.equal(one, found.has(`d${i}`), `${JSON.stringify(filter)} ${JSON.stringify(sources[i])}`);
          }
        }
        await engine.indices.delete([index]);
      },
    ),
    { numRuns: 40 },
  );
  assert.ok(told > 200 && undecided > 200, `${told} told, ${undecided} undecided`);
});
