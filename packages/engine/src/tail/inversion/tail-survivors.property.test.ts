// A compacted tail is sealed as if the dropped documents had never been in it: byte for byte, with words
// far apart, several values and none, types and routings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildAnalysis } from '../../analysis/registry.ts';
import { mapDocument } from '../../mapping/document/map-document.ts';
import { parseMapping } from '../../mapping/index-mapping.ts';
import { createMemory } from '../../memory/arenas.ts';
import { copySegment, type SegmentBytes } from '../../segment/section-writer.ts';
import { Tail } from '../tail.ts';
import { sealLent } from './seal-lent.ts';
import { newScratch } from './write-range.ts';

const memory = createMemory({ stepBytes: 1 << 20 });
const properties = {
  text: { type: 'text', position_increment_gap: 300 },
  tags: { type: 'keyword' },
  n: { type: 'long' },
  flag: { type: 'boolean' },
};

const document = fc.record(
  {
    text: fc.array(fc.constantFrom('', 'a', 'b a', 'one two three', 'two two b'), { maxLength: 3 }),
    tags: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    n: fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 3 }),
    flag: fc.boolean(),
  },
  { requiredKeys: [] },
);
const row = fc.record({ document, isKept: fc.boolean(), routing: fc.option(fc.constantFrom('r', 'rr')) });
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

/** A tail of some of the rows, which are told apart by their places. */
function tailOf(rows: readonly Row[], has: (row: Row) => boolean): Tail {
  const tail = new Tail(memory);
  let mapping = parseMapping({ properties }, buildAnalysis({}));
  for (const [i, each] of rows.entries()) {
    if (!has(each)) continue;
    const bytes = Buffer.from(JSON.stringify(each.document));
    tail.begin({
      ...{ id: Buffer.from(`id-${i % 7}`), seqNo: i, version: 1 + (i % 2), type: '_doc' },
      ...{ routing: each.routing ?? undefined, commit: 1 + (i >>> 2), chunk: 1, offset: i * 10 },
      length: bytes.length,
    });
    mapping = mapDocument(mapping, bytes, 0, bytes.length, tail, { id: `${i}` });
    tail.end();
    if (i % 3 === 0) tail.closeBatch();
  }
  tail.closeBatch();
  return tail;
}

function bytesOf(steps: Generator<void, SegmentBytes>): Buffer {
  for (;;) {
    const { done, value } = steps.next();
    if (!done) continue;
    const all = Buffer.alloc(value.byteLength);
    copySegment(value, all);
    return all;
  }
}

test('the survivors of a tail are sealed as if they had been alone', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
      const kept = rows.filter(({ isKept }) => isKept);
      if (kept.length === 0) return;
      let next = 0;
      const newDoc = Int32Array.from(rows, ({ isKept }) => (isKept ? next++ : -1));
      const [whole, alone] = [tailOf(rows, () => true), tailOf(rows, ({ isKept }) => isKept)];
      const left = bytesOf(sealLent(whole.lend(), memory, newScratch(), newDoc));
      assert.ok(left.equals(bytesOf(alone.seal())));
      for (const tail of [whole, alone]) tail.release();
    }),
  );
});
