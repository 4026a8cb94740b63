// Explanations against hits, over random queries: the root of every explanation is the score of its hit, and `_explain`
// matches exactly the documents that the search finds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { server } from './ask.ts';

const WORDS = ['red', 'green', 'blue', 'dark', 'light'];
const word = fc.constantFrom(...WORDS, 'absent');
const text = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const field = fc.constantFrom('t', 'u', 'plain', 'simple');
const boost = fc.constantFrom(1, 1, 0.5, 2.5, 3);

const span = fc.record({ field: fc.constant('t'), word, boost });
const simple = fc.oneof(
  fc.record({ field, query: text, boost, operator: fc.constantFrom('or', 'and') }).map((each) => {
    const { field: path, ...match } = each;
    return { match: { [path]: match } };
  }),
  fc.record({ field, query: text, boost, slop: fc.constantFrom(0, 2) }).map((each) => {
    const { field: path, ...phrase } = each;
    return { match_phrase: { [path]: phrase } };
  }),
  fc
    .record({ query: text, type: fc.constantFrom('best_fields', 'most_fields', 'cross_fields') })
    .map((each) => ({ multi_match: { ...each, fields: ['t', 'u^2'] } })),
  fc.record({ query: text, boost }).map((each) => ({ combined_fields: { ...each, fields: ['t', 'u'] } })),
  fc.record({ value: fc.constantFrom('a', 'b', 'c'), boost }).map((term) => ({ term: { k: term } })),
  fc.record({ gte: fc.nat(9), boost }).map((range) => ({ range: { n: range } })),
  fc.record({ boost }).map((all) => ({ match_all: all })),
  fc.record({ boost }).map((each) => ({ exists: { field: 'n', ...each } })),
  fc.record({ value: fc.constantFrom('r', 'gr', 'x'), boost }).map((each) => ({ prefix: { t: each } })),
  fc.record({ value: word, boost }).map((each) => ({ fuzzy: { t: each } })),
  fc.record({ boost }).map((each) => ({ rank_feature: { field: 'rank', ...each } })),
  fc
    .record({ boost })
    .map((each) => ({ distance_feature: { field: 'd', origin: '2024-01-05', pivot: '3d', ...each } })),
  fc.tuple(span, span).map(([a, b]) => ({
    span_near: {
      clauses: [a, b].map((each) => ({ span_term: { [each.field]: each.word } })),
      slop: 2,
      in_order: false,
    },
  })),
  text.map((query) => ({ intervals: { t: { match: { query, max_gaps: 3 } } } })),
  text.map((like) => ({ more_like_this: { fields: ['t'], like, min_term_freq: 1, min_doc_freq: 1 } })),
  fc.record({ query: text, score_mode: fc.constantFrom('avg', 'sum', 'min', 'max', 'none') }).map((each) => ({
    nested: { path: 'o', score_mode: each.score_mode, query: { match: { 'o.t': each.query } } },
  })),
);

const { query: queries } = fc.letrec<{ query: object; compound: object }>((tie) => ({
  query: fc.oneof({ maxDepth: 3, withCrossShrink: true }, simple, tie('compound')),
  compound: fc.oneof(
    fc
      .record({
        must: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 3 }),
        filter: fc.array(tie('query'), { maxLength: 1 }),
        must_not: fc.array(tie('query'), { maxLength: 1 }),
        boost,
      })
      .map((bool) => ({ bool })),
    fc
      .record({
        queries: fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
        tie_breaker: fc.constantFrom(0, 0.3, 1),
        boost,
      })
      .map((each) => ({ dis_max: each })),
    fc.record({ filter: tie('query'), boost }).map((each) => ({ constant_score: each })),
    fc
      .record({ positive: tie('query'), negative: tie('query'), boost })
      .map((each) => ({ boosting: { ...each, negative_boost: 0.4 } })),
    fc
      .record({
        query: tie('query'),
        functions: fc.array(
          fc.oneof(
            fc.record({ filter: tie('query'), weight: boost }),
            fc.record({ weight: boost }),
            fc.constant({ field_value_factor: { field: 'n', missing: 2, modifier: 'log1p' }, weight: 3 }),
            fc.constant({ gauss: { n: { origin: 3, scale: 4 } } }),
            fc.constant({ random_score: { seed: 7, field: 'n' } }),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        score_mode: fc.constantFrom('multiply', 'sum', 'avg', 'first', 'max', 'min'),
        boost_mode: fc.constantFrom('multiply', 'replace', 'sum', 'avg', 'max', 'min'),
        boost,
      })
      .map((each) => ({ function_score: each })),
    fc.tuple(tie('query'), boost).map(([inner, own]) => ({
      script_score: { query: inner, script: { source: '_score * 2 + 1' }, boost: own },
    })),
  ),
}));

