// Are the values of search_after those that any reader of JSON finds, however they are written?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '@octavo/engine';
import fc from 'fast-check';
import { afterOf } from './after-values.ts';

/** What the reader of all JSON says, or its refusal. */
function slowly(text: string): unknown {
  try {
    const value = parseJson(Buffer.from(text, 'latin1'));
    const isList = Array.isArray(value) && value.length > 0;
    return isList && value.every((each) => typeof each !== 'object' || each === null) ? value : undefined;
  } catch {
    return 'refused';
  }
}

function quickly(text: string): unknown {
  try {
    return afterOf(text);
  } catch {
    return 'refused';
  }
}

const word = fc.constantFrom('true', 'false', 'null', 'nul', 'truefalse', 'True', '{}', '[]', '');
const digits = fc.stringMatching(/^-?[0-9]{1,18}$/);
const decimal = fc.stringMatching(/^-?[0-9]{1,3}(\.[0-9]{1,3})?([eE][+-]?[0-9])?$/);
const plain = fc.stringMatching(/^"[ -~]{0,12}"$/);
const quoted = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .map((text) => Buffer.from(JSON.stringify(text)).toString('latin1'));
const value = fc.oneof(word, digits, decimal, plain, quoted);
const between = fc.constantFrom(',', ',', ', ', ',  ', ' ,', ';', '');

test('values in every spelling, and what is none', () => {
  const list = fc.array(fc.tuple(value, between), { maxLength: 4 }).map((parts) => {
    const inside = parts.map(([text, comma], i) => text + (i === parts.length - 1 ? '' : comma)).join('');
    return `[${inside}]`;
  });
  const text = fc.oneof(
    { weight: 8, arbitrary: list },
    { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
  );
  fc.assert(
    fc.property(text, (text) => {
      assert.deepEqual(quickly(text), slowly(text));
    }),
    { numRuns: 5_000 },
  );
});

test('values as walks send them', () => {
  for (const [text, values] of [
    ['[1794700000000,"a-1"]', [1_794_700_000_000, 'a-1']],
    ['["x", -5, 0, null, true, false]', ['x', -5, 0, null, true, false]],
    ['["~ !#"]', ['~ !#']],
    ['[999999999999999]', [999_999_999_999_999]],
    ['[9007199254740993]', [9_007_199_254_740_993n]],
    ['["a\\"b"]', ['a"b']],
    ['[ 1 ]', [1]],
  ] as const)
    assert.deepEqual(afterOf(text), values);
  for (const text of ['[]', '{}', '1', '[[1]]', '[{}]']) assert.equal(afterOf(text), undefined);
  for (const text of ['{1]', '[1}', '[01]', '[-]', '[1,]', '["a]', '["a\n"]', '[', '[,1]'])
    assert.throws(() => afterOf(text));
});
