import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brokenContent, content, contentInAnyUnit, junkMarkup, text } from '../test/arbitraries.ts';
import { escapeMarkup, unescapeMarkup } from './escape.ts';
import { parseMarkup, plainText } from './parse.ts';
import { normalizeContent, toMarkup } from './print.ts';
import { convertUnit } from './units.ts';
import { validateContent } from './validate.ts';

test('content survives a round trip through markup', () => {
  fc.assert(fc.property(content, (drawn) => assert.deepEqual(parseMarkup(toMarkup(drawn)), drawn)));
});

test('content of any unit survives a round trip through markup', () => {
  fc.assert(
    fc.property(contentInAnyUnit, (drawn) => {
      assert.deepEqual(convertUnit(parseMarkup(toMarkup(drawn)), drawn.unit), drawn);
    }),
  );
});

test('broken content survives in canonical form', () => {
  fc.assert(
    fc.property(brokenContent, (drawn) => {
      const normal = normalizeContent(drawn);
      assert.deepEqual(validateContent(normal.text, normal.entities, normal.unit), []);
      assert.deepEqual(normalizeContent(normal), normal);
      assert.deepEqual(parseMarkup(toMarkup(drawn)), convertUnit(normal, 'utf16'));
      if (validateContent(drawn.text, drawn.entities, drawn.unit).length === 0) {
        assert.equal(normal.entities.length, drawn.entities.length);
      }
    }),
    { numRuns: 500 },
  );
});

test('any markup gives valid content, and printing it is canonical', () => {
  fc.assert(
    fc.property(junkMarkup, (markup) => {
      const parsed = parseMarkup(markup);
      assert.deepEqual(validateContent(parsed.text, parsed.entities), []);
      const canonical = toMarkup(parsed);
      assert.deepEqual(parseMarkup(canonical), parsed);
      assert.equal(toMarkup(parseMarkup(canonical)), canonical);
    }),
    { numRuns: 1000 },
  );
});

test('escaped text is text', () => {
  fc.assert(
    fc.property(text, (typed) => {
      assert.equal(unescapeMarkup(escapeMarkup(typed)), typed);
      assert.deepEqual(parseMarkup(escapeMarkup(typed)), { text: typed, entities: [], unit: 'utf16' });
      assert.equal(toMarkup({ text: typed, entities: [], unit: 'utf16' }), escapeMarkup(typed));
    }),
  );
});

test('long hostile markup is read to its end', () => {
  // Each would take hours if reading were quadratic.
  const times = 100_000;
  for (const piece of [
    '<',
    '<user',
    '<user username="',
    '<user username="a"',
    '<user username="a">',
    '</user>',
    '&',
    '&amp',
    '\ud800',
  ]) {
    assert.equal(parseMarkup(piece.repeat(times)).entities.length, 0, piece);
  }
  assert.equal(parseMarkup('<topic>x</topic>'.repeat(times)).entities.length, times);
  assert.equal(plainText(`<user username="a"${' '.repeat(times)}>x</user>`), 'x');
  assert.equal(plainText(`${'<topic>'.repeat(times)}x${'</topic>'.repeat(times)}`).length, 15 * times - 14);
});
