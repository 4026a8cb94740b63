// Is a body that differs from the last one in a number understood as it is when it is read?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { askedAgain, oneNumber } from './one-number.ts';
import { type Asked, askedBy } from './templates.ts';

const place = fc.oneof(
  fc.nat(10_000_000).map(String),
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
  let told = 0;
  fc.assert(
    fc.property(body, body, place, place, (one, other, first, second) => {
      const last = Buffer.from(one(first));
      const read = askedBy('i', '', last);
      const number = read && oneNumber(last, read);
      if (number === undefined) return;
      for (const make of [one, other]) {
        const next = Buffer.from(make(second));
        const again: Asked | undefined = askedAgain(number, next);
        if (again === undefined) continue;
        assert.deepEqual(again, askedBy('i', '', next));
        told++;
      }
    }),
    { numRuns: 2_000 },
  );
  assert.ok(told > 100, `${told} were told`);
  const last = Buffer.from('{"from":10,"size":2}');
  const number = oneNumber(last, askedBy('i', 'q', last)!)!;
  assert.deepEqual(askedAgain(number, Buffer.from('{"from":7000,"size":2}'))?.values, { from: '7000' });
  assert.equal(askedAgain(number, Buffer.from('{"from":7000,"size":3}')), undefined);
});
