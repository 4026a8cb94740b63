// Random queries over random documents match and score as the naive evaluator says, however the documents are
// laid out; and every input ends in an answer or an EngineError.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Oracle, type PlainDoc, type PlainQuery } from '../../test/query-oracle.ts';
import { run } from '../../test/query-run.ts';
import { makeView } from '../../test/query-world.ts';
import type { Similarity } from '../analysis/similarities.ts';
import { EngineError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';

const MAPPINGS = {
  properties: {
    t: { type: 'text' },
    u: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
  },
};

/** How `u` scores; `t` scores as fields do that name no similarity. */
const SIMILARITIES = fc.oneof(
  fc.constant({}),
  fc.record({
    'index.similarity.default.type': fc.constantFrom('BM25', 'boolean'),
    'index.similarity.own.type': fc.constant('BM25'),
    'index.similarity.own.k1': fc.constantFrom('0', '0.4', '90'),
    'index.similarity.own.b': fc.constantFrom('0', '0.3', '1'),
  }),
);

/** The mapping in which `u` has the similarity of its own. */
const OWN = { properties: { ...MAPPINGS.properties, u: { type: 'text', similarity: 'own' } } };

const word = fc.constantFrom('a', 'b', 'c', 'ab', 'bc', 'abc');
const number = fc.integer({ min: -3, max: 3 });
const words = fc.array(word, { minLength: 1, maxLength: 8 });
const doc = fc.record(
  { t: words, u: words, k: words, n: fc.array(number, { minLength: 1, maxLength: 3 }) },
  { requiredKeys: [] },
);
const textField = fc.constantFrom('t', 'u');
const boosts = fc.constantFrom(0.5, 1, 3);

const leaf: fc.Arbitrary<PlainQuery> = fc.oneof(
  fc.constant({ match_all: {} }),
  fc.tuple(textField, word).map(([field, value]) => ({ term: { [field]: value } })),
  word.map((value) => ({ term: { k: value } })),
  number.map((value) => ({ term: { n: value } })),
  fc.array(word, { maxLength: 3 }).map((values) => ({ terms: { k: values } })),
  fc.array(number, { maxLength: 3 }).map((values) => ({ terms: { n: values } })),
  fc.constantFrom('t', 'u', 'k', 'n').map((field) => ({ exists: { field } })),
  fc.tuple(fc.constantFrom('t', 'k'), word).map(([field, value]) => ({ prefix: { [field]: value } })),
  fc.tuple(number, number).map(([gte, lt]) => ({ range: { n: { gte, lt } } })),
  fc.tuple(word, word).map(([gte, lt]) => ({ range: { k: { gte, lt } } })),
  fc
    .tuple(textField, fc.array(word, { minLength: 2, maxLength: 3 }))
    .map(([field, list]) => ({ match_phrase: { [field]: list.join(' ') } })),
);

const { tree } = fc.letrec<{ tree: PlainQuery; list: PlainQuery[] }>((tie) => ({
  list: fc.array(tie('tree'), { maxLength: 3 }),
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record(
        {
          must: tie('list'),
          filter: tie('list'),
          should: tie('list'),
          must_not: tie('list'),
          minimum_should_match: fc.integer({ min: 0, max: 3 }),
        },
        { requiredKeys: [] },
      )
      .map((bool) => ({ bool })),
    fc.tuple(tie('tree'), boosts).map(([filter, boost]) => ({ constant_score: { filter, boost } })),
    fc
      .tuple(fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 0.5, 1))
      .map(([queries, tie_breaker]) => ({ dis_max: { queries, tie_breaker } })),
    fc
      .tuple(tie('tree'), tie('tree'))
      .map(([positive, negative]) => ({ boosting: { positive, negative, negative_boost: 0.25 } })),
  ),
}));

const layouts = fc.constantFrom([-1000], [1000], [-3, 2], [1, -1], [-2, -2, 4]);

function source(plain: PlainDoc): object {
  const { t, u } = plain;
  return {
    ...plain,
    ...(t === undefined ? {} : { t: t.join(' ') }),
    ...(u === undefined ? {} : { u: u.join(' ') }),
  };
}

test('random queries match and score as the naive evaluator says', () => {
  fc.assert(
    fc.property(
      fc.array(doc, { minLength: 1, maxLength: 12 }),
      layouts,
      tree,
      SIMILARITIES,
      (docs, layout, query, settings) => {
        const view = makeView(
          'index.similarity.own.type' in settings ? OWN : MAPPINGS,
          docs.map((d, i) => ({ id: String(i), source: source(d) })),
          layout,
          settings,
        );
        const [t, u] = ['t', 'u'].map((path) => view.mapping.field(path)!.similarity) as [
          Similarity,
          Similarity,
        ];
        const oracle = new Oracle(docs, { t, u });
        const expected = docs.map((d) => oracle.score(query, d));
        const ours = new Map(run(query as JsonObject, view));
        const silent = run(query as JsonObject, view, false).map(([id]) => id);
        for (const [i, score] of expected.entries()) {
          const mine = ours.get(String(i));
          assert.equal(mine === undefined, score === undefined, `document ${i}`);
          assert.equal(silent.includes(String(i)), score !== undefined, `document ${i} without scores`);
          if (mine !== undefined)
            assert.ok(Math.abs(mine - score!) <= 1e-5 * Math.max(1, score!), `${mine} ${score}`);
        }
      },
    ),
    { numRuns: 250 },
  );
});

