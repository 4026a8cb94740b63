// A tail is dropped once no search or lease sees it, and the check is cheap enough for every commit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DocumentRange } from '../../segment/leaf.ts';
import { isInvisible } from './dropped-documents.ts';
import { type DyingTail, RECHECK_MS, TailVisibility } from './tail-visibility.ts';

/** A range of documents with these births and deaths; undefined is alive. */
function rangeOf(lives: readonly (readonly [birth: number, death: number | undefined])[]): DocumentRange {
  const dead = lives.flatMap(([, death], doc) => (death === undefined ? [] : [{ doc, death }]));
  dead.sort((a, b) => a.death - b.death);
  return {
    docCount: lives.length,
    docs: { commit: (doc: number) => lives[doc]![0] },
    deaths: {
      count: dead.length,
      doc: (entry: number) => dead[entry]!.doc,
      commit: (entry: number) => dead[entry]!.death,
      countAt: (commit: number) => dead.filter(({ death }) => death <= commit).length,
    },
  } as unknown as DocumentRange;
}

test('what no keeper sees is what lived at none of their commits', () => {
  const life = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(
      fc.array(life, { minLength: 1, maxLength: 12 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
      (steps, some) => {
        const lives = steps.map(([birth, age]) => [birth, birth + age] as const);
        const keepers = some.toSorted((a, b) => a - b);
        const isSeen = (keeper: number): boolean =>
          lives.some(([birth, death]) => birth <= keeper && keeper < death);
        // Keepers that were there before a document was born do not see it; the last one is the newest
        // commit.
        const born = lives.every(([birth]) => birth <= keepers.at(-1)!);
        fc.pre(born);
        assert.equal(isInvisible(rangeOf(lives), keepers), !keepers.some(isSeen));
      },
    ),
  );
});

test('leases are asked for when all is dead, and then once in a while', () => {
  let now = 0;
  let asked = 0;
  const visibility = new TailVisibility(() => now);
  const tailOf = (range: DocumentRange): DyingTail => ({ ranges: () => [range] });
  const ask = (tail: DyingTail, keepers: readonly number[]): boolean =>
    visibility.isInvisible(tail, () => {
      asked++;
      return keepers;
    });
  assert.equal(
    ask(
      tailOf(
        rangeOf([
          [1, 2],
          [1, undefined],
        ]),
      ),
      [3, 9],
    ),
    false,
  );
  assert.equal(asked, 0);
  const tail = tailOf(
    rangeOf([
      [1, 5],
      [2, 6],
    ]),
  );
  for (let commit = 0; commit < 1000; commit++) assert.equal(ask(tail, [3, 9]), false);
  assert.equal(asked, 1);
  now += RECHECK_MS;
  assert.equal(ask(tail, [9]), true);
  // Without leases a commit that is on its way is not waited for.
  const other = tailOf(
    rangeOf([
      [1, 5],
      [2, 6],
    ]),
  );
  assert.equal(ask(other, [5]), false);
  assert.equal(ask(other, [6]), true);
});
