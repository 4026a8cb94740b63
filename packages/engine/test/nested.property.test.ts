// Nested objects beside a naive twin over the plain documents: queries, scores, sorts, inner hits and
// aggregations, over random documents in tails and segments, with overwrites, deletes and an older snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type JsonObject, open, type SearchRequest } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

/** An object within a comment. */
interface Reply {
  readonly by: string;
}

interface Comment {
  readonly who: string;
  readonly n: number;
  readonly replies: readonly Reply[];
}

interface Doc {
  readonly tag: string;
  readonly comments: readonly Comment[];
}

const MAPPINGS: JsonObject = {
  properties: {
    tag: { type: 'keyword' },
    comments: {
      type: 'nested',
      properties: {
        who: { type: 'keyword' },
        n: { type: 'long' },
        replies: { type: 'nested', properties: { by: { type: 'keyword' } } },
      },
    },
  },
};

const name = fc.constantFrom('ann', 'bob', 'cy');
const replies = fc.array(fc.record({ by: name }, { noNullPrototype: true }), { maxLength: 3 });
const comments = fc.array(
  fc.record({ who: name, n: fc.integer({ min: 1, max: 5 }), replies }, { noNullPrototype: true }),
  {
    maxLength: 4,
  },
);
const doc: fc.Arbitrary<Doc> = fc.record({ tag: fc.constantFrom('x', 'y'), comments });
const id = fc.integer({ min: 0, max: 14 }).map(String);

type Step =
  | { readonly kind: 'put'; readonly id: string; readonly doc: Doc }
  | { readonly kind: 'delete'; readonly id: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), id, doc }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
);

/** A query on comments, with what it means. */
interface Tested {
  readonly json: JsonObject;
  readonly matches: (comment: Comment) => boolean;
}

const leaf: fc.Arbitrary<Tested> = fc.oneof(
  name.map((who) => ({
    json: { term: { 'comments.who': who } },
    matches: (comment: Comment) => comment.who === who,
  })),
  fc.integer({ min: 1, max: 5 }).map((n) => ({
    json: { range: { 'comments.n': { gte: n } } },
    matches: (comment: Comment) => comment.n >= n,
  })),
  name.map((by) => ({
    json: { nested: { path: 'comments.replies', query: { term: { 'comments.replies.by': by } } } },
    matches: (comment: Comment) => comment.replies.some((reply) => reply.by === by),
  })),
);

const tested: fc.Arbitrary<Tested> = fc.oneof(
  leaf,
  fc.tuple(leaf, leaf).map(([a, b]) => ({
    json: { bool: { filter: [a.json, b.json] } },
    matches: (comment: Comment) => a.matches(comment) && b.matches(comment),
  })),
  fc.tuple(leaf, leaf).map(([a, b]) => ({
    json: { bool: { must: [a.json], must_not: [b.json] } },
    matches: (comment: Comment) => a.matches(comment) && !b.matches(comment),
  })),
  leaf.map((a) => ({
    json: { bool: { must_not: [a.json] } },
    matches: (comment: Comment) => !a.matches(comment),
  })),
);

async function write(engine: Engine, step: Step, docs: Map<string, Doc>): Promise<void> {
  const { id } = step;
  const source = step.kind === 'put' ? { source: Buffer.from(JSON.stringify(step.doc)) } : {};
  await engine.write([{ kind: step.kind === 'put' ? 'index' : 'delete', index: 'a', id, ...source }]);
  docs.delete(id);
  if (step.kind === 'put') docs.set(id, step.doc);
}

const MODES = {
  sum: (scores: readonly number[]) => scores.reduce((a, b) => a + b),
  avg: (scores: readonly number[]) => scores.reduce((a, b) => a + b) / scores.length,
  min: (scores: readonly number[]) => Math.min(...scores),
  max: (scores: readonly number[]) => Math.max(...scores),
};

