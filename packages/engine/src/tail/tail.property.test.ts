// The tail answers as plain Maps do: with many minis, after merges, aborts and failed log writes, and
// once sealed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertLeaf, documentArbitrary, feed, fields, type OracleDoc } from '../../test/leaf-oracle.ts';
import { sealedBytes } from '../../test/sealed.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Memory } from '../memory/memory.ts';
import { openSegment } from '../segment/segment-leaf.ts';
import { Tail } from './tail.ts';

const memory: Memory = createMemory();

function assertTail(tail: Tail, docs: readonly OracleDoc[]): void {
  let start = 0;
  for (const leaf of tail.leaves()) {
    assertLeaf(leaf, docs.slice(start, start + leaf.docCount));
    start += leaf.docCount;
  }
  assert.equal(start, docs.length);
  assert.equal(tail.closedCount, docs.length);
  const newest = new Map(docs.map((doc, i) => [Buffer.from(doc.id).toString(), i]));
  for (const [id, doc] of newest) {
    const place = tail.locate(tail.newest(Buffer.from(id)))!;
    assert.deepEqual(place, tail.locate(doc));
    const leaf = tail.leaves()[tail.ranges().indexOf(place.leaf)]!;
    assert.equal(leaf.docs.id(place.doc), id);
    let older = tail.newest(Buffer.from(id));
    for (let i = docs.length - 1; i >= 0; i--) {
      if (
        !docs[i]!.id.every((byte, at) => byte === Buffer.from(id)[at]) ||
        docs[i]!.id.length !== Buffer.from(id).length
      )
        continue;
      assert.equal(older, i);
      assert.equal(place.leaf.docs.version(place.doc), docs[doc]!.version);
      older = tail.older(older);
    }
    assert.equal(older, -1);
  }
  assert.equal(tail.newest(Buffer.from('no such id')), -1);
  assertLeaf(openSegment(sealedBytes(tail)), docs);
}

test('minis and the sealed segment hold exactly the documents that were ended', () => {
  const step = fc.record({
    kind: fc.constantFrom('document', 'document', 'document', 'document', 'abort', 'commit', 'undo', 'half'),
    document: documentArbitrary,
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(4, 16_384), (steps, largest) => {
      const tail = new Tail(memory, { largest });
      let kept: OracleDoc[] = [];
      let pending: OracleDoc[] = [];
      const boundaries = [0];
      let seqNo = 0;
      let commit = 1;
      for (const { kind, document } of steps) {
        const doc = document.doc(seqNo++, commit);
        if (kind === 'document') {
          feed(tail, doc);
          pending.push(doc);
        } else if (kind === 'abort' || kind === 'half') {
          tail.begin(doc);
          fields(tail, doc);
          tail.abort();
        } else if (kind === 'commit') {
          tail.closeBatch();
          kept = kept.concat(pending);
          pending = [];
          boundaries.push(kept.length);
          commit += 2;
        } else {
          const back = boundaries[Math.max(0, boundaries.length - 2)]!;
          tail.truncate(back);
          kept = kept.slice(0, back);
          pending = [];
          while (boundaries.at(-1)! > back) boundaries.pop();
        }
      }
      tail.closeBatch();
      assertTail(tail, kept.concat(pending));
      tail.release();
    }),
    { numRuns: 150 },
  );
  assert.equal(memory.usage().used, 0);
});

test('a full tail has few minis', () => {
  const docs = Array.from({ length: 4 * 64 }, (_, i) => i);
  const tail = new Tail(memory, { limit: docs.length - 1 });
  let most = 0;
  for (const i of docs.slice(1)) {
    const place = { chunk: 0, offset: i, length: 1, type: '_doc', routing: undefined };
    tail.begin({ id: Buffer.from(`id${i}`), seqNo: i, version: 1, commit: i, ...place });
    tail.end();
    most = Math.max(most, tail.ranges().length);
    tail.closeBatch();
  }
  assert.equal(most, 16);
  assert.deepEqual(
    tail.ranges().map(({ docCount }) => docCount),
    [64, 64, 64, 8, 8, 8, 8, 31],
  );
  tail.release();
});

test('deaths stay with their documents when minis merge', () => {
  const tail = new Tail(memory);
  const dead = new Map<number, number>();
  for (let i = 0; i < 100; i++) {
    tail.begin({
      id: Buffer.from(`id${i}`),
      seqNo: i,
      version: 1,
      type: '_doc',
      routing: undefined,
      commit: i + 1,
      chunk: 0,
      offset: i,
      length: 1,
    });
    tail.end();
    tail.closeBatch();
    if (i % 3 === 1) {
      const doc = (i * 7) % i;
      if (dead.has(doc)) continue;
      const place = tail.locate(doc)!;
      place.leaf.deaths.append(place.doc, i + 1);
      dead.set(doc, i + 1);
    }
  }
  assert.ok(tail.leaves().length < 30);
  const expected = [...dead].toSorted((a, b) => a[1] - b[1]);
  const deaths = tail.deaths();
  assert.deepEqual(
    expected,
    Array.from({ length: deaths.count }, (_, i) => [deaths.doc(i), deaths.commit(i)]),
  );
  for (const [doc, commit] of dead) {
    const { leaf, doc: at } = tail.locate(doc)!;
    const alive = (s: number): boolean => {
      const live = leaf.deaths.liveAt(s);
      return live === undefined || ((live[at >>> 5]! >>> (at & 31)) & 1) === 1;
    };
    assert.equal(alive(commit - 1), true);
    assert.equal(alive(commit), false);
  }
  tail.release();
});

test('a search prepares documents in slices while others come, are taken back, or the tail goes', () => {
  const step = fc.record({
    kind: fc.constantFrom('commit', 'commit', 'prepare', 'slice', 'undo', 'search', 'release'),
    documents: fc.array(documentArbitrary, { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const leave = memory.beginReading();
      let tail = new Tail(memory);
      let docs: OracleDoc[] = [];
      let boundaries = [0];
      let seqNo = 0;
      let commit = 0;
      const running: Generator<void, void>[] = [];
      for (const { kind, documents } of steps) {
        if (kind === 'commit') {
          commit++;
          for (const document of documents) {
            const doc = document.doc(seqNo++, commit);
            feed(tail, doc);
            docs.push(doc);
          }
          tail.closeBatch();
          boundaries.push(docs.length);
        } else if (kind === 'prepare') running.push(tail.prepare(commit));
        else if (kind === 'slice') for (const work of running) work.next();
        else if (kind === 'search') assertTail(tail, docs);
        else if (kind === 'undo' && boundaries.length > 1) {
          boundaries.pop();
          docs = docs.slice(0, boundaries.at(-1));
          tail.truncate(docs.length);
        } else if (kind === 'release') {
          tail.release();
          tail = new Tail(memory);
          docs = [];
          boundaries = [0];
        }
      }
      for (const work of running) for (const _ of work);
      if (running.length > 0 && docs.length > 0) for (const _ of tail.prepare(commit));
      assertTail(tail, docs);
      assert.equal(tail.uninverted(commit), 0);
      tail.release();
      leave();
    }),
    { numRuns: 100 },
  );
  assert.equal(memory.usage().used, 0);
});
