// Automata accept exactly what they should: against plain matchers over all short texts of a small alphabet,
// walked through sorted and unsorted dictionaries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../errors.ts';
import { type Automaton, DEAD } from '../../patterns/automaton/automaton.ts';
import { literalAutomaton, prefixAutomaton, wildcardAutomaton } from '../../patterns/automaton/literal.ts';
import { REGEXP_FLAGS, regexpAutomaton } from '../../patterns/automaton/regexp.ts';
import type { Terms } from '../../segment/leaf.ts';
import { runToEnd } from '../../turn.ts';
import { compareTerms } from '../node/terms/term-sources.ts';
import { EditAutomaton } from './edit-automaton.ts';
import { walkTerms } from './walk-terms.ts';

const ALPHABET = ['a', 'b', 'é', '😀'];
const TEXTS: readonly string[] = [1, 2, 3, 4].reduce<string[]>(
  (all, length) =>
    all.concat(
      all.filter((t) => Array.from(t).length === length - 1).flatMap((t) => ALPHABET.map((c) => t + c)),
    ),
  [''],
);

function accepts(automaton: Automaton, text: string): number {
  let state = automaton.start;
  for (const c of text) {
    if (state === DEAD) return -1;
    state = automaton.step(state, c.codePointAt(0)!);
  }
  return state === DEAD ? -1 : automaton.accepts(state);
}

/** As much of a dictionary as a walk asks for. */
function dictionary(texts: readonly string[], sorted: boolean): Terms {
  const terms = texts.map((text) => new TextEncoder().encode(text));
  if (sorted) terms.sort(compareTerms);
  return {
    count: terms.length,
    sorted,
    term: (ordinal: number) => terms[ordinal]!,
    ordinals: () => terms.keys(),
    lowerBound: (bytes: Uint8Array) => {
      const at = terms.findIndex((term) => compareTerms(term, bytes) >= 0);
      return at < 0 ? terms.length : at;
    },
  } as unknown as Terms;
}

function walked(automaton: Automaton, sorted: boolean): Map<string, number> {
  const terms = dictionary(TEXTS, sorted);
  const found = new Map<string, number>();
  runToEnd(walkTerms(terms, automaton, (o, d) => found.set(new TextDecoder().decode(terms.term(o)), d)));
  return found;
}

/**
 * Checks an automaton, alone and over dictionaries, against what each text should come to (-1: not accepted).
 */
function check(make: () => Automaton, expected: (text: string) => number): void {
  const automaton = make();
  const wanted = new Map(TEXTS.map((text) => [text, expected(text)] as const).filter(([, d]) => d >= 0));
  for (const text of TEXTS)
    assert.equal(accepts(automaton, text), wanted.get(text) ?? -1, JSON.stringify(text));
  const order = (map: Map<string, number>): [string, number][] => [...map].sort();
  assert.deepEqual(order(walked(make(), true)), order(wanted));
  assert.deepEqual(order(walked(make(), false)), order(wanted));
}

test('wildcards', () => {
  const matches = (pattern: string[], text: string[]): boolean => {
    const [p, ...rest] = pattern;
    if (p === undefined) return text.length === 0;
    if (p === '*') return matches(rest, text) || (text.length > 0 && matches(pattern, text.slice(1)));
    return text.length > 0 && (p === '?' || p === text[0]) && matches(rest, text.slice(1));
  };
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...ALPHABET, '*', '?'), { minLength: 1, maxLength: 5 }),
      (pattern) => {
        check(
          () => wildcardAutomaton(pattern.join(''), false, 10_000),
          (text) => (matches(pattern, Array.from(text)) ? 0 : -1),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test('a pattern without any part matches nothing', () => {
  const nothing = (): number => -1;
  check(() => wildcardAutomaton('', false, 10_000), nothing);
  check(() => literalAutomaton('', true), nothing);
  check(() => regexpAutomaton('', REGEXP_FLAGS['ALL']!, true, 10_000), nothing);
});

test('literals and prefixes, in one case or both', () => {
  check(
    () => literalAutomaton('Ab', true),
    (text) => (text === 'ab' ? 0 : -1),
  );
  check(
    () => literalAutomaton('Ab', false),
    () => -1,
  );
  check(
    () => prefixAutomaton('Aé', true),
    (text) => (text.startsWith('aé') ? 0 : -1),
  );
  check(
    () => prefixAutomaton('', false),
    () => 0,
  );
});

test('edits, as the distance table gives them', () => {
  const distance = (a: string[], b: string[], swaps: boolean): number => {
    const d: number[][] = [];
    for (let i = 0; i <= a.length; i++) {
      d.push([]);
      for (let j = 0; j <= b.length; j++) {
        const up = i > 0 ? d[i - 1]![j]! + 1 : Number.POSITIVE_INFINITY;
        const left = j > 0 ? d[i]![j - 1]! + 1 : Number.POSITIVE_INFINITY;
        const both =
          i > 0 && j > 0 ? d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1) : Number.POSITIVE_INFINITY;
        const swapped = swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        d[i]!.push(i + j === 0 ? 0 : Math.min(up, left, both, swapped ? d[i - 2]![j - 2]! + 1 : 99));
      }
    }
    return d[a.length]![b.length]!;
  };
  const word = fc.array(fc.constantFrom(...ALPHABET), { maxLength: 5 });
  fc.assert(
    fc.property(word, fc.nat(2), fc.nat(2), fc.boolean(), (list, edits, fixed, swaps) => {
      check(
        () => new EditAutomaton(list.join(''), edits, fixed, swaps),
        (text) => {
          const chars = Array.from(text);
          const n = Math.min(fixed, list.length);
          if (list.slice(0, n).join() !== chars.slice(0, n).join()) return -1;
          const found = distance(list.slice(n), chars.slice(n), swaps);
          return found <= edits ? found : -1;
        },
      );
    }),
    { numRuns: 40 },
  );
});

/** A pattern of the shared subset, and the same for JavaScript. */
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...ALPHABET, '.', '[ab]', '[^a]', '[a-z]', '()'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('?', '*', '+', '{2}', '{1,}', '{0,2}'))
      .map(([a, s]) => `(${a})${s}`),
  ),
}));

