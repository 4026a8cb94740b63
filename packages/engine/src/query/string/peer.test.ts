// Query strings over several fields, with a minimum, and the lone star match what they match in OpenSearch
// 3.1.0. The matches were written down from one, for the same nine documents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../test/query-run.ts';
import { makeView } from '../../../test/query-world.ts';
import type { JsonObject } from '../../json/value.ts';

const MAPPINGS: JsonObject = {
  properties: { t: { type: 'text' }, m: { type: 'text' }, k: { type: 'keyword' } },
};
const DOCS: JsonObject[] = [
  { t: 'quick fox' },
  { t: 'quick', m: 'fox' },
  { t: 'quick' },
  { m: 'quick fox' },
  { t: 'fox', m: 'quick' },
  { m: 'fox' },
  { t: 'quick quick', m: 'quick' },
  { k: 'quick' },
  { t: 'brown', m: 'fox' },
];
const view = makeView(
  MAPPINGS,
  DOCS.map((source, i) => ({ id: String(i), source })),
);

function found(query: JsonObject): string {
  return run(query, view)
    .map(([id]) => id)
    .sort()
    .join('');
}

const both = ['t', 'm'];
const MINIMA: readonly [text: string, fields: string[] | undefined, minimum: string | number, ids: string][] =
  [
    ['quick fox', both, 2, '01234568'],
    ['quick fox', both, 3, '01234568'],
    ['quick fox', both, '100%', '01234568'],
    ['quick fox brown', both, 2, '01234568'],
    ['quick fox', undefined, 2, '01234568'],
    ['quick fox', ['t'], 2, '0'],
    ['quick fox', ['t'], 3, ''],
    ['quick AND fox', both, '100%', '0134'],
    ['quick AND fox', both, 1, ''],
    ['quick AND fox', undefined, 2, ''],
    ['quick AND fox', ['t'], 1, ''],
    ['quick OR fox', both, 2, '0134'],
    ['quick (fox brown)', both, 2, '0134'],
    ['NOT zz quick fox', ['t'], 2, '0'],
    ['NOT zz quick fox', ['t^2'], 2, ''],
    ['NOT zz quick fox', ['t^2'], 1, '01246'],
    ['quick fox NOT zz', ['t^2'], '100%', '01246'],
    ['quick fox', ['t^2'], 2, '0'],
    ['quick fox (brown)', ['t'], 2, '0'],
    ['quick fox (brown)', ['t^2'], 2, ''],
  ];

for (const [text, fields, minimum, ids] of MINIMA) {
  test(`query_string ${text} in ${fields ?? 'all'}, minimum ${minimum}`, () => {
    const query = { query: text, minimum_should_match: minimum, ...(fields === undefined ? {} : { fields }) };
    assert.equal(found({ query_string: query }), ids);
  });
}

const STARS: readonly [text: string, fields: string[] | undefined, ids: string][] = [
  ['*', undefined, '012345678'],
  [' *\n', undefined, '012345678'],
  ['*', ['t'], '012345678'],
  ['*', both, '012345678'],
  ['*', ['k'], '012345678'],
  ['+*', undefined, ''],
  ['(*)', undefined, ''],
  ['\\*', undefined, ''],
  ['* *', undefined, ''],
  ['* quick', ['t'], '0126'],
  ['q*', ['t'], '0126'],
];

for (const [text, fields, ids] of STARS) {
  test(`simple_query_string ${JSON.stringify(text)} in ${fields ?? 'all'}`, () => {
    const query = { query: text, ...(fields === undefined ? {} : { fields }) };
    assert.equal(found({ simple_query_string: query }), ids);
  });
}

test('the type decides what the other fields add to the best one, for each kind of word', () => {
  const best = (query: string, type: string): number | undefined =>
    run({ query_string: { query, type, fields: both } }, view)[0]?.[1];
  for (const word of ['qu*', '*ick', '/quick/', '[q TO r]']) {
    assert.equal(best(word, 'best_fields'), 1, word);
    assert.equal(best(word, 'most_fields'), 2, word);
    assert.equal(best(word, 'bool_prefix'), 2, word);
  }
  for (const words of ['"quick"', 'quikc~'])
    assert.ok(best(words, 'most_fields')! > best(words, 'best_fields')!, words);
});

test('leniently, the words of a text that are no numbers are left out one by one', () => {
  const numbers = makeView({ properties: { n: { type: 'long' } } }, [{ id: '1', source: { n: 1 } }]);
  const text = { query: '1 fox', analyzer: 'standard', lenient: true };
  assert.equal(run({ match: { n: text } }, numbers).length, 1);
  assert.equal(run({ match: { n: { ...text, operator: 'and' } } }, numbers).length, 0);
  assert.equal(run({ simple_query_string: { ...text, fields: ['n'] } }, numbers).length, 1);
});

test('all fields are also those that are not indexed and have doc values', () => {
  const columns = makeView(
    {
      properties: {
        n: { type: 'integer', index: false },
        k: { type: 'keyword', index: false },
        t: { type: 'text', index: false },
        none: { type: 'integer', index: false, doc_values: false },
        r: { type: 'integer_range', index: false },
      },
    },
    [
      { id: 'n', source: { n: 7 } },
      { id: 'k', source: { k: '7' } },
      { id: 't', source: { t: '7' } },
      { id: 'none', source: { none: 7 } },
      { id: 'r', source: { r: { gte: 1, lte: 9 } } },
    ],
  );
  const ids = (query: JsonObject): string[] =>
    run(query, columns)
      .map(([id]) => id)
      .sort();
  for (const kind of ['query_string', 'simple_query_string', 'multi_match'])
    assert.deepEqual(ids({ [kind]: { query: '7', fields: ['*'], lenient: true } }), ['k', 'n'], kind);
  assert.deepEqual(ids({ query_string: { query: '7' } }), ['k', 'n']);
  assert.deepEqual(ids({ query_string: { query: '7', fields: ['n*'] } }), ['n']);
});
