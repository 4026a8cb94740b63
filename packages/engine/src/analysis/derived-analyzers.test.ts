// The terms of the fields that the engine derives from others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pairAnalyzers } from './derived-analyzers.ts';
import { buildAnalysis } from './registry.ts';

test('an empty place behind a word, as of a stop word, makes a pair with it, also at the end', () => {
  const english = buildAnalysis({}).get('english')!;
  const pairs = (text: string): string[] =>
    pairAnalyzers(english, english)
      .index.analyze(text)
      .map(({ term }) => term);
  assert.deepEqual(pairs('red dog'), ['red dog']);
  assert.deepEqual(pairs('red fox not the'), ['red fox', 'fox _']);
  assert.deepEqual(pairs('the red fox'), ['red fox']);
  assert.deepEqual(pairs('red the not fox'), ['red _']);
  assert.deepEqual(pairs('fox'), []);
  assert.deepEqual(pairs('not'), []);
});
