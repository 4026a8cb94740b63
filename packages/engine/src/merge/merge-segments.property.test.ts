// A merged segment answers as plain Maps do for exactly the remaining documents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertLeaf, documentArbitrary, feed, type OracleDoc } from '../../test/leaf-oracle.ts';
import { setBit, wordsFor } from '../kernels/bits.ts';
import { createMemory } from '../memory/arenas.ts';
import { copySegment, type SegmentBytes } from '../segment/section-writer.ts';
import { openSegment, type SegmentLeaf } from '../segment/segment-leaf.ts';
import { Tail } from '../tail/tail.ts';
import { mergeSegments } from './merge-segments.ts';

const memory = createMemory();

function run<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function open(segment: SegmentBytes): SegmentLeaf {
  const bytes = new Uint8Array(segment.byteLength);
  copySegment(segment, bytes);
  return openSegment(bytes);
}

interface Input {
  readonly leaf: SegmentLeaf;
  readonly docs: readonly OracleDoc[];
  readonly drop: Uint32Array | undefined;
}

const inputs = fc.array(
  fc.array(fc.tuple(documentArbitrary, fc.boolean(), fc.boolean()), { maxLength: 12 }),
  { minLength: 1, maxLength: 5 },
);

function build(
  lists: [{ doc: (seqNo: number, commit: number) => OracleDoc }, boolean, boolean][][],
): Input[] {
  let seqNo = 0;
  let commit = 1;
  return lists.map((list, i) => {
    const tail = new Tail(memory);
    // Every third input has no bitmap at all.
    const drop = i % 3 === 2 ? undefined : new Uint32Array(wordsFor(list.length));
    const docs = list.map(([make, dropped, next], place) => {
      const doc = make.doc(seqNo++, (commit += next ? 1 : 0));
      feed(tail, doc);
      if (dropped && drop !== undefined) setBit(drop, place);
      return doc;
    });
    tail.closeBatch();
    const leaf = open(run(tail.seal()));
    tail.release();
    return { leaf, docs, drop };
  });
}

test('a merge holds the documents that stay, and merging again changes nothing', () => {
  fc.assert(
    fc.property(inputs, (lists) => {
      const built = build(lists);
      const kept: OracleDoc[] = [];
      const expected = built.map(({ docs, drop }) =>
        docs.map((doc, i) => {
          if (drop !== undefined && (drop[i >>> 5]! >>> (i & 31)) & 1) return -1;
          return kept.push(doc) - 1;
        }),
      );
      const merge = run(
        mergeSegments(built.map(({ leaf, drop }) => (drop === undefined ? { leaf } : { leaf, drop }))),
      );
      assert.deepEqual(
        merge.newDoc.map((map) => [...map]),
        expected,
      );
      const leaf = open(merge.segment);
      assertLeaf(leaf, kept);
      const again = run(mergeSegments([{ leaf }]));
      assert.ok(Buffer.concat(again.segment.parts).equals(Buffer.concat(merge.segment.parts)));
    }),
    { numRuns: 150 },
  );
});

test('sources move and old commits become one when asked', () => {
  fc.assert(
    fc.property(inputs, fc.nat(30), (lists, oldest) => {
      const built = build(lists);
      const relocate = (input: number, doc: number): { chunk: number; offset: number } | undefined =>
        (input + doc) % 2 === 0 ? { chunk: 9, offset: doc } : undefined;
      const { segment } = run(
        mergeSegments(
          built.map(({ leaf }) => ({ leaf })),
          { relocate, oldest },
        ),
      );
      const { docs } = open(segment);
      let at = 0;
      const commits = built.flatMap((one) => one.docs.map((doc) => doc.commit));
      built.forEach((one, input) => {
        one.docs.forEach((doc, i) => {
          const moved = relocate(input, i);
          assert.equal(docs.sourceChunk(at), moved?.chunk ?? doc.chunk);
          assert.equal(docs.sourceOffset(at), moved?.offset ?? doc.offset);
          assert.equal(docs.sourceLength(at), doc.length);
          if (doc.commit > oldest) assert.equal(docs.commit(at), doc.commit);
          else assert.ok(docs.commit(at) <= oldest);
          at++;
        });
      });
      for (let s = oldest; s < oldest + 40; s++) {
        assert.equal(docs.countAt(s), commits.filter((commit) => commit <= s).length);
      }
    }),
    { numRuns: 60 },
  );
});
