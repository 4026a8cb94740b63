// Words far longer than a token are cut into pieces, in linear time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WordCutter } from './word-cutter.ts';

function lengths(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  const words = new WordCutter();
  words.reset(bytes, 0, bytes.length);
  const found: number[] = [];
  while (words.next()) found.push(words.stop - words.start);
  return found;
}

test('a word of millions of letters is cut every 255', () => {
  const found = lengths('x'.repeat(255 * 12_000 + 7));
  assert.equal(found.length, 12_001);
  assert.equal(found.at(-1), 7);
  assert.ok(found.slice(0, -1).every((length) => length === 255));
});

test('also where letters beyond ASCII end it', () => {
  const found = lengths(`${'x'.repeat(255 * 12_000)}é`);
  assert.equal(found.length, 12_001);
  assert.equal(found.at(-1), 2);
});

test('a word of just the longest length stays whole', () => {
  assert.deepEqual(lengths(`${'x'.repeat(255)} y`), [255, 1]);
  assert.deepEqual(lengths(`${'x'.repeat(256)} y`), [255, 1, 1]);
  assert.deepEqual(lengths(`${'x'.repeat(254)}é y`), [256, 1]);
});
