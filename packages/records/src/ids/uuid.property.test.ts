// Ids rise, whatever the clock does and whenever the process starts again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isUuid7, lowestUuid7, randomBits, Uuid7Sequence, uuid7Time } from './uuid.ts';

const bits = fc.oneof(fc.constant(0), fc.constant(0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));
const clock = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 }),
  fc.integer({ min: 0, max: 2 ** 47 }),
);

test('ids rise strictly under any clock, any chance and restarts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ now: clock, restart: fc.boolean() }), { minLength: 1, maxLength: 200 }),
      fc.array(bits, { minLength: 1, maxLength: 50 }),
      (steps, chances) => {
        let drawn = 0;
        const random = (): number => chances[drawn++ % chances.length]!;
        let last: string | undefined;
        let highest = -1;
        let sequence = new Uuid7Sequence(undefined, random);
        for (const { now, restart } of steps) {
          if (restart) sequence = new Uuid7Sequence(last, random);
          const id = sequence.next(now);
          assert.ok(isUuid7(id), id);
          assert.ok(last === undefined || id > last, `${id} after ${last}`);
          highest = Math.max(highest, now);
          assert.ok(uuid7Time(id) >= highest);
          assert.ok(id >= lowestUuid7(now) || uuid7Time(id) > now);
          last = id;
        }
      },
    ),
  );
});

test('a full counter carries into the time', () => {
  const last = '00000000-0001-7fff-bfff-ffffffffffff';
  const id = new Uuid7Sequence(last, () => 0).next(0);
  assert.equal(id, '00000000-0002-7000-8000-000000000000');
  assert.throws(() => new Uuid7Sequence('FFFFFFFF-0001-7fff-bfff-ffffffffffff', () => 0), RangeError);
});

test('a hundred thousand ids of one millisecond are all different and in order', () => {
  const sequence = new Uuid7Sequence(undefined, randomBits());
  let last = '';
  for (let i = 0; i < 100_000; i++) {
    const id = sequence.next(1_700_000_000_000);
    assert.ok(id > last);
    last = id;
  }
  assert.equal(uuid7Time(last), 1_700_000_000_000);
});
