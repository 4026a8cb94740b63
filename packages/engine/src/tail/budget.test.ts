// A document that is in the log gets a place in the tail, however little memory is left. Only documents
// without one are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysis } from '../analysis/registry.ts';
import { mapDocument } from '../mapping/document/map-document.ts';
import { parseMapping } from '../mapping/index-mapping.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Block } from '../memory/memory.ts';
import { Tail } from './tail.ts';

const LIMIT = 400;

test('where memory ends between two steps of a document it is refused before its end, or there', () => {
  const memory = createMemory({ budgetBytes: 4 << 20, stepBytes: 1 << 20 });
  const tail = new Tail(memory, { limit: LIMIT });
  const mapping = parseMapping(
    { properties: { text: { type: 'text' }, tag: { type: 'keyword' }, n: { type: 'long' } } },
    buildAnalysis({}),
  );
  /** Takes all that is left, and gives it back. */
  const without = (work: () => void): void => {
    const taken: Block[] = [];
    for (let bytes = 1 << 20; bytes >= 64; )
      try {
        taken.push(memory.alloc(bytes));
      } catch {
        bytes >>>= 1;
      }
    try {
      work();
    } finally {
      for (const block of taken) memory.free(block);
    }
  };
  const map = (i: number): void => {
    const words = Array.from({ length: 30 }, (_, w) => `w${i * 31 + w}`).join(' ');
    const source = Buffer.from(
      JSON.stringify({ text: `each ${words}`, tag: [`b${i}`, `a${i}`], n: [i, -i] }),
    );
    const place = { chunk: 1, offset: i * 100, length: source.length, type: '_doc', routing: undefined };
    tail.begin({ id: Buffer.from(`d${i}`), seqNo: i, version: 1, commit: i + 1, ...place });
    mapDocument(mapping, source, 0, source.length, tail, { id: `d${i}` });
  };
  let refused = 0;
  for (let i = 0; i < LIMIT; i++) {
    try {
      if (i % 3 === 0) without(() => map(i));
      else map(i);
    } catch (error) {
      assert.equal((error as { type?: string }).type, 'circuit_breaking_exception');
      tail.abort();
      refused++;
      map(i);
    }
    without(() => {
      assert.equal(tail.end(), i);
      tail.closeBatch();
      const docs = tail.leaves().reduce((sum, { docCount }) => sum + docCount, 0);
      assert.equal(docs, i + 1);
    });
  }
  assert.ok(refused > 0 && refused < LIMIT / 3, `${refused} refused`);
  tail.release();
});
