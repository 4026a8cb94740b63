import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson, toJson } from './json.ts';

const LARGE = 9007199254740993n;

test('integers beyond 2^53 are bigint, all other numbers are numbers', () => {
  assert.deepEqual(
    parseJson(
      '{"a":9007199254740993,"b":[-9223372036854775808,9007199254740991],"c":9007199254740993.0,"d":1e300}',
    ),
    { a: LARGE, b: [-9223372036854775808n, 9007199254740991], c: 9007199254740992, d: 1e300 },
  );
  assert.equal(parseJson('9007199254740993'), LARGE);
});

test('digits in strings and names are unchanged', () => {
  const value = {
    '9007199254740993': '9007199254740993',
    'a"\\': '"9007199254740993\\',
    'integer:1': 'integer:1',
    n: LARGE,
  };
  assert.deepEqual(parseJson(toJson(value)), value);
});

/** As JSON.parse has it: every number a double. */
const rounded = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? Number(value)
    : Array.isArray(value)
      ? value.map(rounded)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rounded(part)]))
        : value;

test('apart from large integers the result equals that of JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const padded = `[${text},"1234567890123456\\""]`;
      assert.deepEqual(rounded(parseJson(padded)), rounded(JSON.parse(padded)));
    }),
  );
  for (const text of [
    '',
    '"1234567890123456',
    '[12345678901234567',
    '012345678901234567',
    '1234567890123456789x',
    '"\\',
  ]) {
    assert.throws(() => parseJson(text), SyntaxError, text);
  }
});

test('values with bigints survive a round trip', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.integer(),
      fc.bigInt({ min: 2n ** 53n }),
      fc.bigInt({ max: -(2n ** 53n) }),
      fc.array(tie('tree')),
      fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('tree'),
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => assert.deepEqual(parseJson(toJson(value)), structuredClone(value))),
    {
      numRuns: 300,
    },
  );
});
