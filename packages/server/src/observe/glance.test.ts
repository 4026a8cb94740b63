// Is a first look waited for, and does nobody wait for records that are away once something is known?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Glance } from './glance.ts';

const AWAY = new Promise<never>(() => {});
/** Longer than any look but the first waits. */
const AWHILE_MS = 1_000;

test('the first look waits for an answer that takes longer than later ones may', async () => {
  const first = Promise.withResolvers<string>();
  const glance = new Glance(() => first.promise, 60_000);
  let found: string | undefined;
  const looks = Promise.all([glance.look(), glance.look()]).then(([one]) => (found = one));
  await sleep(AWHILE_MS);
  assert.equal(found, undefined, 'nobody is told that nothing is known');
  first.resolve('gone');
  assert.equal(await looks, 'gone');
});

test('what is known stands where the records are away, and nobody who comes next waits', async () => {
  const answers: Promise<string>[] = [Promise.resolve('gone'), AWAY];
  let asked = 0;
  const glance = new Glance(() => answers[asked++] ?? AWAY, 60_000);
  assert.equal(await glance.look(), 'gone');
  // A look's own timer does not hold the process up.
  const held = setTimeout(() => {}, 60_000);
  assert.equal(await glance.look(true), 'gone');
  clearTimeout(held);
  assert.equal(await glance.look(), 'gone');
  assert.equal(asked, 2);
});

test('a first look that fails, or never ends, leaves nothing known', async () => {
  const failing = new Glance(() => Promise.reject(new Error('away')), 60_000);
  assert.equal(await failing.look(), undefined);
  const held = setTimeout(() => {}, 60_000);
  assert.equal(await new Glance(() => AWAY, 10).look(), undefined);
  clearTimeout(held);
});