interface Tree {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Tree[];
}

/** Sums, products and bounds are those of their parts. */
function checkParts({ value, description, details }: Tree, asked: string): void {
  const values = details.map((part) => part.value);
  const sum = values.reduce((a, b) => a + b, 0);
  const tie = /^max plus (.+) times others of:$/.exec(description)?.[1];
  const expected =
    description === 'sum of:'
      ? sum
      : /^product of:|^score\(freq=/.test(description)
        ? values.reduce((a, b) => a * b, 1)
        : description === 'max of:' || tie !== undefined
          ? Math.max(...values) + (sum - Math.max(...values)) * Number(tie ?? 0)
          : value;
  assert.ok(Math.abs(value - expected) <= 1e-5 * Math.abs(expected) + 1e-9, `${description} ${asked}`);
  for (const part of details) checkParts(part, asked);
}

test('the root of an explanation is the score of its hit', async () => {
  const { ask } = await server();
  const mappings = {
    properties: {
      t: { type: 'text' },
      u: { type: 'text' },
      plain: { type: 'text', norms: false },
      simple: { type: 'text', similarity: 'boolean' },
      k: { type: 'keyword' },
      n: { type: 'integer' },
      d: { type: 'date' },
      rank: { type: 'rank_feature' },
      o: { type: 'nested', properties: { t: { type: 'text' } } },
    },
  };
  await ask('PUT /x', { mappings });
  const ids: string[] = [];
  for (let i = 0; i < 24; i++) {
    const words = (n: number): string =>
      Array.from({ length: n }, (_, j) => WORDS[(i * 7 + j * (1 + (i % 3))) % WORDS.length]).join(' ');
    const doc = {
      ...{ t: words(1 + (i % 5)), u: words(1 + (i % 2)), plain: words(3), simple: words(2) },
      ...{ k: ['a', 'b', 'c'][i % 3], d: `2024-01-${10 + (i % 9)}`, rank: 1 + i },
      ...(i % 4 === 0 ? {} : { n: i % 9 }),
      o: Array.from({ length: i % 3 }, (_, j) => ({ t: words(j + 1) })),
    };
    ids.push(`${i}`);
    await ask(`PUT /x/_doc/${i}`, doc);
    if (i % 10 === 9) await ask('POST /x/_flush?force=true');
  }
  await ask('DELETE /x/_doc/3');
  await ask('POST /x/_refresh');
  const property = fc.asyncProperty(queries, fc.constantFrom(...ids), async (query, id) => {
    const { status, body } = await ask('POST /x/_search', { query, explain: true, size: 30, _source: false });
    const asked = JSON.stringify(query);
    assert.equal(status, 200, `${asked} ${JSON.stringify(body)}`);
    const { hits } = body.hits;
    for (const { _score, _explanation } of hits) {
      assert.equal(_explanation.value, _score, asked);
      checkParts(_explanation, asked);
    }
    const own = await ask(`POST /x/_explain/${id}`, { query });
    const hit = hits.find(({ _id }: { _id: string }) => _id === id);
    if (id === '3') assert.equal(own.status, 404);
    else assert.equal(own.body.matched, hit !== undefined, asked);
    if (hit !== undefined) assert.equal(own.body.explanation.value, hit._score, asked);
  });
  await fc.assert(property, { numRuns: 120, seed: 5 });
});
