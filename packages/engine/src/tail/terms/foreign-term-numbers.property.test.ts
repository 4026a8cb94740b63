// Foreign term numbers are translated to the numbers of the same terms here, from any table, in short
// and long texts, with new terms at any position.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createMemory } from '../../memory/arenas.ts';
import { ForeignTermNumbers } from './foreign-term-numbers.ts';
import { ForeignTerms } from './foreign-terms.ts';
import { GrowableWords } from './growable.ts';
import { TermTable } from './term-table.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const MOST = 3_000;

/** The first terms of one of several tables: other ones, partly. */
const termOf = (there: number, n: number): string => `w${n % 7 === 0 ? n : `${there}-${n}`}`;

function tell(terms: ForeignTerms, there: number, upTo: number): void {
  const { count } = terms;
  if (upTo <= count) return;
  const all = Array.from({ length: upTo - count }, (_, i) => encoder.encode(termOf(there, count + i)));
  const starts = new Uint32Array(all.length + 1);
  for (const [i, each] of all.entries()) starts[i + 1] = starts[i]! + each.length;
  terms.extend({ first: count, bytes: new Uint8Array(Buffer.concat(all)), starts });
}

const text = fc.record({
  there: fc.nat({ max: 1 }),
  upTo: fc.integer({ min: 1, max: MOST }),
  length: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 500 })),
  seed: fc.nat(),
});

test('the numbers of words of another table', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const memory = createMemory({ stepBytes: 1 << 16, arenaBytes: 256 << 20 });
      const table = new TermTable(memory);
      const known = new ForeignTermNumbers(memory, table);
      const tokens = new GrowableWords(memory);
      const foreign = [new ForeignTerms(), new ForeignTerms()];
      const expected: string[] = [];
      for (const { there, upTo, length, seed } of texts) {
        const terms = foreign[there]!;
        tell(terms, there, upTo);
        const words = Uint32Array.from({ length: length + 3 }, (_, i) => (seed + i * i * 31) % terms.count);
        known.append(words, 1, length + 1, terms, tokens);
        assert.equal(known.number(words[0]!, terms), table.intern(...whole(termOf(there, words[0]!))));
        for (const n of words.subarray(1, length + 1)) expected.push(termOf(there, n));
      }
      const found = Array.from(tokens.view.subarray(0, tokens.length), (n) => decoder.decode(table.term(n)));
      assert.deepEqual(found, expected);
      for (const each of [known, tokens, table]) each.release();
      assert.equal(memory.usage().used, 0);
    }),
    { numRuns: 60 },
  );
});

function whole(term: string): [Uint8Array, number, number] {
  const bytes = encoder.encode(term);
  return [bytes, 0, bytes.length];
}
