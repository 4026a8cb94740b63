// A snapshot keeps seeing the minis that were built for it while later commits merge them into larger
// ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentArbitrary, feed } from '../../../test/leaf-oracle.ts';
import { createMemory } from '../../memory/arenas.ts';
import type { Memory } from '../../memory/memory.ts';
import { Tail } from '../tail.ts';

const memory: Memory = createMemory();

/** Documents in the order of their commits: which one wrote each, which one it died with. */
type Fate = { readonly born: number; died: number };

function assertSees(tail: Tail, fates: readonly Fate[], snapshot: number): void {
  let doc = 0;
  for (const { docs, deaths } of tail.leaves(snapshot)) {
    const live = deaths.liveAt(snapshot);
    for (let i = 0; i < docs.countAt(snapshot); i++, doc++) {
      const { born, died } = fates[doc]!;
      assert.equal(docs.commit(i), born);
      assert.equal(live === undefined || ((live[i >>> 5]! >>> (i & 31)) & 1) === 1, died > snapshot);
    }
  }
  assert.equal(doc, fates.filter(({ born }) => born <= snapshot).length);
}

test('what was made ready for a snapshot serves it until it is given up, and longer ones see the rest', () => {
  const commits = fc.array(
    fc.record({
      documents: fc.array(documentArbitrary, { minLength: 1, maxLength: 3 }),
      kills: fc.array(fc.nat(), { maxLength: 2 }),
      isReady: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(
      commits,
      fc.integer({ min: 0, max: 5 }),
      fc.constantFrom(6, 16_384),
      (steps, lag, largest) => {
        const leave = memory.beginReading();
        const tail = new Tail(memory, { largest });
        const fates: Fate[] = [];
        const ready = new Set<number>();
        for (const [at, { documents, kills, isReady }] of steps.entries()) {
          const commit = at + 1;
          for (const document of documents) {
            feed(tail, document.doc(fates.length, commit));
            fates.push({ born: commit, died: Number.POSITIVE_INFINITY });
          }
          for (const kill of kills) {
            const doc = kill % fates.length;
            const place = tail.locate(doc);
            if (place === undefined || fates[doc]!.died <= commit) continue;
            place.leaf.deaths.append(place.doc, commit);
            fates[doc]!.died = commit;
          }
          tail.closeBatch();
          if (isReady) {
            for (const _ of tail.prepare(commit));
            ready.add(commit);
          }
          const published = commit - lag;
          if (published < 1) continue;
          tail.forget(published);
          if (ready.has(published)) assert.equal(tail.uninverted(published), 0);
          assertSees(tail, fates, published);
          assertSees(tail, fates, Math.ceil(published / 2));
        }
        tail.release();
        leave();
      },
    ),
    { numRuns: 60 },
  );
  assert.equal(memory.usage().used, 0);
});
