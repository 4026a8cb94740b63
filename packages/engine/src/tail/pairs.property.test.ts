// Does the kernel make the postings that `GroupWriter` makes of the same pairs? Of frequencies and distances beyond what a
// byte and two hold, of terms in more than a third of the documents, and whatever stands before them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Codes, codesOf } from '../segment/codes.ts';
import { GroupWriter } from '../segment/groups.ts';
import { Pairs } from './pairs.ts';

/** Of one term: documents, ascending, with positions, ascending. */
type Run = readonly (readonly [doc: number, positions: readonly number[]])[];

const skip = process.env.OCTAVO_KERNELS === 'ts' && 'kernels are turned off';
const distance = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 130 }) },
  fc.constantFrom(63, 64, 8191, 8192, 1 << 20, 1 << 27),
);
const positions = fc.oneof(
  { weight: 12, arbitrary: fc.array(distance, { minLength: 1, maxLength: 4 }) },
  fc.integer({ min: 250, max: 300 }).map((n) => new Array<number>(n).fill(1)),
);
const run = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 200 }), positions), { minLength: 1, maxLength: 200 })
  .map((steps): Run => {
    let doc = -1;
    return steps.map(([step, distances]) => {
      let place = 0;
      doc += step;
      return [doc, distances.map((one) => (place += one))] as const;
    });
  });
/** Documents enough for a bitmap. */
const dense = fc
  .integer({ min: 2040, max: 2060 })
  .map((n): Run => Array.from({ length: n }, (_, i) => [i * 31, [i % 90]] as const));

function add(writer: GroupWriter, runs: readonly Run[], norms: Uint8Array | undefined): void {
  for (const one of runs) {
    writer.term();
    for (const [doc, places] of one) {
      writer.add(doc, places.length, norms?.[doc] ?? 1);
      for (const [i, place] of places.entries())
        writer.position(place - (i === 0 ? 0 : places[i - 1]!), i === places.length - 1);
    }
  }
}

/** The same by the kernel, in slices of `size` terms. */
function addByKernel(
  writer: GroupWriter,
  runs: readonly Run[],
  norms: Uint8Array | undefined,
  codes: Codes,
  size: number,
): void {
  const flat = runs.map((one) => one.flatMap(([doc, places]) => places.flatMap((place) => [doc, place])));
  const total = flat.reduce((sum, { length }) => sum + length / 2, 0);
  const pairs = new Pairs();
  pairs.room(total, total);
  let at = 0;
  const ends = Uint32Array.from(flat, (one) => {
    pairs.view.set(one, at);
    at += one.length;
    return at / 2;
  });
  const order = Uint32Array.from(runs, (_, i) => i);
  assert.equal(pairs.begin(norms, 65_535, codes), total >= 256);
  if (total < 256) {
    add(writer, runs, norms);
    return;
  }
  for (let i = 0; i < runs.length; i += size)
    pairs.addTo(writer, order, ends, i, Math.min(runs.length, i + size), i === 0 ? 0 : ends[i - 1]!);
}

test('postings of a kernel are those that a writer adds one by one', { skip }, () => {
  const norms = Uint8Array.from({ length: 65_536 }, (_, i) => 1 + ((i * 37) % 255));
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 6, arbitrary: run }, dense), { minLength: 1, maxLength: 12 }),
      fc.array(run, { maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.constantFrom(0, 64, 300),
      (runs, before, size, hasNorms, bucket) => {
        const codes = codesOf(bucket);
        const of = hasNorms ? norms : undefined;
        const [expected, made] = [new GroupWriter(), new GroupWriter()];
        for (const writer of [expected, made]) {
          writer.begin(codes, true);
          add(writer, before, of);
        }
        add(expected, runs, of);
        addByKernel(made, runs, of, codes, size);
        // And what comes behind goes on where the kernel ended.
        for (const writer of [expected, made]) add(writer, before, of);
        assert.equal(made.postingCount, expected.postingCount);
        assert.equal(made.freqSum, expected.freqSum);
        assert.deepEqual(made.finish(), expected.finish());
      },
    ),
    { numRuns: 60 },
  );
});

test('what no kernel can do is refused', { skip }, () => {
  const pairs = new Pairs();
  pairs.room(1000, 1000);
  assert.equal(pairs.begin(undefined, 65_536, codesOf(0)), false);
  pairs.room(10, 10);
  assert.equal(pairs.begin(undefined, 9, codesOf(0)), false);
  assert.ok(pairs.view.length >= 20);
});
