// Samples hold the best documents of each index and bucket, and what is below them sees no others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aggregate,
  checkTwin,
  numbersOf,
  plainResults,
  type TwinDoc,
  type TwinIndex,
} from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

const total = (docs: readonly TwinDoc[], field: 'n' | 'f'): number =>
  docs.flatMap((doc) => numbersOf(doc, field)).reduce((a, b) => a + b, 0);

const shown = (docs: readonly TwinDoc[]): object => ({
  doc_count: docs.length,
  s: { value: total(docs, 'f') },
});

/** The first documents of each index, best first: those with `b` true score higher. */
function sample(
  indices: readonly TwinIndex[],
  keep: (doc: TwinDoc, before: readonly TwinDoc[]) => boolean,
  size: number,
): TwinDoc[] {
  return indices.flatMap(({ docs }) => {
    const kept: TwinDoc[] = [];
    const score = (doc: TwinDoc): number => (doc.b === true ? 1 : 0);
    for (const doc of docs.toSorted((a, b) => score(b) - score(a)))
      if (kept.length < size && keep(doc, kept)) kept.push(doc);
    return kept;
  });
}

const query: JsonObject = {
  bool: { must: { match_all: {} }, should: { constant_score: { filter: { term: { b: true } }, boost: 2 } } },
};
const aggs: JsonObject = { s: { sum: { field: 'f' } } };

test('a sample has the best documents of each index', async () => {
  await checkTwin(
    { sampler: { shard_size: 4 }, aggs },
    (_, indices) => shown(sample(indices, () => true, 4)),
    { request: { query } },
  );
});

test('each bucket above has its own sample, and orders by it', async () => {
  await checkTwin(
    {
      filters: { filters: [{ exists: { field: 'k' } }, { match_all: {} }] },
      aggs: { q: { sampler: { shard_size: 3 }, aggs } },
    },
    (docs, indices) => ({
      buckets: [(doc: TwinDoc) => doc.k !== undefined, () => true].map((matches) => ({
        doc_count: docs.filter(matches).length,
        q: shown(sample(indices, matches, 3)),
      })),
    }),
    { request: { query } },
  );
});

test('a diversified sample limits documents of one value', async () => {
  const keyOf = (doc: TwinDoc): number => (doc.b === true ? 1 : 0);
  await checkTwin(
    { diversified_sampler: { field: 'b', shard_size: 5, max_docs_per_value: 3 }, aggs },
    (_, indices) =>
      shown(
        sample(indices, (doc, before) => before.filter((each) => keyOf(each) === keyOf(doc)).length < 3, 5),
      ),
    { request: { query } },
  );
});

test('a document without a value counts with those of the first term of its index', async () => {
  const index = (...terms: readonly (string | undefined)[]): TwinIndex => {
    const documents = terms.map((k, n) => ({ id: String(n), source: k === undefined ? {} : { k } }));
    const view = makeView({ properties: { k: { type: 'keyword' } } }, documents, [1, documents.length - 1]);
    return { view: { ...view, name: terms.join() }, docs: [] };
  };
  const left = index('a', 'c', undefined);
  const right = index('c', 'b', undefined, 'b', undefined);
  const samples = {
    a: { diversified_sampler: { field: 'k' }, aggs: { c: { value_count: { field: 'k' } } } },
  };
  const sampled = async (...indices: TwinIndex[]): Promise<unknown> =>
    plainResults(await aggregate(indices, samples))['a'];
  assert.deepEqual(await sampled(left), { doc_count: 2, c: { value: 2 } });
  assert.deepEqual(await sampled(right), { doc_count: 2, c: { value: 2 } });
  assert.deepEqual(await sampled(left, right), { doc_count: 4, c: { value: 4 } });
  assert.deepEqual(await sampled(index(undefined, undefined), left), { doc_count: 3, c: { value: 2 } });
});

test('a sample below a sample', async () => {
  await checkTwin(
    { sampler: { shard_size: 6 }, aggs: { q: { sampler: { shard_size: 2 }, aggs } } },
    (_, indices) => ({
      doc_count: sample(indices, () => true, 6).length,
      q: shown(sample(indices, () => true, 2)),
    }),
    { request: { query } },
  );
});

test('an index that does not map the field has no samples', async () => {
  const source = { k: 'a', n: 1 };
  const [mapped, unmapped] = [{ k: { type: 'keyword' } }, {}].map((own) => ({
    view: makeView(
      { dynamic: false, properties: { n: { type: 'long' }, ...own } },
      [{ id: '1', source }],
      [1],
    ),
    docs: [],
  }));
  const samples = { aggs: { s: { sum: { field: 'n' } } } };
  const sampled = async (values: JsonObject, ...indices: TwinIndex[]): Promise<unknown> => {
    const request = { a: { ...samples, diversified_sampler: { field: 'k', ...values } } };
    return plainResults(await aggregate(indices, request))['a'];
  };
  assert.deepEqual(await sampled({}, mapped!, unmapped!), { doc_count: 1, s: { value: 1 } });
  assert.deepEqual(await sampled({}, unmapped!), { doc_count: 0 });
  assert.deepEqual(await sampled({ missing: 'b' }, mapped!, unmapped!), { doc_count: 2, s: { value: 2 } });
});

test('wrong samples are refused', async () => {
  const view = makeView(
    { properties: { k: { type: 'keyword' } } },
    [{ id: '1', source: { k: ['a', 'b'] } }],
    [1],
  );
  const indices = [{ view, docs: [] }];
  const count = { c: { value_count: { field: 'k' } } };
  await assert.rejects(aggregate(indices, { a: { sampler: {} } }), /must be used with child aggregations/);
  await assert.rejects(
    aggregate(indices, { a: { sampler: { x: 1 }, aggs: count } }),
    /Unsupported property "x"/,
  );
  await assert.rejects(
    aggregate(indices, { a: { sampler: { shard_size: 0 }, aggs: count } }),
    /must be greater than 0/,
  );
  await assert.rejects(
    aggregate(indices, { a: { diversified_sampler: { field: 'k' }, aggs: count } }),
    /must be a single valued-field/,
  );
});
