// Filtering a source keeps what the peer keeps. Cases and answers were written down from OpenSearch 3.1.0
// (`_source` with includes and excludes on the document below; members in document order here, in hash order
// there).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../turn.ts';
import { filterSource, matchesPath } from './filter-source.ts';

const SOURCE =
  '{"a":{"b":1,"c":{"d":2}},"e":[{"f":1,"g":2},{"g":3},5,[{"f":4},{"g":5},6]],"x.y":{"z":1},"em":{},"ea":[],"n":null,"ab":7}';

const CASES: readonly (readonly [string[], string[], string])[] = [
  [['a'], [], '{"a":{"b":1,"c":{"d":2}}}'],
  [['a.b'], [], '{"a":{"b":1}}'],
  [['*.b'], [], '{"a":{"b":1}}'],
  [['e.f'], [], '{"e":[{"f":1},[{"f":4}]]}'],
  [['e'], ['e.f'], '{"e":[{"g":2},{"g":3},5,[{"g":5},6]]}'],
  [
    [],
    ['e.f'],
    '{"a":{"b":1,"c":{"d":2}},"ab":7,"x.y":{"z":1},"e":[{"g":2},{"g":3},5,[{"g":5},6]],"em":{},"ea":[],"n":null}',
  ],
  [
    [],
    ['a.b', 'a.c'],
    '{"a":{},"ab":7,"x.y":{"z":1},"e":[{"f":1,"g":2},{"g":3},5,[{"f":4},{"g":5},6]],"em":{},"ea":[],"n":null}',
  ],
  [
    [],
    ['*.f'],
    '{"a":{"b":1,"c":{"d":2}},"ab":7,"x.y":{"z":1},"e":[{"g":2},{"g":3},5,[{"g":5},6]],"em":{},"ea":[],"n":null}',
  ],
  [['x'], [], '{"x.y":{"z":1}}'],
  [['x.y'], [], '{"x.y":{"z":1}}'],
  [['x.y.z'], [], '{"x.y":{"z":1}}'],
  [['em'], [], '{"em":{}}'],
  [['ea'], [], '{"ea":[]}'],
  [['em.*'], [], '{}'],
  [['n'], [], '{"n":null}'],
  [['a*'], [], '{"a":{"b":1,"c":{"d":2}},"ab":7}'],
  [['a*'], ['ab'], '{"a":{"b":1,"c":{"d":2}}}'],
  [
    ['*'],
    [],
    '{"a":{"b":1,"c":{"d":2}},"ab":7,"x.y":{"z":1},"e":[{"f":1,"g":2},{"g":3},5,[{"f":4},{"g":5},6]],"em":{},"ea":[],"n":null}',
  ],
  [[], ['*'], '{}'],
  [['a.*'], [], '{"a":{"b":1,"c":{"d":2}}}'],
  [['a.c'], ['a.c.d'], '{"a":{"c":{}}}'],
  [['a'], ['a.*'], '{"a":{}}'],
  [['nope'], [], '{}'],
  [['a.c.d', 'e.g'], ['e.g'], '{"a":{"c":{"d":2}}}'],
  [
    [],
    ['a.b*'],
    '{"a":{"c":{"d":2}},"ab":7,"x.y":{"z":1},"e":[{"f":1,"g":2},{"g":3},5,[{"f":4},{"g":5},6]],"em":{},"ea":[],"n":null}',
  ],
  [
    [],
    ['em'],
    '{"a":{"b":1,"c":{"d":2}},"ab":7,"x.y":{"z":1},"e":[{"f":1,"g":2},{"g":3},5,[{"f":4},{"g":5},6]],"ea":[],"n":null}',
  ],
  [['a.'], [], '{}'],
  [[''], [], '{}'],
  [['e.f'], ['e'], '{}'],
  [
    [],
    ['x'],
    '{"a":{"b":1,"c":{"d":2}},"ab":7,"e":[{"f":1,"g":2},{"g":3},5,[{"f":4},{"g":5},6]],"em":{},"ea":[],"n":null}',
  ],
  [['e.*'], [], '{"e":[{"f":1,"g":2},{"g":3},[{"f":4},{"g":5}]]}'],
];

const filtered = (source: string, includes: string[], excludes: string[]): string =>
  Buffer.from(runToEnd(filterSource(Buffer.from(source), includes, excludes))).toString();

test('filtered sources are those of the peer', () => {
  for (const [includes, excludes, expected] of CASES) {
    const actual = filtered(SOURCE, includes, excludes);
    assert.deepEqual(JSON.parse(actual), JSON.parse(expected), `${includes} / ${excludes}`);
  }
});

test('empty objects and lists stay in a list that no exclude reaches', () => {
  const source = '{"k":[{},{"a":1}],"l":[[],[{}]]}';
  assert.equal(filtered(source, [], ['z.b']), source);
  assert.equal(filtered(source, [], ['k.b']), '{"k":[{"a":1}],"l":[[],[{}]]}');
  assert.equal(filtered(source, [], ['*.b']), '{"k":[{"a":1}],"l":[]}');
});

test('what stays keeps its bytes', () => {
  const source =
    '{ "a" : 1.0e2 , "b":{"c" :"\\u0041\\"}", "d":12345678901234567890 }, "t":true,"f":false,"z" :[ 1 , 2]}';
  assert.equal(
    filtered(source, ['a', 'b'], []),
    '{"a":1.0e2,"b":{"c" :"\\u0041\\"}", "d":12345678901234567890 }}',
  );
  assert.equal(
    filtered(source, [], ['b.c']),
    '{"a":1.0e2,"b":{"d":12345678901234567890},"t":true,"f":false,"z":[ 1 , 2]}',
  );
  assert.equal(filtered(source, [], []), source);
});

test('patterns name paths and what lies below', () => {
  const naive = (pattern: string, path: string): boolean => {
    const parts = path.split('.');
    const one = (p: string, s: string): boolean =>
      p === ''
        ? s === ''
        : p[0] === '*'
          ? one(p.slice(1), s) || (s !== '' && one(p, s.slice(1)))
          : s[0] === p[0] && one(p.slice(1), s.slice(1));
    return parts.some((_, i) => one(pattern, parts.slice(0, i + 1).join('.')));
  };
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 7 });
  fc.assert(
    fc.property(text, text, (pattern, path) => {
      const plain = path.replaceAll('*', 'c');
      assert.equal(matchesPath(pattern, plain), naive(pattern, plain), `${pattern} on ${plain}`);
    }),
    { numRuns: 2_000 },
  );
});

test('any document survives a filter that names nothing in it', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ maxLength: 4 }).map((k) => `k${k}`),
        fc.jsonValue(),
      ),
      (value) => {
        assert.deepEqual(
          JSON.parse(filtered(JSON.stringify(value), ['*'], [])),
          JSON.parse(JSON.stringify(value)),
        );
      },
    ),
  );
});
