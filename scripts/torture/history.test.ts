// A history allows what was acknowledged and what was under way, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from './history.ts';

const LATE = 1n << 62n;

test('what was acknowledged must be there, what was under way may be', () => {
  const history = new History();
  history.answer(history.send('a', '1'), 201);
  const before = process.hrtime.bigint();
  const second = history.send('a', '2');
  assert.deepEqual(history.judge(new Map([['a', '1']])), []);
  assert.deepEqual(history.judge(new Map([['a', '2']])), []);
  assert.match(history.judge(new Map())[0]!, /a is absent and not 1 or 2/);
  history.answer(second, 200);
  assert.match(history.judge(new Map([['a', '1']]))[0]!, /a is 1 and not 2/);
  assert.deepEqual(history.judge(new Map([['a', '1']]), before), []);
  assert.match(history.judge(new Map([['a', '2']]), before)[0]!, /a is 2 and not 1/);
  assert.equal(history.acknowledged(LATE), 2);
});

test('what was refused must not be there, and nothing that nobody sent', () => {
  const history = new History();
  history.answer(history.send('a', '1'), 507);
  assert.match(history.judge(new Map([['a', '1']]))[0]!, /a is 1 and not absent/);
  history.answer(history.send('a', '2'), 500);
  assert.deepEqual(history.judge(new Map([['a', '2']])), []);
  assert.match(history.judge(new Map([['b', '1']]))[0]!, /nobody has sent/);
});

test('an earlier state is told from one that nobody ever sent', () => {
  const history = new History();
  for (const state of ['1', '2']) history.answer(history.send('a', state), 200);
  assert.equal(history.judge(new Map([['a', '1']])).length, 1);
  assert.deepEqual(history.neverSent(new Map([['a', '1']])), []);
  assert.deepEqual(history.neverSent(new Map([['a', '3']])), ['a']);
  assert.deepEqual(history.neverSent(new Map([['b', '1']])), ['b']);
});
