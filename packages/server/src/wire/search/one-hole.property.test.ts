// Is a body that differs from the last one in one hole understood as it is when it is read?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askedAgain, oneHole } from './one-hole.ts';
import { type Asked, askedBy } from './templates.ts';

const place = fc.oneof(
  fc.nat(10_000_000).map(String),
  fc.array(fc.oneof(fc.nat(), fc.string(), fc.constant(null))).map((list) => JSON.stringify(list)),
  fc.constantFrom(
    '0',
    '007',
    '-1',
    '1.5',
    '1e3',
    '',
    '9007199254740993',
    '12345678901234567',
    '"1"',
    '1 ',
    '{}',
    '[]',
    '[1, "a"]',
    '[17,"ü","]"]',
    '["{", null, 1.5e3 ]',
    '[[1]]',
    '[{"a":1}]',
    '["\\"]',
    '["\\"]"]',
    '["]',
    '[1],"page":[2]',
    '["a"],"x":["b"]',
    '[1] ',
  ),
);
const body = fc
  .record({
    name: fc.constantFrom('from', 'page', 'search_after'),
    text: fc.constantFrom('"from":1', '\\"from\\":1', 'ü', '"'),
    before: fc.boolean(),
    twice: fc.boolean(),
  })
  .map(({ name, text, before, twice }) => (value: string): string => {
    const members = [`"query":{"match":{"t":${JSON.stringify(text)}}}`, `"${name}":${value}`];
    if (twice) members.push('"page":2');
    return `{${(before ? members : members.toReversed()).join(', ')},"size":20}`;
  });

test('what is asked again is what would be read', () => {
  const told = { lists: 0, numbers: 0 };
  fc.assert(
    fc.property(body, body, place, place, (one, other, first, second) => {
      const last = Buffer.from(one(first));
      const read = askedBy('i', '', last);
      const hole = read && oneHole(last, read);
      if (hole === undefined) return;
      for (const make of [one, other]) {
        const next = Buffer.from(make(second));
        const again: Asked | undefined = askedAgain(hole, next);
        if (again === undefined) continue;
        assert.deepEqual(again, askedBy('i', '', next));
        told[hole.name === 'search_after' ? 'lists' : 'numbers']++;
      }
    }),
    { numRuns: 4_000 },
  );
  assert.ok(told.lists > 50 && told.numbers > 100, JSON.stringify(told));
  const last = Buffer.from('{"from":10,"size":2}');
  const hole = oneHole(last, askedBy('i', 'q', last)!)!;
  assert.deepEqual(askedAgain(hole, Buffer.from('{"from":7000,"size":2}'))?.values, { from: '7000' });
  assert.equal(askedAgain(hole, Buffer.from('{"from":7000,"size":3}')), undefined);
});
