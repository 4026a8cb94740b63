// The first read waits for the value. No later read waits longer than necessary for records that do not respond.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { RecentValue } from './recent-value.ts';

const AWAY = new Promise<never>(() => {});
/** Longer than a look waits where nothing else is said. */
const AWHILE_MS = 1_000;

/** A look's own timer does not hold the process up. */
async function held<T>(look: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {}, 60_000);
  return await look.finally(() => clearTimeout(timer));
}

test('a look with patience waits for an answer that takes longer, and many looks ask once', async () => {
  const first = Promise.withResolvers<string>();
  let asked = 0;
  const glance = new RecentValue(() => {
    asked++;
    return first.promise;
  });
  let found: string | undefined;
  const looks = Promise.all([glance.get(true, 60_000), glance.get(true, 60_000)]);
  void looks.then(([one]) => (found = one));
  await sleep(AWHILE_MS);
  assert.equal(found, undefined, 'nobody is told that nothing is known');
  first.resolve('gone');
  assert.deepEqual(await looks, ['gone', 'gone']);
  assert.equal(asked, 1);
});

test('what is known stands where the records are away, and nobody who comes next waits', async () => {
  const answers: Promise<string>[] = [Promise.resolve('gone'), AWAY];
  const glance = new RecentValue(() => answers.shift() ?? AWAY);
  assert.equal(await glance.get(), 'gone');
  assert.equal(await held(glance.get(true)), 'gone');
  assert.equal(await Promise.race([glance.get(), turn('waited')]), 'gone');
});

test('a look that fails, or never ends, leaves nothing known, and nobody who comes next waits', async () => {
  const failing = new RecentValue(() => Promise.reject(new Error('away')));
  assert.equal(await failing.get(true, 60_000), undefined);
  const hanging = new RecentValue(() => AWAY);
  assert.equal(await held(hanging.get(true, 10)), undefined);
  assert.equal(await Promise.race([hanging.get(), turn('waited')]), undefined);
});
