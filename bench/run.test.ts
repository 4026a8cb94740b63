// The options of a run: the peers and questions that they select, and the combinations that are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUESTIONS } from './questions/questions.ts';
import { PEERS, planOf } from './run.ts';

const LIBRARY_ONLY = 'top10_in_process';
const namesOf = (...args: string[]): string[] => planOf(args)!.questions.map(({ name }) => name);
const peersOf = (...args: string[]): readonly string[] => planOf(args)!.peers;
const ALL = QUESTIONS.map(({ name }) => name);
const SERVERS_ONLY = ALL.filter((name) => name !== LIBRARY_ONLY);

test('all peers run by default, the named ones with --peers, none with --alone', () => {
  assert.deepEqual([peersOf(), namesOf()], [PEERS, ALL]);
  assert.deepEqual(peersOf('--peers', 'postgresql,opensearch'), ['opensearch', 'postgresql']);
  assert.deepEqual(peersOf('--alone'), []);
  assert.deepEqual(peersOf('--alone', '--peers', 'sqlite'), []);
  assert.deepEqual(peersOf('--smoke'), []);
});

test('Tantivy is a peer too: the question that compares with it is asked only with it', () => {
  const asked = ['--questions', LIBRARY_ONLY];
  assert.deepEqual([peersOf('--peers', 'tantivy'), namesOf('--peers', 'tantivy')], [[], ALL]);
  assert.deepEqual(namesOf('--peers', 'tantivy', ...asked), [LIBRARY_ONLY]);
  assert.deepEqual(namesOf(...asked), [LIBRARY_ONLY]);
  for (const args of [['--peers', 'sqlite'], ['--alone'], ['--smoke']]) {
    assert.deepEqual(namesOf(...args), SERVERS_ONLY, args.join(' '));
    assert.throws(() => planOf([...args, ...asked]), /top10_in_process compares with tantivy/);
  }
});

test('unknown names are refused with a list of the known ones', () => {
  const known = /^there is no peer nonsense; there are opensearch, sqlite, postgresql, tantivy$/;
  for (const args of [['nonsense'], ['opensearch,nonsense'], ['nonsense', '--alone']])
    assert.throws(() => planOf(['--peers', ...args]), { message: known });
  assert.throws(() => planOf(['--peers', '']), /there is no peer/);
  assert.throws(() => planOf(['--questions', 'nonsense']), /there is no question nonsense/);
  assert.throws(() => planOf(['--docs', '3']), /at least 400/);
});
