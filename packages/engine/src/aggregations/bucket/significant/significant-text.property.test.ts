// Significant texts have the counts that the words of plain documents give, and leave out copies.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aggregate, plainResults } from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import { worldServices } from '../../../../test/search-world.ts';
import type { JsonObject } from '../../../json/value.ts';

interface Doc {
  readonly t?: string | readonly string[];
  readonly [name: string]: unknown;
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly score: number;
  readonly bg_count: number;
}

interface Shown {
  readonly doc_count: number;
  readonly bg_count: number;
  readonly buckets: readonly Bucket[];
}

const MAPPING = {
  properties: {
    t: { type: 'text' },
    k: { type: 'keyword' },
    b: { type: 'boolean' },
    n: { type: 'long' },
    o: { type: 'object', enabled: false },
  },
};

/** Runs aggregations over the documents with b: true. */
async function run(
  docs: readonly Doc[],
  aggregations: JsonObject,
  query: JsonObject = { term: { b: true } },
): Promise<Record<string, unknown>> {
  const view = makeView(
    MAPPING,
    docs.map((source, i) => ({ id: String(i), source })),
    [-5, 3, -8],
  );
  const readSource = (_chunk: number, offset: number): Uint8Array =>
    new TextEncoder().encode(JSON.stringify(docs[offset]));
  return plainResults(
    await aggregate([{ view, docs: [] }], aggregations, { query }, { ...worldServices(), readSource }),
  );
}

const WORDS = ['good', 'bad', 'Ugly', 'nice', 'red', 'green'];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' '));
const docs: fc.Arbitrary<Doc[]> = fc.array(
  fc.record(
    { t: fc.oneof(text, fc.array(text, { maxLength: 2 })), b: fc.boolean(), k: fc.constantFrom('x', 'y') },
    { requiredKeys: ['b', 'k'] },
  ),
  { maxLength: 30 },
);

const wordsOf = ({ t }: Doc): string[] =>
  [...new Set([t ?? []].flat().flatMap((each) => each.toLowerCase().split(' ')))].filter(
    (word) => word !== '',
  );

function twin(own: readonly Doc[], all: readonly Doc[]): Shown {
  const count = (docs: readonly Doc[], word: string): number =>
    docs.filter((doc) => wordsOf(doc).includes(word)).length;
  const buckets = WORDS.map((word) => word.toLowerCase())
    .map((key) => ({
      key,
      doc_count: count(own, key),
      score: count(own, key) / count(all, key),
      bg_count: count(all, key),
    }))
    .filter(({ doc_count: own }) => own >= 2)
    .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  return { doc_count: own.length, bg_count: all.length, buckets };
}

test('significant texts count each word once for a document, in each bucket', async () => {
  const significant = { significant_text: { field: 't', min_doc_count: 2, percentage: {} } };
  await fc.assert(
    fc.asyncProperty(docs, async (docs) => {
      const results = await run(docs, {
        a: significant,
        k: { terms: { field: 'k', order: { _key: 'asc' } }, aggs: { a: significant } },
      });
      const own = docs.filter(({ b }) => b === true);
      assert.deepEqual(results['a'], twin(own, docs));
      const { buckets } = results['k'] as { buckets: { key: string; a: Shown }[] };
      for (const { key, a } of buckets)
        assert.deepEqual(
          a,
          twin(
            own.filter(({ k }) => k === key),
            docs,
          ),
        );
    }),
    { numRuns: 60 },
  );
});

test('texts that are copies are left out where asked', async () => {
  const texts = [
    ['good noisewords1 g1 g2 g3 g4 g5 g6', 'good'],
    ['good  noisewords2 g1 g2 g3 g4 g5 g6', 'good'],
    ['bad noisewords3 b1 b2 b3 b4 b5 b6', 'bad'],
    ['bad noisewords4 b1 b2 b3 b4 b5 b6', 'bad'],
    ['good bad noisewords5 gb1 gb2 gb3 gb4 gb5 gb6', 'good'],
    ['good bad noisewords6 gb1 gb2 gb3 gb4 gb5 gb6', 'bad'],
    ['bad noisewords7 b1 b2 b3 b4 b5 b6', 'bad'],
  ];
  const a = { significant_text: { field: 't', filter_duplicate_text: true } };
  const { k } = await run(
    texts.map(([t, k]) => ({ t: t!, k })),
    { k: { terms: { field: 'k' }, aggs: { a } } },
    { match_all: {} },
  );
  const keys = (k as { buckets: { a: Shown }[] }).buckets.map(({ a }) => a.buckets.map(({ key }) => key));
  assert.deepEqual(keys, [['bad'], ['good']]);
});

test('texts may come from other fields of the source', async () => {
  const documents = [
    { b: true, o: { x: [{ y: 'Good' }, { y: 'bad' }] }, t: 'good' },
    { b: true, 'o.x': { y: 'good' } },
    { t: 'good' },
  ];
  const { a } = await run(documents as Doc[], {
    a: { significant_text: { field: 't', source_fields: ['o.x.y'], min_doc_count: 2 } },
  });
  assert.deepEqual(
    (a as Shown).buckets.map(({ key, doc_count: own, bg_count: all }) => [key, own, all]),
    [['good', 2, 2]],
  );
});