test('regular expressions, as JavaScript reads them', () => {
  fc.assert(
    fc.property(pattern, (text) => {
      const js = new RegExp(`^(?:${text})$`, 'su');
      check(
        () => regexpAutomaton(text, REGEXP_FLAGS['ALL']!, false, 10_000),
        (each) => (js.test(each) ? 0 : -1),
      );
    }),
    { numRuns: 40 },
  );
});

test('what only Lucene has: intersection, complement, any text, nothing, intervals, quotes', () => {
  const all = REGEXP_FLAGS['ALL']! | REGEXP_FLAGS['COMPLEMENT']!;
  const of = (text: string) => () => regexpAutomaton(text, all, false, 10_000);
  check(of('a.*&.*b'), (t) => (t.startsWith('a') && t.endsWith('b') ? 0 : -1));
  check(of('~(a.*)'), (t) => (t.startsWith('a') ? -1 : 0));
  check(of('a@'), (t) => (t.startsWith('a') ? 0 : -1));
  check(of('#|a'), (t) => (t === 'a' ? 0 : -1));
  check(of('"a"\\b'), (t) => (t === 'ab' ? 0 : -1));
  for (const [low, high] of [
    [7, 12],
    [0, 5],
    [19, 205],
    [98, 1003],
  ] as const) {
    const automaton = regexpAutomaton(`<${low}-${high}>`, all, false, 10_000);
    for (let n = 0; n < 1100; n++) {
      assert.equal(accepts(automaton, String(n)), n >= low && n <= high ? 0 : -1, `${n} in ${low}-${high}`);
    }
  }
  const fixed = regexpAutomaton('<08-11>', all, false, 10_000);
  for (const text of ['08', '09', '10', '11']) assert.equal(accepts(fixed, text), 0);
  for (const text of ['8', '008', '07', '12']) assert.equal(accepts(fixed, text), -1);
});

test('an automaton that would grow without end is stopped', () => {
  const automaton = regexpAutomaton('(a|b)*a(a|b){20}', REGEXP_FLAGS['ALL']!, false, 1000);
  let seed = 1;
  const text = Array.from({ length: 5000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed >> 16) & 1 ? 'a' : 'b';
  }).join('');
  assert.throws(() => accepts(automaton, text), EngineError);
});

test('a short expression that takes many steps is stopped, whatever its number of states', () => {
  const all = REGEXP_FLAGS['ALL']!;
  const texts = ['a'.repeat(5_000), 'ab'.repeat(2_500)];
  for (const pattern of [
    '((((a{1,100}){1,100}){1,100}){1,100})',
    '(a{1,1000}){1,1000}',
    '((a{1,1000})&(a{1,999})&(aa{1,500})|(a{2,30000}))*',
    '((.?){100}){100}',
    '(((.?){30}){30}){30}',
    '((((a?){9}){9}){9}){9}',
  ]) {
    const run = (): void => {
      for (const text of texts) accepts(regexpAutomaton(pattern, all, false, 10_000), text);
    };
    assert.throws(run, /would require more than 300000 effort/, pattern);
  }
});
