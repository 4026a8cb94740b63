import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeSource } from './partial-update.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const merge = (source: string, patch: string) => {
  const merged = mergeSource(bytes(source), bytes(patch));
  return merged && new TextDecoder().decode(merged);
};

test('objects merge, everything else is replaced', () => {
  assert.equal(
    merge('{"a":{"b":1,"c":[1,2]},"d":1}', '{"a":{"c":[3]},"e":null}'),
    '{"a":{"b":1,"c":[3]},"d":1,"e":null}',
  );
  assert.equal(merge('{"a":{"b":1}}', '{"a":7}'), '{"a":7}');
});

test('a patch that changes nothing is a noop', () => {
  assert.equal(
    merge('{"a":{"b":[1,{"c":2}]},"n":9007199254740993}', '{"a":{"b":[1,{"c":2}]},"n":9007199254740993}'),
    undefined,
  );
  assert.equal(merge('{"a":1}', '{}'), undefined);
});

test('longs beyond 2^53 stay exact, and __proto__ is a plain key', () => {
  assert.equal(merge('{"n":9007199254740993}', '{"m":1}'), '{"n":9007199254740993,"m":1}');
  assert.equal(merge('{"a":1}', '{"__proto__":{"polluted":true}}'), '{"a":1,"__proto__":{"polluted":true}}');
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('what is not an object is refused', () => {
  assert.throws(() => merge('{"a":1}', '[1]'), { status: 400 });
});
