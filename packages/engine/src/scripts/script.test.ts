// The language against answers of a real OpenSearch, its errors with their positions, and its limits.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EngineError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { findScript } from './script.ts';
import { jsonOfValue, sourceValue, valueOfJson } from './values/json-values.ts';
import { textOf } from './values/value.ts';

const encoder = new TextEncoder();
const PARAMS =
  '{"s":"abc","l":5000000000,"i":7,"d":1.0,"n":null,"a":[3,1,2],"m":{"x":{"y":2}},"t":true,"f":2.5,"neg":-7,"z":0}';
const CONTEXT = { name: 'test', globals: ['params'] };

/** The text of a result, or what is wrong and where: `!runtime error@13 type: reason`. */
function answer(source: string): string {
  const params = valueOfJson(parseJson(encoder.encode(PARAMS)));
  try {
    return findScript({ source }, CONTEXT).run([params], 0, textOf);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { offset } = error.details['position'] as { offset: number };
    return `!${error.message}@${offset} ${error.causedBy!.type}: ${error.causedBy!.message}`;
  }
}

/** Variables of the random scripts, which begin with `#`. */
const PREFIX = 'def a = 4; int b = 2; long c = 3; double x = 1.5; ';

test('scripts compute what OpenSearch computes', () => {
  const url = new URL('../../test/fixtures/scripts/opensearch-3.1.json', import.meta.url);
  const cases = JSON.parse(readFileSync(url, 'utf8')) as [string, string][];
  assert.ok(cases.length > 400);
  for (const [source, expected] of cases) {
    const script = source.replace(/^#/, PREFIX);
    assert.equal(answer(script), expected, script);
  }
});

test('what the language does not have is refused by name and position', () => {
  const cases: [string, string][] = [
    [
      'int f(int x) { return x } f(1)',
      '!compile error@4 illegal_argument_exception: functions are not supported',
    ],
    ['return 1 =~ 2', '!compile error@9 illegal_argument_exception: regular expressions are not supported'],
    [
      'return /a/.matcher(1)',
      '!compile error@7 illegal_argument_exception: regular expressions are not supported',
    ],
    ['int[] x = 1', '!compile error@3 illegal_argument_exception: arrays are not supported'],
    [
      'try { 1 } catch (Exception e) { }',
      '!compile error@0 illegal_argument_exception: try blocks are not supported',
    ],
    [
      'l.sort(Integer::compare)',
      '!compile error@14 illegal_argument_exception: method references are not supported',
    ],
    [
      'Foo x = 1',
      '!compile error@4 illegal_argument_exception: invalid declaration: cannot resolve type [Foo]',
    ],
    [
      'def f = x -> x',
      '!compile error@10 illegal_argument_exception: a lambda can only be an argument of a method',
    ],
    ['params = 5', '!compile error@0 illegal_argument_exception: Variable [params] is read-only.'],
    ['nothing(1)', '!compile error@0 illegal_argument_exception: Unknown call [nothing] with [1] arguments.'],
    [
      'params.getClass()',
      '!runtime error@6 illegal_argument_exception: dynamic method [java.util.HashMap, getClass/0] not found',
    ],
    [
      'params.s.constructor',
      '!runtime error@8 illegal_argument_exception: dynamic getter [java.lang.String, constructor] not found',
    ],
    [
      'Math.constructor()',
      '!compile error@4 illegal_argument_exception: static method [java.lang.Math, constructor/0] not found',
    ],
    ['new Function("1")', '!compile error@0 illegal_argument_exception: cannot resolve type [Function]'],
    ["['a': 1].__proto__", 'null'],
    [
      `${'('.repeat(500)}1${')'.repeat(500)}`,
      '!compile error@149 illegal_argument_exception: more than 150 levels of nesting',
    ],
  ];
  for (const [source, expected] of cases) assert.equal(answer(source), expected, source);
});

test('an error shows its line, its place and its cause', () => {
  assert.throws(
    () => findScript({ source: 'def x = 1; return x / 0;' }, CONTEXT).run([null], 0, textOf),
    (error: EngineError) => {
      assert.equal(error.type, 'script_exception');
      assert.equal(error.status, 400);
      assert.deepEqual(error.details, {
        script_stack: ['return x / 0;', '       ^---- HERE'],
        script: 'def x = 1; return x / 0;',
        lang: 'painless',
        position: { offset: 18, start: 11, end: 24 },
      });
      return true;
    },
  );
  const long = `def first = 1111111111; def second = 2; return ${'1 + '.repeat(10)}y; `;
  assert.throws(
    () => findScript({ source: long }, CONTEXT),
    (error: EngineError) => {
      assert.equal((error.details['script_stack'] as string[])[0]!.startsWith('... '), true);
      const at = (error.details['script_stack'] as string[])[1]!.indexOf('^');
      assert.equal((error.details['script_stack'] as string[])[0]![at], 'y');
      return true;
    },
  );
});

test('endless and greedy scripts end soon', () => {
  const endless = [
    'int x = 0; while (true) { x++ }',
    'for (;;) { }',
    'do { } while (true)',
    'def l = [1]; while (true) { l.removeIf(x -> false) }',
    'long h = 7; while (true) { h = h * 31 + 11; h ^= h >>> 3; }',
    "String s = 'a'; while (true) { s += s }",
    "String s = 'ab'; while (true) { s = s.replace('a', 'aaaaaaaaaa') }",
    'def l = [1]; while (true) { l.addAll(l) }',
    'def m = [:]; int i = 0; while (true) { m[i++] = i }',
    "def l = []; for (int i = 0; i < 100000; i++) { l.add(i) } while (true) { l.contains('x') }",
    "def s = 'x'; for (int i = 0; i < 16; i++) { s += s } while (true) { s.contains('y') }",
    'def l = []; for (int i = 0; i < 50000; i++) { l.add(-i) } while (true) { l.sort(null) }',
    "def d = ZonedDateTime.parse('2020-02-03T04:05:06Z'); while (true) { d.toString() }",
    'double x = 1.5; while (true) { x = Math.sin(x) * 2 + x % 3; }',
    'def s = new HashSet(); for (int i = 0; i < 30000; i++) { s.add(i) } while (true) { s.any(x -> true) }',
    'def m = [:]; m.put("a", m); return m.toString()',
    'def l = []; l.add(l); l.add(l); return l.toString()',
    'def l = []; for (int i = 0; i < 200; i++) { l = [l, l] } return l == [l, l]',
    ...[
      'a.compareTo(b)',
      'a.compareToIgnoreCase(b)',
      'a.startsWith(b)',
      "a.lastIndexOf('b' + b.substring(9))",
      "a.contains(b.substring(0, 30000) + 'b' + b.substring(0, 30000))",
      "a.replace('a', 'b')",
      'a.equals(b)',
      'a == b',
      'a === b',
      'blank.trim()',
      '[a].contains(b)',
      '[a, b].sort(null)',
      'built.toString().charAt(0)',
    ].map(
      (expression) =>
        `def x = 'a'; def blank = ' '; for (int i = 0; i < 16; i++) { x += x; blank += blank } def a = x + '1'; def b = x + '2'; def built = new StringBuilder(a); while (true) { def y = ${expression}; built.append('z') }`,
    ),
    ...['new HashMap()', 'new HashSet()', 'new ArrayList()'].map(
      (made) =>
        `def a = ${made}; def b = ${made}; for (int i = 0; i < 10000; i++) { for (c in [a, b]) { if (c instanceof Map) c.put(i, i); else c.add(i) } } while (true) { def y = a == b; y = a.equals(b) }`,
    ),
  ];
  for (const source of endless) {
    const text = answer(source);
    // Of the processor, which other tests use as well.
    const isEnded = text.includes('painless_error') || text.includes('…') || text === 'false';
    assert.ok(isEnded, `${source}: ${text.slice(0, 100)}`);
  }
});

test('documents go through scripts unchanged: integers keep every digit, doubles stay doubles', () => {
  const text =
    '{"long":9007199254740993,"huge":123456789012345678901234567890,"least":-9223372036854775808,"d":1.0,"e":1.5E10,"i":-5,"list":[1,2.5,null,true,"é\\n"],"__proto__":{"a":{}}}';
  const context = { name: 'json', globals: ['x'] };
  const map = sourceValue(encoder.encode(text));
  const value = findScript({ source: 'x' }, context).run([map], 0, jsonOfValue);
  assert.equal(value, text);
  const changed = findScript({ source: 'x.long += 1; x.d += 1; x.i /= 2; x' }, context).run(
    [map],
    0,
    jsonOfValue,
  );
  assert.match(changed, /^\{"long":9007199254740994,/);
  assert.match(changed, /"d":2\.0,.*"i":-2,/);
  assert.throws(
    () => findScript({ source: 'def l = []; l.add(l); l' }, context).run([null], 0, jsonOfValue),
    /runtime error/,
  );
});
