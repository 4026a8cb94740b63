// Scrolls get the states of indices that they remembered, and the memory for states is bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexInfo } from '@octavo/engine';
import { infosByName, recallInfos, rememberInfos } from './index-info-memo.ts';

const info = (name: string): IndexInfo => ({
  ...{ name, uuid: name, createdAt: 0, state: 'open', settings: {}, mappings: {}, aliases: {} },
});

const none = { info: () => undefined };

test('the same infos have one number, until one of them is another', () => {
  const [a, b] = [info('a'), info('b')];
  const [one, both] = [rememberInfos([a], none), rememberInfos([a, b], none)];
  assert.notEqual(one, both);
  assert.equal(rememberInfos([a, b], none), both);
  assert.deepEqual(recallInfos(both), infosByName([a, b]));
  const other = rememberInfos([a, info('b')], none);
  assert.notEqual(other, both);
  assert.deepEqual(recallInfos(one), infosByName([a]));
  assert.equal(recallInfos(both)?.get('b'), b);
  assert.equal(recallInfos(rememberInfos([], none)), undefined);
});

test('the last 32 are remembered, and those that are used', () => {
  const used = rememberInfos([info('used')], none);
  const numbers = Array.from({ length: 40 }, (_, i) => {
    assert.ok(recallInfos(used), `used before ${i} others`);
    return rememberInfos([info(`i${i}`)], none);
  });
  const left = numbers.filter((number) => recallInfos(number) !== undefined);
  assert.deepEqual(left, numbers.slice(-31));
});

test('what is in force counts for nothing, in whatever company', () => {
  const there = new Map(['x', 'y', 'z'].map((name) => [name, info(name)]));
  const inForce = { info: (name: string) => there.get(name) };
  const [x, y, z] = [...there.values()] as [IndexInfo, IndexInfo, IndexInfo];
  const first = rememberInfos([x], inForce);
  const sets = [[x, y], [x, z], [x, y, z], [y], [z, x], [z]];
  const before = sets.map((set) => rememberInfos(set, inForce));
  for (let i = 0; i < 40; i++)
    assert.deepEqual(
      sets.map((set) => rememberInfos(set, inForce)),
      before,
    );
  for (let i = 0; i < 100; i++) rememberInfos([info('gone')], inForce);
  assert.deepEqual(recallInfos(first), infosByName([x]));
  assert.equal(rememberInfos([x], inForce), first);
  // It changes now, and is among the last that did.
  there.set('x', info('x'));
  rememberInfos([there.get('x')!], inForce);
  assert.deepEqual(recallInfos(first), infosByName([x]));
});