const DOCS: readonly Doc[] = [
  { t: 'slow good good', b: false, n: 4 },
  { t: 'bad bad green', b: false, n: 12 },
  { t: 'nice slow green', b: false, n: 2 },
  { t: 'bad green nice', b: true, n: 11 },
  { t: 'green slow green', b: false, n: 9 },
  { t: 'slow bad red', b: false, n: 2 },
  { t: 'good nice nice', b: true, n: 12 },
  { t: 'fast green ugly', b: false, n: 9 },
  { t: 'green ugly ugly', b: true, n: 3 },
  { t: 'nice slow bad', b: false, n: 9 },
  { t: 'fast slow good', b: true, n: 7 },
  { t: 'green good ugly', b: true, n: 8 },
  { t: 'ugly nice red', b: false, n: 2 },
  { t: 'ugly slow slow', b: false, n: 6 },
  { t: 'green nice bad', b: true, n: 4 },
  { t: 'fast nice fast', b: true, n: 2 },
  { t: 'bad nice red', b: false, n: 6 },
  { t: 'fast green red', b: false, n: 4 },
  { t: 'green green fast', b: false, n: 4 },
  { t: 'green fast ugly', b: false, n: 6 },
  { t: 'bad red green', b: true, n: -2 },
  { t: 'good ugly red', b: true, n: 9 },
  { t: 'fast nice bad', b: false, n: -2 },
  { t: 'good fast slow', b: false, n: 6 },
  { t: 'good slow red', b: false, n: 8 },
  { t: 'red bad bad', b: true, n: -3 },
  { t: 'slow slow fast', b: true, n: 5 },
  { t: 'slow nice red', b: false, n: 1 },
  { t: 'red good red', b: false, n: 0 },
  { t: 'red bad bad', b: true, n: 0 },
  { t: 'fast green nice', b: true, n: 9 },
  { t: 'bad nice nice', b: false, n: 2 },
  { t: 'green red fast', b: true, n: 2 },
  { t: 'bad fast bad', b: true, n: 5 },
  { t: 'nice slow red', b: false, n: 12 },
  { t: 'green red bad', b: false, n: 11 },
  { t: 'good red good', b: true, n: -2 },
  { t: 'nice nice bad', b: true, n: 11 },
  { t: 'nice fast ugly', b: false, n: 7 },
  { t: 'good green ugly', b: false, n: 8 },
  { t: 'slow slow bad', b: false, n: 8 },
  { t: 'fast slow nice', b: false, n: 0 },
  { t: 'nice red good', b: true, n: 2 },
  { t: 'ugly red good', b: false, n: 8 },
  { t: 'red slow fast', b: true, n: 0 },
  { t: 'red good red', b: false, n: 2 },
  { t: 'green slow good', b: false, n: 6 },
  { t: 'bad fast good', b: false, n: 4 },
  { t: 'fast good ugly', b: true, n: 6 },
  { t: 'good red red', b: false, n: 7 },
  { t: 'nice good good', b: false, n: 3 },
  { t: 'slow ugly nice', b: false, n: 12 },
  { t: 'fast fast bad', b: false, n: -2 },
  { t: 'fast fast slow', b: true, n: 1 },
  { t: 'good slow bad', b: true, n: 2 },
  { t: 'ugly good green', b: true, n: 4 },
  { t: 'red slow ugly', b: false, n: 11 },
  { t: 'fast nice bad', b: true, n: -3 },
  { t: 'nice red slow', b: false, n: 12 },
  { t: 'bad slow slow', b: true, n: 10 },
];

/**
 * Answers of OpenSearch 3.1 over these documents with b: true: members, and key, count, score and background of buckets,
 * terms of equal scores by key.
 */
const ANSWERS: readonly (readonly [JsonObject, readonly (readonly (string | number)[])[]])[] = [
  [
    {},
    [
      ['bad', 10, 0.08000000000000006, 20],
      ['fast', 10, 0.08000000000000006, 20],
      ['good', 9, 0.028800000000000006, 20],
      ['green', 8, 0.021333333333333353, 18],
    ],
  ],
  [
    { include: '[gb].*', background_filter: { range: { n: { gt: 4 } } } },
    [
      ['bad', 10, 0.1511111111111111, 9],
      ['good', 9, 0.005236363636363604, 11],
    ],
  ],
  [
    { chi_square: {}, size: 2 },
    [
      ['bad', 10, 0.8571428571428571, 20],
      ['fast', 10, 0.8571428571428571, 20],
    ],
  ],
  [
    { exclude: ['bad', 'good'] },
    [
      ['fast', 10, 0.08000000000000006, 20],
      ['green', 8, 0.021333333333333353, 18],
    ],
  ],
];

test('texts are those of the peer', async () => {
  for (const [members, expected] of ANSWERS) {
    const { a } = await run(DOCS, { a: { significant_text: { field: 't', min_doc_count: 1, ...members } } });
    const rows = (a as Shown).buckets.map((each) => [each.key, each.doc_count, each.score, each.bg_count]);
    assert.deepEqual(rows, expected);
  }
});

test('what cannot be read is refused', async () => {
  const significant = (members: JsonObject, more: JsonObject = {}): Promise<unknown> =>
    run([], { a: { significant_text: { field: 't', ...members }, ...more } });
  await assert.rejects(
    significant({ field: 'n' }),
    /Field \[n\] of type \[long\] is not supported for aggregation \[significant_text\]/,
  );
  await assert.rejects(significant({ shard_size: 0 }), /failed to parse field \[shard_size\]/);
  await assert.rejects(significant({ missing: 'x' }), /unknown field \[missing\]/);
  await assert.rejects(
    significant({}, { aggs: { s: { sum: { field: 'n' } } } }),
    /cannot accept sub-aggregations/,
  );
  await assert.rejects(run([], { a: { significant_text: {} } }), /\[field\] must be set/);
  assert.deepEqual(await run([], { a: { significant_text: { field: 'unmapped' } } }), { a: { buckets: [] } });
});
