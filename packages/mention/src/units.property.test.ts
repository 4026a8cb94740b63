import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { content, text, unit } from '../test/arbitraries.ts';
import { convertUnit, lengthIn, mapOffsets } from './units.ts';

const sliceBytes = (drawn: string, start: number, end: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(drawn).slice(start, end));

test('the slice of an entity is the same in every unit', () => {
  fc.assert(
    fc.property(content, (drawn) => {
      const bytes = convertUnit(drawn, 'utf8');
      const points = convertUnit(drawn, 'codepoint');
      for (const [index, { start, end }] of drawn.entities.entries()) {
        const slice = drawn.text.slice(start, end);
        assert.equal(sliceBytes(drawn.text, bytes.entities[index]!.start, bytes.entities[index]!.end), slice);
        const all = [...drawn.text];
        assert.equal(all.slice(points.entities[index]!.start, points.entities[index]!.end).join(''), slice);
      }
    }),
  );
});

test('a conversion and its reverse change nothing', () => {
  fc.assert(
    fc.property(content, unit, unit, (drawn, a, b) => {
      assert.deepEqual(convertUnit(convertUnit(convertUnit(drawn, a), b), 'utf16'), drawn);
    }),
  );
});

test('lengths equal those of the platform', () => {
  fc.assert(
    fc.property(text, (drawn) => {
      assert.equal(lengthIn(drawn, 'utf16'), drawn.length);
      assert.equal(lengthIn(drawn, 'utf8'), new TextEncoder().encode(drawn).length);
      assert.equal(lengthIn(drawn, 'codepoint'), [...drawn].length);
    }),
  );
});

test('an offset inside a character becomes its start and is reported', () => {
  assert.deepEqual(mapOffsets('a\u{1f600}b', [2, 3, 1, 9, -1, Number.NaN], 'utf16', 'utf8'), {
    offsets: [1, 5, 1, 6, 0, 0],
    broken: [true, false, false, true, true, false],
  });
  assert.deepEqual(mapOffsets('a\u{1f600}b', [1, 2, 4, 5], 'utf8', 'utf16'), {
    offsets: [1, 1, 1, 3],
    broken: [false, true, true, false],
  });
});