/** Searches, and compares everything that can be said of the documents. */
async function compare(
  engine: Engine,
  docs: ReadonlyMap<string, Doc>,
  { json, matches }: Tested,
  mode: keyof typeof MODES,
  at: Pick<SearchRequest, 'snapshot'>,
): Promise<void> {
  const search = (request: Partial<SearchRequest>) =>
    engine.search({ indices: ['a'], size: 100, ...at, ...request });
  const scored = {
    function_score: { query: json, field_value_factor: { field: 'comments.n' }, boost_mode: 'replace' },
  };
  const found = await search({
    query: { nested: { path: 'comments', query: scored, score_mode: mode, inner_hits: { size: 100 } } },
  });
  const wanted = [...docs].flatMap(([id, { comments }]) => {
    const own = comments.flatMap((comment, offset) => (matches(comment) ? [{ comment, offset }] : []));
    return own.length === 0 ? [] : [{ id, own }];
  });
  const scoreOf = (own: readonly { readonly comment: Comment }[]): number =>
    Math.fround(MODES[mode](own.map(({ comment }) => comment.n)));
  assert.deepEqual(
    new Map(found.hits.map((hit) => [hit.id, Math.fround(hit.score)])),
    new Map(wanted.map(({ id, own }) => [id, scoreOf(own)])),
  );
  for (const hit of found.hits) {
    const { own } = wanted.find((each) => each.id === hit.id)!;
    const inner = hit.innerHits!.get('comments')!.result;
    assert.equal(inner.total!.value, own.length);
    assert.deepEqual(
      inner.hits.map((each) => [
        each.nested!.offset,
        JSON.parse(Buffer.from(each.source).toString()).comments,
      ]),
      own
        .toSorted((a, b) => b.comment.n - a.comment.n || a.offset - b.offset)
        .map(({ comment, offset }) => [offset, comment]),
    );
  }
  await compareSort(search, docs, { json, matches });
  await compareBuckets(search, docs, { json, matches });
}

async function compareSort(
  search: (request: Partial<SearchRequest>) => ReturnType<Engine['search']>,
  docs: ReadonlyMap<string, Doc>,
  { json, matches }: Tested,
): Promise<void> {
  const nested = { path: 'comments', filter: json };
  const { hits } = await search({
    sort: [
      { 'comments.n': { order: 'desc', mode: 'max', nested } },
      { 'comments.who': { order: 'asc', nested } },
    ],
  });
  const keys = [...docs].map(([id, { comments }]) => {
    const own = comments.filter(matches);
    const who = own.map((comment) => comment.who).sort()[0] ?? '~';
    return { id, n: own.length === 0 ? -1 : Math.max(...own.map(({ n }) => n)), who };
  });
  keys.sort((a, b) => b.n - a.n || (a.who < b.who ? -1 : a.who > b.who ? 1 : a.id < b.id ? -1 : 1));
  assert.deepEqual(
    hits.map((hit) => hit.id),
    keys.map((key) => key.id),
  );
}

async function compareBuckets(
  search: (request: Partial<SearchRequest>) => ReturnType<Engine['search']>,
  docs: ReadonlyMap<string, Doc>,
  { json, matches }: Tested,
): Promise<void> {
  const tags = { tags: { terms: { field: 'tag' } } };
  const inner = {
    who: {
      terms: { field: 'comments.who' },
      aggs: { n: { sum: { field: 'comments.n' } }, back: { reverse_nested: {}, aggs: tags } },
    },
    replies: {
      nested: { path: 'comments.replies' },
      aggs: { up: { reverse_nested: { path: 'comments' }, aggs: { n: { sum: { field: 'comments.n' } } } } },
    },
  };
  const { aggregations } = await search({
    size: 0,
    aggregations: {
      all: { nested: { path: 'comments' }, aggs: { some: { filter: json, aggs: inner } } },
    },
  });
  const shown = plain(aggregations);
  const own = [...docs.values()].flatMap((each) =>
    each.comments.filter(matches).map((comment) => ({ comment, doc: each })),
  );
  const answered = own.filter(({ comment }) => comment.replies.length > 0);
  const sum = (list: typeof own): number => list.reduce((total, { comment }) => total + comment.n, 0);
  const who: Record<string, unknown> = {};
  for (const [key, members] of Object.entries(Object.groupBy(own, ({ comment }) => comment.who))) {
    const parents = new Set(members!.map((member) => member.doc));
    const tagged = Object.groupBy(parents, ({ tag }) => tag);
    who[key] = {
      count: members!.length,
      n: sum(members!),
      back: {
        count: parents.size,
        tags: Object.fromEntries(Object.entries(tagged).map(([tag, list]) => [tag, { count: list!.length }])),
      },
    };
  }
  const count = [...docs.values()].reduce((total, { comments }) => total + comments.length, 0);
  const count2 = own.reduce((total, { comment }) => total + comment.replies.length, 0);
  assert.deepEqual(shown, {
    all: {
      count,
      some: {
        count: own.length,
        who,
        replies: { count: count2, up: { count: answered.length, n: sum(answered) } },
      },
    },
  });
}

