// Patterns match as the engine's own regular expressions do, in time that grows with the text only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePattern, patternFlags } from './parse-pattern.ts';
import { Pattern } from './pattern.ts';

const FLAGS = patternFlags(undefined);

/** A small generator of numbers: the same for each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** A random pattern over a and b. Only what cannot be empty is repeated without end, where engines differ in groups. */
function randomPattern(
  next: (below: number) => number,
  depth: number,
): { text: string; canBeEmpty: boolean } {
  const leaves = ['a', 'b', '[ab]', '[^a]', '.', '(?=a)', '(?!ab)', '(?<=b)', '(?<!a|bb)', '^', '$', '\\b'];
  if (depth === 0) {
    const i = next(leaves.length);
    return { text: leaves[i]!, canBeEmpty: i > 4 };
  }
  const a = randomPattern(next, depth - 1);
  const b = randomPattern(next, depth - 1);
  switch (next(5)) {
    case 0:
      return { text: `${a.text}${b.text}`, canBeEmpty: a.canBeEmpty && b.canBeEmpty };
    case 1:
      return { text: `(?:${a.text}|${b.text})`, canBeEmpty: a.canBeEmpty || b.canBeEmpty };
    case 2:
      return { text: `(${a.text})`, canBeEmpty: a.canBeEmpty };
    case 3: {
      const lazy = next(2) === 0 ? '?' : '';
      if (a.canBeEmpty) return { text: `(?:${a.text}b)?${lazy}`, canBeEmpty: true };
      return { text: `(?:${a.text})${['*', '+', '{1,2}'][next(3)]}${lazy}`, canBeEmpty: true };
    }
    default:
      return { text: `${a.text}(?:${b.text})`, canBeEmpty: a.canBeEmpty && b.canBeEmpty };
  }
}

test('random patterns find what backtracking finds', () => {
  const next = numbers(7);
  for (let i = 0; i < 3000; i++) {
    const { text: source } = randomPattern(next, 4);
    const text = Array.from({ length: next(9) }, () => 'ab '[next(3)]).join('');
    const expected = Array.from(text.matchAll(new RegExp(source, 'gd')), (match) => match.indices![0]);
    const got = Array.from(new Pattern(source, FLAGS).matches(text), ([start, end]) => [start, end]);
    assert.deepEqual(got, expected, `${source} in ${JSON.stringify(text)}`);
  }
});

test('patterns that take exponential time elsewhere are fast', () => {
  const start = performance.now();
  const text = `${'a'.repeat(400)}!`;
  for (const source of ['(a+)+$', '(a|aa)+$', '(.*a){8}$', '(?=(a+)+$)x']) {
    assert.equal([...new Pattern(source, FLAGS).matches(text)].length, 0, source);
  }
  assert.ok(performance.now() - start < 2000);
});

test('a text that takes too many steps is refused', () => {
  const pattern = new Pattern('a(.*b)?', FLAGS);
  assert.throws(() => [...pattern.matches('a'.repeat(3000))], /takes too many steps/);
});

test('what cannot be matched in linear time is refused by name', () => {
  for (const [source, reason] of [
    ['(a)\\1', /references to groups are not supported/],
    ['(?<n>a)\\k<n>', /references to groups are not supported/],
    ['a++', /possessive quantifiers are not supported/],
    ['(?>a)', /atomic groups are not supported/],
    ['\\p{InGreek}', /\[\\p\{InGreek\}\] are not supported/],
    ['a{2000}', /at most 1000 times/],
  ] as const) {
    assert.throws(() => new Pattern(source, FLAGS), reason);
  }
  assert.throws(() => new Pattern('((a{100}){100}){100}', FLAGS), /at most 20000 instructions/);
  assert.throws(() => parsePattern('('.repeat(1000), FLAGS), /nested too deeply/);
});
