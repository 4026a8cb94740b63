// The documents extracted from a reply are byte-identical to its text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findMember, readHits } from './raw-hits.ts';

test('sources keep their digits, escapes and order', () => {
  const source = '{"b": 9007199254740993, "a":"\\"}],{\\\\", "_source":{"hits":[1.0]}}';
  const reply = `{"took":1,"x":{"hits":0},"hits":{"total":{"value":2},"hits":[{"_index":"i","_id":"q\\"1","_source":${source}} ,
    {"_index":"i","_id":"2","_source":{"a":\n1}}]}}`;
  const hits = readHits(Buffer.from(reply));
  assert.deepEqual(
    hits.map((hit) => [hit.index, hit.id, hit.source.toString()]),
    [
      ['i', 'q"1', source],
      ['i', '2', '{"a": 1}'],
    ],
  );
  assert.deepEqual(readHits(Buffer.from('{"hits":{"hits":[]}}')), []);
  assert.deepEqual(readHits(Buffer.from('{"error":{}}')), []);
});

test('a member is found as JSON.parse finds it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (object, pretty) => {
      const json = Buffer.from(JSON.stringify(object, null, pretty ? 2 : undefined));
      for (const [key, value] of Object.entries(object)) {
        const found = findMember(json, 0, key);
        assert.ok(found !== undefined);
        assert.deepEqual(
          JSON.parse(json.toString('utf8', found.start, found.end)),
          JSON.parse(JSON.stringify(value)),
        );
      }
      assert.equal(findMember(json, 0, 'no such key at all'), undefined);
    }),
  );
});

test('long strings end at their quote, however many backslashes stand before it', () => {
  for (let length = 15; length < 40; length++) {
    for (const end of ['', '\\', '"', '\\\\', '\\"', '"\\', '\\\\"x"']) {
      const text = 'é'.repeat(length % 3) + 'x'.repeat(length) + end;
      const json = Buffer.from(JSON.stringify({ [text]: text, after: 1 }));
      const found = findMember(json, 0, 'after')!;
      assert.equal(json.toString('utf8', found.start, found.end), '1');
      const own = findMember(json, 0, text)!;
      assert.equal(JSON.parse(json.toString('utf8', own.start, own.end)), text);
    }
  }
});
