// Do scrolls remember how their indices were told of, and is what they keep alive bounded?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexInfo } from '@octavo/engine';
import { asTold, keepTold, keptAs } from './as-told.ts';

const info = (name: string): IndexInfo => ({
  ...{ name, uuid: name, createdAt: 0, state: 'open', settings: {}, mappings: {}, aliases: {} },
});

test('the same infos have one number, until one of them is another', () => {
  const [a, b] = [info('a'), info('b')];
  const [one, both] = [keepTold([a]), keepTold([a, b])];
  assert.notEqual(one, both);
  assert.equal(keepTold([a, b]), both);
  assert.deepEqual(keptAs(both), asTold([a, b]));
  const other = keepTold([a, info('b')]);
  assert.notEqual(other, both);
  assert.deepEqual(keptAs(one), asTold([a]));
  assert.equal(keptAs(both)?.get('b'), b);
  assert.equal(keptAs(keepTold([])), undefined);
});

test('the last 32 are remembered, and those that are used', () => {
  const used = keepTold([info('used')]);
  const numbers = Array.from({ length: 40 }, (_, i) => {
    assert.ok(keptAs(used), `used before ${i} others`);
    return keepTold([info(`i${i}`)]);
  });
  const left = numbers.filter((number) => keptAs(number) !== undefined);
  assert.deepEqual(left, numbers.slice(-31));
});
