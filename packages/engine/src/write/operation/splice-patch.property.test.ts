// A spliced patch changes exactly what a merge of the JSON trees changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { mergeSource, mergeTrees } from './partial-update.ts';
import { spliceSource } from './splice-patch.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd"', 'é', '__proto__', '', '1');
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, 1.5, 1e21, '', 'x', 'é', 'a"b\\', '\n'),
  fc.string({ maxLength: 4 }),
  fc.integer(),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y'), scalar),
);
const object = (of: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc
    .uniqueArray(fc.tuple(key, of), { selector: ([name]) => name, maxLength: 6 })
    .map(
      (members) =>
        `{${members.map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`).join(',')}}`,
    );

const encoder = new TextEncoder();
const shown = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : stringifyJson(parseJson(bytes));

test('spliced is merged', () => {
  let spliced = 0;
  fc.assert(
    fc.property(object(value), object(fc.oneof({ weight: 5, arbitrary: scalar }, value)), (source, patch) => {
      const [a, b] = [encoder.encode(source), encoder.encode(patch)];
      const due = mergeTrees(a, b);
      const one = spliceSource(a, b);
      if (one !== 'unfit') {
        spliced++;
        assert.equal(shown(one), shown(due));
      }
      assert.equal(shown(mergeSource(a, b)), shown(due));
    }),
    { numRuns: 1000 },
  );
  assert.ok(spliced > 300);
});

test('bytes that the patch does not name stay as they are; names and numbers are compared by what they mean', () => {
  const merge = (source: string, patch: string): string | undefined => {
    const out = mergeSource(encoder.encode(source), encoder.encode(patch));
    return out && new TextDecoder().decode(out);
  };
  assert.equal(merge('{ "a" : 1.50 , "b":[1, 2] }', '{"b":null}'), '{ "a" : 1.50 , "b":null }');
  assert.equal(merge('{ }', '{"a":1}'), '{ "a":1}');
  assert.equal(merge('{"\\u0061":1.0}', '{"a":1}'), undefined);
  assert.equal(merge('{"a":"\\u0062"}', '{"a":"b"}'), undefined);
  assert.equal(merge('{"x":"a\\"b\\\\","a":1}', '{"a":2}'), '{"x":"a\\"b\\\\","a":2}');
  assert.equal(merge('{"x":"\\\\\\"","y":"","a":1}', '{"b":2}'), '{"x":"\\\\\\"","y":"","a":1,"b":2}');
  assert.equal(merge('{"n":9007199254740993}', '{"n":9007199254740992}'), '{"n":9007199254740992}');
  assert.throws(() => merge('{"a":1}', '{"b":1e999}'), { type: 'json_parse_exception' });
  assert.throws(() => merge('{"a":1}', '{"b":1} x'), { status: 400 });
  assert.throws(() => merge('{"a":1}', '{"b":1,"b":2}'), /Duplicate field 'b'/);
});
