// filter_path on text against a naive filter over parsed trees; pretty printing against the parser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { prettyJson } from '../json/pretty-json.ts';
import { filterJson, parseFilterPath } from './filter-path.ts';
import { matchesWildcard } from './wildcard.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const name = fc.constantFrom('a', 'b', 'ab', 'c');
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 1, 'x "y" \\ {', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const tree = fc.dictionary(name, json, { maxKeys: 4, noNullPrototype: true });
const path = fc
  .array(fc.constantFrom('a', 'b', 'a*', '*', '**', 'c'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('.'));

/** Whether the path of a leaf is named by a pattern: by all of it, or by a beginning of it. */
function names(pattern: readonly string[], at: readonly string[]): boolean {
  if (pattern.length === 0) return true;
  const [head = '', ...rest] = pattern;
  if (head === '**') {
    return rest.length === 0 || names(rest, at) || (at.length > 0 && names(pattern, at.slice(1)));
  }
  return at.length > 0 && matchesWildcard(head, at[0]!) && names(rest, at.slice(1));
}

function keep(
  value: Json,
  at: readonly string[],
  wanted: (at: readonly string[]) => boolean,
): Json | undefined {
  if (wanted(at)) return value;
  if (Array.isArray(value)) {
    const kept = value.map((each) => keep(each, at, wanted)).filter((each) => each !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const out: { [key: string]: Json } = {};
  for (const [key, each] of Object.entries(value)) {
    const kept = keep(each, [...at, key], wanted);
    if (kept !== undefined) out[key] = kept;
  }
  return Object.keys(out).length === 0 ? undefined : out;
}

test('keeps what a filter over trees keeps', () => {
  fc.assert(
    fc.property(tree, fc.array(path, { minLength: 1, maxLength: 3 }), (value, paths) => {
      const filter = parseFilterPath(paths)!;
      const patterns = paths.map((each) => each.split('.'));
      const expected =
        keep(value, [], (at) => patterns.some((pattern) => at.length > 0 && names(pattern, at))) ?? {};
      assert.deepEqual(JSON.parse(filterJson(JSON.stringify(value), filter)), expected);
    }),
    { numRuns: 500 },
  );
});

test('takes away nothing but what is named', () => {
  fc.assert(
    fc.property(tree, path, (value, each) => {
      const text = JSON.stringify(value);
      const left = filterJson(text, parseFilterPath([`-${each}`])!);
      const kept = filterJson(text, parseFilterPath([each])!);
      JSON.parse(left);
      JSON.parse(kept);
      assert.ok(left.length + kept.length <= 2 * text.length + 2);
    }),
  );
});

test('pretty changes white space only', () => {
  fc.assert(
    fc.property(json, (value) => {
      assert.deepEqual(JSON.parse(prettyJson(JSON.stringify(value))), value);
    }),
  );
  assert.equal(
    prettyJson('{"a":[],"b":{},"c":[1.0]}'),
    '{\n  "a" : [ ],\n  "b" : { },\n  "c" : [\n    1.0\n  ]\n}\n',
  );
});

test('wildcards take linear time', () => {
  assert.equal(matchesWildcard(`${'a*'.repeat(200)}b`, 'a'.repeat(20_000)), false);
  assert.equal(matchesWildcard('*a*b', 'xxaxxb'), true);
  assert.equal(matchesWildcard('a*', 'ba'), false);
});
