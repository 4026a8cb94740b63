// Queries find keywords of unusual kinds: a constant value per index, keys below an object, and patterns behind a normalizer.
// The expected results were compared with a real OpenSearch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../test/query-run.ts';
import { makeView } from '../../../test/query-world.ts';
import { EngineError } from '../../errors.ts';
import type { JsonObject } from '../../json/value.ts';

const settings = {
  'index.analysis.normalizer.low.type': 'custom',
  'index.analysis.normalizer.low.filter': '["lowercase","asciifolding"]',
};
const mappings = {
  properties: {
    g: { type: 'constant_keyword', value: 'Abc1' },
    f: { type: 'flat_object' },
    k: { type: 'keyword', normalizer: 'low' },
    p: { type: 'keyword' },
    t: { type: 'text' },
  },
};
const docs = [
  { id: '1', source: { g: 'Abc1', f: { a: 'x', b: { c: [1, 'y*z', null, true] }, 'd.e': 2.5 } } },
  { id: '2', source: { k: 'Héllo World', p: 'Hello', t: 'Hello World' } },
  { id: '3', source: { f: null } },
  { id: '4', source: { f: { a: null } } },
  { id: '5', source: { f: {} } },
];
const layouts = [[-100], [2, -2, 1]];
const views = layouts.map((layout) => makeView(mappings, docs, layout, settings));

function found(query: JsonObject): string {
  const [a, b] = views.map((view) =>
    run(query, view)
      .map(([id]) => id)
      .sort()
      .join(''),
  );
  assert.equal(a, b);
  return a!;
}

const ALL = '12345';

test('a constant keyword matches every document or none', () => {
  const cases: [JsonObject, string][] = [
    [{ term: { g: 'Abc1' } }, ALL],
    [{ term: { g: { value: 'ABC1', case_insensitive: true } } }, ALL],
    [{ term: { g: 'zz' } }, ''],
    [{ terms: { g: ['zz', 'Abc1'] } }, ALL],
    [{ terms: { g: ['zz', 'Abc2'] } }, ''],
    [{ exists: { field: 'g' } }, ALL],
    [{ prefix: { g: 'Ab' } }, ALL],
    [{ prefix: { g: 'ab' } }, ''],
    [{ regexp: { g: 'Ab.*' } }, ALL],
    [{ regexp: { g: 'Ab' } }, ''],
    [{ range: { g: { gte: 'A', lt: 'B' } } }, ALL],
    [{ range: { g: { gte: 'Abc1', lte: 'Abc1' } } }, ALL],
    [{ range: { g: { gt: 'Abc1' } } }, ''],
    [{ range: { g: { gte: null } } }, ALL],
    [{ match: { g: 'Abc1' } }, ALL],
    [{ query_string: { query: 'g:Ab*' } }, ALL],
  ];
  for (const [query, ids] of cases) assert.equal(found(query), ids, JSON.stringify(query));
  assert.throws(() => found({ fuzzy: { g: 'Abc2' } }), /Can only use fuzzy queries.*constant_keyword/);
});

test('a flat object is searched by its values, and by its keys', () => {
  const cases: [JsonObject, string][] = [
    [{ term: { f: 'x' } }, '1'],
    [{ term: { f: 'a' } }, ''],
    [{ term: { 'f.a': 'x' } }, '1'],
    [{ term: { 'f.b.c': 1 } }, '1'],
    [{ term: { 'f.b.c': true } }, '1'],
    [{ term: { 'f.b': 'y*z' } }, ''],
    [{ term: { 'f.d.e': 2.5 } }, '1'],
    [{ terms: { 'f.a': ['x', 'z'] } }, '1'],
    [{ exists: { field: 'f' } }, '1'],
    [{ exists: { field: 'f.a' } }, '1'],
    [{ exists: { field: 'f.b' } }, ''],
    [{ exists: { field: 'f.b.c' } }, '1'],
    [{ exists: { field: 'f.zz' } }, ''],
    [{ prefix: { 'f.b.c': 'y' } }, '1'],
    [{ prefix: { 'f.a': 'y' } }, ''],
    [{ prefix: { f: 'y' } }, '1'],
    [{ wildcard: { 'f.b.c': '*\\*z' } }, '1'],
    [{ wildcard: { 'f.b.c': 'y?z*' } }, '1'],
    [{ wildcard: { 'f.a': '*' } }, '1'],
    [{ wildcard: { 'f.zz': '*' } }, ''],
    [{ regexp: { 'f.a': '[x]' } }, '1'],
    [{ regexp: { 'f.b.c': 'x' } }, ''],
    [{ regexp: { f: '[x]' } }, '1'],
    [{ range: { 'f.a': { gte: 'a' } } }, '1'],
    [{ range: { 'f.a': { gte: 'a', lt: 'x' } } }, ''],
    [{ range: { f: { gte: 'w' } } }, '1'],
    [{ query_string: { query: 'f.a:x' } }, '1'],
    [{ match: { 'f.a': 'x' } }, '1'],
    [{ match: { f: 'x' } }, '1'],
    [{ multi_match: { query: 'x', fields: ['k', 'f.a'] } }, '1'],
    [{ multi_match: { query: 'x', fields: ['k', 'f.b'] } }, ''],
    [{ term: { 'f.a': { value: 'X', case_insensitive: true } } }, '1'],
  ];
  for (const [query, ids] of cases) assert.equal(found(query), ids, JSON.stringify(query));
});

test('a flat object takes objects only', () => {
  for (const [value, token] of [
    [3, 'VALUE_NUMBER'],
    ['a', 'VALUE_STRING'],
    [true, 'VALUE_BOOLEAN'],
  ] as const) {
    assert.throws(
      () => makeView(mappings, [{ id: '9', source: { f: value } }], [1], settings),
      (e) =>
        e instanceof EngineError &&
        e.causedBy?.message === `[f] unexpected token [${token}] in flat_object field value`,
    );
  }
});

test('patterns are normalised as the field is', () => {
  const cases: [JsonObject, string][] = [
    [{ regexp: { k: 'HEL.*' } }, '2'],
    [{ regexp: { k: 'h[A-E]llo.*' } }, '2'],
    [{ regexp: { k: 'hél.*' } }, '2'],
    [{ wildcard: { k: '*LLO*' } }, '2'],
    [{ prefix: { k: 'HÉL' } }, '2'],
    [{ query_string: { query: 'k:/HEL.*/' } }, '2'],
    [{ query_string: { query: 't:/HEL.*/' } }, '2'],
    [{ regexp: { t: 'HEL.*' } }, ''],
    [{ regexp: { p: 'HEL.*' } }, ''],
    [{ regexp: { p: 'Hel.*' } }, '2'],
  ];
  for (const [query, ids] of cases) assert.equal(found(query), ids, JSON.stringify(query));
});

test('lists of fields without a name, and options that a type does not have, are refused', () => {
  const refused: [JsonObject, string][] = [
    [
      { query_string: { query: 'a', fields: ['t', null] } },
      '[query_string] field name in [fields] cannot be null',
    ],
    [
      { multi_match: { query: 'a', type: 'bool_prefix', fields: ['t'], cutoff_frequency: 0.1 } },
      '[cutoff_frequency] not allowed for type [bool_prefix]',
    ],
    [
      { multi_match: { query: 'a', type: 'bool_prefix', fields: ['t'], slop: 1 } },
      '[slop] not allowed for type [bool_prefix]',
    ],
  ];
  for (const [query, message] of refused) {
    assert.throws(() => found(query), { type: 'parsing_exception', message });
  }
});
