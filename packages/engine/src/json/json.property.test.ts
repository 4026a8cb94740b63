// The scanner and the parser agree with JSON.parse, except where they are stricter or exact.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../errors.ts';
import { bytesOf } from './bytes.ts';
import { parseJson } from './parse.ts';
import { stringifyJson } from './print.ts';
import { ARRAY_START, END, OBJECT_START, Scanner } from './scanner.ts';
import type { JsonValue } from './value.ts';

/** The same value with ordinary prototypes and doubles only. */
function plain(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

test('what JSON.stringify writes is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      assert.deepEqual(plain(parseJson(bytesOf(text))), plain(JSON.parse(text) as JsonValue));
      assert.deepEqual(JSON.parse(stringifyJson(parseJson(bytesOf(text)))), JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('damaged JSON is refused exactly where JSON.parse refuses it', () => {
  const damage = fc.tuple(
    fc.json({ maxDepth: 3 }),
    fc.nat(),
    fc.constantFrom(
      '',
      '"',
      '\\',
      '}',
      ']',
      ',',
      ':',
      '0',
      '.',
      'e',
      '-',
      't',
      ' ',
      '\\u12',
      'nul',
      '\u0001',
      '{',
    ),
    fc.nat(3),
  );
  fc.assert(
    fc.property(damage, ([json, at, insert, cut]) => {
      const p = at % (json.length + 1);
      const text = json.slice(0, p) + insert + json.slice(p + cut);
      if (!text.isWellFormed()) return;
      let expected: unknown;
      let bad = false;
      try {
        expected = JSON.parse(text);
      } catch {
        bad = true;
      }
      try {
        const value = parseJson(bytesOf(text));
        assert.ok(!bad, `accepted ${text}`);
        assert.deepEqual(plain(value), plain(expected as JsonValue));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        assert.match(error.type, /^json_(parse|e_o_f)_exception$/);
        assert.ok(bad || /Duplicate|out of range/.test(error.message), `${text}: ${error.message}`);
      }
    }),
    { numRuns: 3000 },
  );
});

test('any bytes at all give a value or a json_parse_exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (tail) => {
      for (const head of ['', '"', '{"a":"', '[1,']) {
        try {
          parseJson(Buffer.concat([Buffer.from(head), tail]));
        } catch (error) {
          assert.ok(error instanceof EngineError && error.type.startsWith('json_'), String(error));
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test('UTF-8 is accepted exactly where the platform accepts it', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const byte = fc.oneof(
    fc.constantFrom(0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xf5, 0xa0, 0x9f, 0x90, 0x8f, 0x41),
    fc.integer({ min: 128, max: 255 }),
  );
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 6 }), (list) => {
      const inner = Uint8Array.from(list);
      let expected: string | undefined;
      try {
        expected = decoder.decode(inner);
      } catch {}
      let got: JsonValue | undefined;
      try {
        got = parseJson(Buffer.concat([Buffer.from('"'), inner, Buffer.from('"')]));
      } catch {}
      assert.equal(got, expected);
    }),
    { numRuns: 5000 },
  );
});

test('integers are exact, numbers beyond doubles are refused', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (n) => {
      const value = parseJson(bytesOf(String(n)));
      assert.equal(BigInt(value as number | bigint), n);
      assert.equal(stringifyJson(value), String(n));
    }),
  );
  assert.throws(() => parseJson(bytesOf('1e400')), /out of range of double/);
  assert.throws(() => parseJson(bytesOf('9'.repeat(1001))), /Number value length/);
});

test('depth, duplicates, trailing content and the place of an error', () => {
  const deep = (n: number): Uint8Array => bytesOf('['.repeat(n) + ']'.repeat(n));
  assert.doesNotThrow(() => parseJson(deep(100), { maxDepth: 100 }));
  assert.throws(() => parseJson(deep(101), { maxDepth: 100 }), /nesting depth \(101\)/);
  assert.doesNotThrow(() => parseJson(deep(1_000)));
  for (const maxDepth of [undefined, 5_000])
    assert.throws(() => parseJson(deep(1_001), { ...(maxDepth && { maxDepth }) }), /nesting depth \(1001\)/);
  assert.throws(() => parseJson(bytesOf('['.repeat(1_000_000))), /nesting depth/);
  assert.throws(() => parseJson(bytesOf('{"a":1,"\\u0061":2}')), /Duplicate field 'a'/);
  const many = Array.from({ length: 50_000 }, (_, i) => `"k${i}":0`).join(',');
  assert.equal(Object.keys(parseJson(bytesOf(`{${many}}`)) as object).length, 50_000);
  assert.throws(() => parseJson(bytesOf(`{${many},"k7":1}`)), /Duplicate field 'k7'/);
  assert.deepEqual(plain(parseJson(bytesOf('[{"a":{"a":1}},{"a":2}]'))), [{ a: { a: 1 } }, { a: 2 }]);
  assert.throws(() => parseJson(bytesOf('{} "x"')), /after the root value/);
  assert.throws(() => parseJson(bytesOf('{"a":\n  x}')), { details: { line: 2, col: 3 } });
  const proto = parseJson(bytesOf('{"__proto__":{"x":1}}')) as Record<string, JsonValue>;
  assert.deepEqual(Object.keys(proto), ['__proto__']);
  assert.equal(Object.getPrototypeOf(proto), null);
});

test('skipping checked text ends where skipping its tokens ends, and reads none of them', () => {
  const scanner = new Scanner();
  /** The tokens and where each ends; of containers from the n-th token on only the ends. */
  const tokens = (bytes: Uint8Array, from: number, isChecked: boolean): number[][] => {
    const seen: number[][] = [];
    scanner.reset(bytes, 0, bytes.length);
    while (scanner.next() !== END) {
      const isContainer = scanner.token === OBJECT_START || scanner.token === ARRAY_START;
      if (seen.length >= from && isContainer) {
        if (isChecked) scanner.skipChecked();
        else scanner.skip();
      }
      seen.push([scanner.token, scanner.position, scanner.depth]);
    }
    return seen;
  };
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(9), fc.constantFrom(0, 1), (value, from, indent) => {
      const bytes = Buffer.from(JSON.stringify([value, '"}\\', { '["': ']' }], undefined, indent));
      assert.deepEqual(tokens(bytes, from, true), tokens(bytes, from, false));
    }),
    { numRuns: 1_000 },
  );
  const { next } = Scanner.prototype;
  let reads = 0;
  scanner.next = function () {
    reads++;
    return next.call(this);
  };
  tokens(Buffer.from(JSON.stringify(Array.from({ length: 1_000 }, (_, i) => ({ a: [i] })))), 0, true);
  assert.equal(reads, 2);
});
