// Checksums find every difference and no other, whatever the order. A further test lists the spellings that count as the same
// document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RawHit } from '../io/raw-hits.ts';
import { BucketSums, bucketOfId } from './bucket-sums.ts';
import { isSameDocument } from './same-document.ts';

const hit = (id: string, source: string, routing?: string): RawHit => ({
  index: 'i',
  id,
  source: Buffer.from(source),
  ...(routing === undefined ? {} : { routing }),
});

const documents = fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.nat(3), { maxKeys: 40 });

function fold(all: Readonly<Record<string, number>>, backwards: boolean): BucketSums {
  const sums = new BucketSums();
  const entries = Object.entries(all);
  for (const [id, n] of backwards ? entries.toReversed() : entries) sums.add(hit(id, `{"n":${n}}`));
  return sums;
}

test('sums differ in the buckets of what differs, in any order', () => {
  fc.assert(
    fc.property(documents, documents, (a, b) => {
      const ids = new Set([...Object.keys(a), ...Object.keys(b)]);
      const other = [...ids].filter(
        (id) => (Object.hasOwn(a, id) ? a[id] : -1) !== (Object.hasOwn(b, id) ? b[id] : -1),
      );
      const [ours, theirs] = [fold(a, false), fold(b, true)];
      assert.deepEqual(ours.differing(theirs), new Set(other.map(bucketOfId).sort((x, y) => x - y)));
      assert.equal(ours.digest() === theirs.digest(), other.length === 0);
    }),
  );
});

test('a document twice is not a document once', () => {
  const [once, twice] = [new BucketSums(), new BucketSums()];
  for (const sums of [once, twice, twice]) sums.add(hit('a', '{}'));
  assert.equal(once.differing(twice).size, 1);
});

test('spaces, order of keys and 1.50 change nothing; digits, types and routing do', () => {
  const base = hit('a', '{"n":1.5,"o":{"x":1,"y":[1,2]},"s":"1"}');
  assert.ok(isSameDocument(base, hit('a', '{ "s":"1", "o":{"y":[1, 2],"x":1}, "n":1.50 }')));
  for (const other of [
    '{"n":1.5,"o":{"x":1,"y":[2,1]},"s":"1"}',
    '{"n":1.5,"o":{"x":1,"y":[1,2]},"s":1}',
    '{"n":1.5,"o":{"x":1,"y":[1,2]},"s":"1","t":null}',
  ])
    assert.ok(!isSameDocument(base, hit('a', other)), other);
  assert.ok(!isSameDocument(hit('a', '{"n":9007199254740993}'), hit('a', '{"n":9007199254740992}')));
  assert.ok(!isSameDocument(hit('a', '{"n":"#1"}'), hit('a', '{"n":1}')));
  assert.ok(!isSameDocument(hit('a', '{}', 'r'), hit('a', '{}')));
});