/** Results as nested objects of counts and sums. */
function plain(results: Awaited<ReturnType<Engine['search']>>['aggregations']): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, result] of results ?? []) {
    if (result.shape === 'metric') out[name] = result.members['value'];
    if (result.shape === 'bucket') out[name] = { count: result.docCount, ...plain(result.aggregations) };
    if (result.shape === 'buckets') {
      out[name] = Object.fromEntries(
        result.buckets.map((bucket) => [
          String(bucket.members['key']),
          { count: bucket.docCount, ...plain(bucket.aggregations) },
        ]),
      );
    }
  }
  return out;
}

test('nested objects are found, scored, sorted, shown and counted as a naive twin does', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 30 }),
    fc.array(step, { maxLength: 15 }),
    fc.array(tested, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...(Object.keys(MODES) as (keyof typeof MODES)[])),
    fc.constantFrom(3, 8, 64),
    async (first, second, queries, mode, tailDocs) => {
      const engine = await open('', { disk: new SimulatedDisk(), tailDocs });
      await engine.indices.create('a', { mappings: MAPPINGS });
      const docs = new Map<string, Doc>();
      for (const each of first) await write(engine, each, docs);
      const lease = engine.openLease({ kind: 'pit', keepAliveMs: 60_000, indices: ['a'] });
      const before = new Map(docs);
      for (const query of queries.slice(1)) await compare(engine, docs, query, mode, {});
      for (const each of second) await write(engine, each, docs);
      for (const query of queries) await compare(engine, docs, query, mode, {});
      for (const query of queries) await compare(engine, before, query, mode, { snapshot: lease.snapshot });
      await engine.close();
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test('objects of one document lie in several parts', async () => {
  const engine = await open('', { disk: new SimulatedDisk() });
  await engine.indices.create('a', {
    mappings: MAPPINGS,
    settings: { 'index.mapping.nested_objects.limit': '200000' },
  });
  const COUNT = 70_000;
  const list = Array.from({ length: COUNT }, (_, n) => ({ who: n % 2 === 0 ? 'ann' : 'bob', n }));
  const put = (id: string, comments: unknown): Promise<unknown> =>
    engine.write([{ kind: 'index', index: 'a', id, source: Buffer.from(JSON.stringify({ comments })) }]);
  await put('small', [{ who: 'ann', n: 3 }]);
  await put('large', list);
  const query = {
    nested: {
      path: 'comments',
      query: {
        bool: { filter: [{ term: { 'comments.who': 'bob' } }, { range: { 'comments.n': { gte: 66_001 } } }] },
      },
      inner_hits: { size: 1, sort: [{ 'comments.n': 'desc' }] },
    },
  };
  const found = await engine.search({ indices: ['a'], query });
  assert.deepEqual(
    found.hits.map((hit) => hit.id),
    ['large'],
  );
  const inner = found.hits[0]!.innerHits!.get('comments')!.result;
  assert.deepEqual([inner.total!.value, inner.hits[0]!.nested!.offset], [2_000, COUNT - 1]);
  const sorted = await engine.search({
    indices: ['a'],
    sort: [{ 'comments.n': { order: 'desc', mode: 'sum', nested: { path: 'comments' } } }],
  });
  assert.deepEqual(
    sorted.hits.map((hit) => hit.sort),
    [[(COUNT * (COUNT - 1)) / 2], [3]],
  );
  const { aggregations } = await engine.search({
    indices: ['a'],
    size: 0,
    aggregations: {
      c: { nested: { path: 'comments' }, aggs: { back: { reverse_nested: {} } } },
    },
  });
  assert.deepEqual(plain(aggregations), { c: { count: COUNT + 1, back: { count: 2 } } });
  await engine.close();
});
