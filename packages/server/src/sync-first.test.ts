// Steps of values and steps of promises give the same results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chain, finish, type MaybePromise, rescue } from './sync-first.ts';

const fault = new Error('fault');
const fails = (): never => {
  throw fault;
};

test('what is there goes on in the same call', () => {
  assert.equal(
    chain(1, (n) => n + 1),
    2,
  );
  assert.equal(
    rescue(() => 1, fails),
    1,
  );
  assert.equal(
    rescue(fails, () => 2),
    2,
  );
  let ends = 0;
  assert.equal(
    finish(
      () => 3,
      () => ends++,
    ),
    3,
  );
  assert.throws(() => finish(fails, () => ends++), fault);
  assert.equal(ends, 2);
});

test('what comes later goes on when it is there', async () => {
  const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(resolve, value));
  const sum: MaybePromise<number> = chain(later(1), (n) => later(n + 1));
  assert.ok(sum instanceof Promise);
  assert.equal(await sum, 2);
  assert.equal(
    await rescue(
      () => later(1).then<number>(fails),
      async () => 5,
    ),
    5,
  );
  let ends = 0;
  const ended = finish(
    () => later(1),
    () => ends++,
  );
  assert.equal(ends, 0);
  assert.equal(await ended, 1);
  await assert.rejects(async () => {
    await finish(
      () => later(1).then<number>(fails),
      () => ends++,
    );
  }, fault);
  assert.equal(ends, 2);
});
