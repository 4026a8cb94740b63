// `raw-json` finds the values that JSON.parse finds, whatever the text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { elementsAt, membersAt, wholeRange } from './raw-json.ts';

const value = (bytes: Buffer, { start, end }: { start: number; end: number }): unknown =>
  JSON.parse(bytes.subarray(start, end).toString('utf8'));

test('members and elements of any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
      const bytes = Buffer.from(JSON.stringify(json, undefined, space), 'utf8');
      const members = [...membersAt(bytes, wholeRange(bytes))].map(([name, at]) => [name, value(bytes, at)]);
      const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
      assert.deepEqual(members, isObject ? Object.entries(JSON.parse(JSON.stringify(json))) : []);
      const elements = elementsAt(bytes, wholeRange(bytes)).map((at) => value(bytes, at));
      assert.deepEqual(elements, Array.isArray(json) ? JSON.parse(JSON.stringify(json)) : []);
    }),
  );
});

test('what is cut off is an error, not a loop', () => {
  for (const text of ['{"a', '{"a"', '{"a":', '{"a":[1,', '{"a":"x\\', '{"a":1', '{"a":1,']) {
    assert.throws(() => membersAt(Buffer.from(text), { start: 0, end: text.length }), SyntaxError, text);
  }
});
