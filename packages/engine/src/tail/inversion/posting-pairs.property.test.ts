// The kernel makes the postings that `GroupWriter` makes of the same pairs. The pairs include frequencies and distances beyond
// one byte and two, terms in more than a third of the documents, and any preceding output.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { noKernels } from '../../kernels/no-kernels.testing.ts';
import { PostingsWriter } from '../../segment/postings/postings-writer.ts';
import { type ScoreCodes, scoreCodesOf } from '../../segment/postings/score-codes.ts';
import { PostingPairs } from './posting-pairs.ts';

/** Of one term: documents, ascending, with positions, ascending. */
type Run = readonly (readonly [doc: number, positions: readonly number[]])[];

const near = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 130 }) },
  fc.constantFrom(63, 64, 8191),
);
const far = fc.constantFrom(8192, 1 << 20, 1 << 27);
const runOf = (distance: fc.Arbitrary<number>): fc.Arbitrary<Run> => {
  const positions = fc.oneof(
    { weight: 12, arbitrary: fc.array(distance, { minLength: 1, maxLength: 4 }) },
    fc.integer({ min: 250, max: 300 }).map((n) => new Array<number>(n).fill(1)),
  );
  return fc
    .array(fc.tuple(fc.integer({ min: 1, max: 200 }), positions), { minLength: 1, maxLength: 200 })
    .map((steps) => {
      let doc = -1;
      return steps.map(([step, distances]) => {
        let place = 0;
        doc += step;
        return [doc, distances.map((one) => (place += one))] as const;
      });
    });
};
const run = runOf(near);
/** Documents enough for a bitmap. */
const dense = fc
  .integer({ min: 2040, max: 2060 })
  .map((n): Run => Array.from({ length: n }, (_, i) => [i * 31, [i % 90]] as const));
const some = (one: fc.Arbitrary<Run>): fc.Arbitrary<Run[]> =>
  fc.array(fc.oneof({ weight: 6, arbitrary: one }, dense), { minLength: 1, maxLength: 12 });

function add(writer: PostingsWriter, runs: readonly Run[], norms: Uint8Array | undefined): void {
  for (const one of runs) {
    writer.term();
    for (const [doc, places] of one) {
      writer.add(doc, places.length, norms?.[doc] ?? 1);
      for (const [i, place] of places.entries())
        writer.position(place - (i === 0 ? 0 : places[i - 1]!), i === places.length - 1);
    }
  }
}

/** The same by the kernel, in slices of `size` terms; the runs of pairs lie in the opposite order. */
function addByKernel(
  writer: PostingsWriter,
  runs: readonly Run[],
  norms: Uint8Array | undefined,
  codes: ScoreCodes,
  size: number,
): void {
  const places = runs.flatMap((one) => one.flatMap(([, all]) => all));
  const words = places.some((place) => place > 0xffff) ? 2 : 1;
  const pairs = new PostingPairs();
  if (!pairs.reserve(places.length, places.length, 65_535, words)) {
    assert.ok(places.length < 256);
    add(writer, runs, norms);
    return;
  }
  const [starts, ends] = [new Uint32Array(runs.length), new Uint32Array(runs.length)];
  let at = 0;
  for (let i = runs.length - 1; i >= 0; i--) {
    starts[i] = at / words;
    for (const [doc, all] of runs[i]!)
      for (const place of all) {
        if (words === 1) pairs.view[at] = (doc << 16) | place;
        else pairs.view.set([doc, place], at);
        at += words;
      }
    ends[i] = at / words;
  }
  pairs.begin(norms, codes);
  const order = Uint32Array.from(runs, (_, i) => i);
  for (let i = 0; i < runs.length; i += size)
    pairs.addTo(writer, order, starts, ends, i, Math.min(runs.length, i + size));
}

test('postings of a kernel are those that a writer adds one by one', { skip: noKernels }, () => {
  const norms = Uint8Array.from({ length: 65_536 }, (_, i) => 1 + ((i * 37) % 255));
  fc.assert(
    fc.property(
      fc.oneof(some(run), some(runOf(fc.oneof({ weight: 8, arbitrary: near }, far)))),
      fc.array(run, { maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.constantFrom(0, 64, 300),
      (runs, before, size, hasNorms, bucket) => {
        const codes = scoreCodesOf(bucket);
        const of = hasNorms ? norms : undefined;
        const [expected, made] = [new PostingsWriter(), new PostingsWriter()];
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

test('what no kernel can do is refused', { skip: noKernels }, () => {
  const pairs = new PostingPairs();
  assert.equal(pairs.reserve(1000, 1000, 65_535, 1), true);
  assert.equal(pairs.reserve(1000, 1000, 65_536, 1), false);
  assert.ok(pairs.view.length >= 2000);
  assert.equal(pairs.reserve(10, 10, 9, 1), false);
});
