import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentInAnyUnit } from '../test/arbitraries.ts';
import { truncate } from './truncate.ts';
import { convertUnit } from './units.ts';
import { validateContent } from './validate.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

test('the first graphemes and their entities stay', () => {
  fc.assert(
    fc.property(contentInAnyUnit, fc.nat(40), (drawn, max) => {
      const cut = truncate(drawn, max);
      assert.equal(cut.text, graphemes(drawn.text).slice(0, max).join(''));
      assert.deepEqual(validateContent(cut.text, cut.entities, cut.unit), []);
      const from = convertUnit(drawn, 'utf16');
      const entities = convertUnit(cut, 'utf16').entities;
      assert.deepEqual(
        entities,
        from.entities
          .filter(({ start }) => start < cut.text.length)
          .map((entity) => ({ ...entity, end: Math.min(entity.end, cut.text.length) })),
      );
    }),
  );
});

test('the ellipsis counts as graphemes and appears only if something is cut', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  const content = {
    text: `${family}e\u0301\u05e9\u05c1b`,
    entities: [{ kind: 'topic', start: 8, end: 13 }],
    unit: 'utf16',
  } as const;
  assert.deepEqual(truncate(content, 4, '\u2026'), content);
  assert.deepEqual(truncate(content, 3, '\u2026'), {
    text: `${family}e\u0301\u2026`,
    entities: [{ kind: 'topic', start: 8, end: 10 }],
    unit: 'utf16',
  });
  assert.equal(truncate(content, 1, '\u2026').text, '\u2026');
  assert.equal(truncate(content, 2, '...').text, '..');
  assert.equal(truncate(content, 0, '\u2026').text, '');
  assert.equal(truncate(content, Number.NaN).text, '');
});

test('without Intl.Segmenter marks and joined emoji stay whole', () => {
  const { Segmenter } = Intl;
  try {
    Object.defineProperty(Intl, 'Segmenter', { value: undefined, configurable: true, writable: true });
    const text = 'e\u0301\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u{1f44d}\u{1f3fd}b';
    const at = (max: number): string => truncate({ text, entities: [], unit: 'utf16' }, max).text;
    assert.deepEqual([at(1).length, at(2).length, at(3).length, at(4).length], [2, 10, 14, 15]);
  } finally {
    Object.defineProperty(Intl, 'Segmenter', { value: Segmenter, configurable: true, writable: true });
  }
});
