// Both texts can be read back from their differences, and nothing common is shown as changed twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineDiff } from './line-diff.ts';

test('a diff contains both texts, with as many common lines as there can be', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const lines = lineDiff(a, b);
      const side = (other: 'removed' | 'added'): string =>
        lines
          .filter(({ kind }) => kind !== other)
          .map(({ text }) => text)
          .join('\n');
      assert.equal(side('added'), a);
      assert.equal(side('removed'), b);
      assert.equal(lines.filter(({ kind }) => kind === 'same').length, longest(a.split('\n'), b.split('\n')));
    }),
  );
});

function longest(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  if (a[0] === b[0]) return 1 + longest(a.slice(1), b.slice(1));
  return Math.max(longest(a.slice(1), b), longest(a, b.slice(1)));
}