const view = makeView(MAPPINGS, [
  { id: '1', source: { t: 'a b c', k: ['ab', 'c'], n: 1 } },
  { id: '2', source: { t: 'quick brown', u: 'x', n: [2, 3] } },
]);

/** Answers or EngineErrors; anything else is a failure. */
function survives(query: unknown): void {
  try {
    run(query as JsonObject, view);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    assert.ok(error.status >= 400 && error.status < 500, `${error.status}`);
  }
}

const KINDS =
  'match_all match_none term terms range exists ids prefix wildcard regexp fuzzy match match_phrase match_phrase_prefix match_bool_prefix multi_match bool constant_score dis_max boosting query_string simple_query_string nested foo __proto__ constructor'.split(
    ' ',
  );
const KEYS =
  'query value values field fields t k n _id _index must should filter must_not boost _name gte lt from to format time_zone operator fuzziness minimum_should_match slop queries positive negative negative_boost type tie_breaker default_field flags lenient analyzer prefix_length max_expansions __proto__ toString'.split(
    ' ',
  );

test('whatever is sent, an answer or an EngineError comes back', () => {
  const scalar = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.string({ maxLength: 12 }),
    fc.constantFrom('a', 'AUTO', '2<75%', '-1', '*', 'a*', '[a', 'now/d', 'and', '50%', '(a OR b)~2', '/[/'),
  );
  const { any } = fc.letrec<{ any: unknown; object: unknown }>((tie) => ({
    object: fc.dictionary(fc.constantFrom(...KEYS), tie('any'), { maxKeys: 4 }),
    any: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('any'), { maxLength: 3 }),
      tie('object'),
      fc.tuple(fc.constantFrom(...KINDS), tie('object')).map(([kind, body]) => ({ [kind]: body })),
    ),
  }));
  const query = fc.tuple(fc.constantFrom(...KINDS), any).map(([kind, body]) => ({ [kind]: body }));
  fc.assert(fc.property(query, survives), { numRuns: 2000 });
});

test('whatever is typed into a query string, an answer or an EngineError comes back', () => {
  const piece = fc.constantFrom(
    ...'a b ab AND OR NOT && || ! + - ( ) [ ] { } TO : ~ ~2 ^ ^2 " * ? \\ / > >= < t: n: k: _exists_: *:* \\u0041 \\u é'.split(
      ' ',
    ),
    ' ',
    ' ',
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  const options = fc.record(
    {
      fields: fc.constantFrom(['t'], ['t^2', 'u'], ['n'], ['*']),
      default_operator: fc.constantFrom('and', 'or'),
      type: fc.constantFrom('best_fields', 'cross_fields', 'phrase', 'most_fields', 'bool_prefix'),
      minimum_should_match: fc.constantFrom('1', '50%', '-1'),
      lenient: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(text, options, (query, more) => {
      survives({ query_string: { query, ...more } });
      const { type: _type, ...fewer } = more;
      const simple = { simple_query_string: { lenient: true, ...fewer, query } };
      if (fewer.lenient !== false) run(simple as unknown as JsonObject, view);
      else survives(simple);
    }),
    { numRuns: 800 },
  );
});

test('deep and long queries are refused, not suffered', () => {
  const nest = (depth: number, inner: unknown): unknown => {
    let query = inner;
    for (let i = 0; i < depth; i++) query = { bool: { must: [query] } };
    return query;
  };
  for (const query of [
    nest(5000, { match_all: {} }),
    { bool: { should: Array.from({ length: 1025 }, () => ({ match_all: {} })) } },
    { query_string: { query: `${'('.repeat(5000)}a${')'.repeat(5000)}` } },
    { query_string: { query: `${'a AND '.repeat(2000)}b` } },
    { regexp: { k: `${'('.repeat(500)}a${')'.repeat(500)}` } },
    { regexp: { k: 'a'.repeat(1001) } },
  ]) {
    assert.throws(() => run(query as JsonObject, view), EngineError);
  }
  survives({ simple_query_string: { query: `${'('.repeat(5000)}a${')'.repeat(5000)}` } });
  survives({ wildcard: { k: '*a'.repeat(3000) } });
  survives({ fuzzy: { k: { value: 'a'.repeat(5000), fuzziness: 2 } } });
  survives({ regexp: { k: '((a*)*)*(b|c?)*{1,500}' } });
});
