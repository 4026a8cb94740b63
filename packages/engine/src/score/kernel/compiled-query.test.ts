// A search that yields resumes at its own snapshot. Two searches of the same leaves alternate, each with the documents alive at
// its snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from '../../../test/search-world.ts';
import { noKernels } from '../../kernels/no-kernels.testing.ts';
import { flatPlan } from '../../query/node/flat-plan.ts';
import { parseQuery } from '../../query/parse.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import { planQuery } from '../../query/plan-query.ts';
import { positionOf } from '../../search/leaf-task.ts';
import { CompiledQuery } from './compiled-query.ts';

const DOCS = 3_000;
/** Records and their slices are the kernels' own; what twins find is compared in search/best.property.test.ts. */
const skip = noKernels;

/** Searches a slice at a time, the smallest that there is; what comes between slices is the caller's. */
function* slices(view: IndexView): Generator<number, number[]> {
  const plan = planQuery(parseQuery({ match: { t: 'a b' } }), view, { now: 0, scores: true });
  const places = view.leaves.map((leaf, place) => ({ view: leaf, place }));
  const compiled = CompiledQuery.open(flatPlan(plan)!.query, DOCS * 3, places, false);
  assert.ok(
    compiled.rows.every((row) => row >= 0),
    'every leaf is for the kernels',
  );
  try {
    let count = 0;
    while (compiled.run(Number.MAX_SAFE_INTEGER, 1, 0)) yield ++count;
    const position = (_: unknown, i: number): number => positionOf(compiled.place(i), compiled.doc(i));
    return Array.from({ length: compiled.size }, position).sort((a, b) => a - b);
  } finally {
    compiled.release();
  }
}

function alone(view: IndexView): number[] {
  const steps = slices(view);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

test('searches at two snapshots that take turns find what each finds alone', { skip }, () => {
  const world = new World('left');
  for (let leaf = 0; leaf < 3; leaf++) {
    const docs = Array.from({ length: DOCS }, (_, i) => ({
      id: `${leaf}-${i}`,
      doc: { t: i % 3 ? 'a' : 'a b' },
    }));
    world.write(docs);
    world.seal();
  }
  const died = (every: number): { id: string; doc: undefined }[] =>
    [0, 1, 2].flatMap((leaf) =>
      Array.from({ length: DOCS }, (_, i) => ({ id: `${leaf}-${i}`, doc: undefined })).filter(
        (_, i) => i % every === 0,
      ),
    );
  world.write(died(5));
  const before = world.view();
  world.write(died(7));
  const after = world.view();
  const expected = [alone(before), alone(after)];
  assert.ok(expected[0]!.length > expected[1]!.length);

  const turns = [slices(before), slices(after)];
  const found: number[][] = [];
  let gaveWay = 0;
  while (turns.some((_, i) => found[i] === undefined)) {
    turns.forEach((turn, i) => {
      if (found[i] !== undefined) return;
      const step = turn.next();
      if (step.done) found[i] = step.value;
      else gaveWay++;
    });
  }
  assert.ok(gaveWay > 2, 'each had to give way');
  assert.deepEqual(found, expected);
});

test('records that are kept find what others find, whatever had to go and whoever searches beside', {
  skip,
}, () => {
  const world = new World('left');
  const words = Array.from({ length: 120 }, (_, i) => `w${i}`);
  for (let leaf = 0; leaf < 3; leaf++) {
    const docs = Array.from({ length: 400 }, (_, i) => ({
      id: `${leaf}-${i}`,
      doc: { t: `${words[i % 120]} ${words[(i * 7 + leaf) % 120]}` },
    }));
    world.write(docs);
    world.seal();
  }
  const view = world.view();
  const places = view.leaves.map((leaf, place) => ({ view: leaf, place }));
  const queries = words.map((word) => {
    const json = { match: { t: `${word} w1` } };
    return flatPlan(planQuery(parseQuery(json), view, { now: 0, scores: true }))!.query;
  });
  const open = (i: number, again: boolean): CompiledQuery =>
    CompiledQuery.open(queries[i]!, 1_000, places, again);
  const found = (compiled: CompiledQuery): number[] => {
    while (compiled.run(Number.MAX_SAFE_INTEGER, 1, 0));
    const result = Array.from({ length: compiled.size }, (_, i) =>
      positionOf(compiled.place(i), compiled.doc(i)),
    );
    result.push(compiled.total);
    compiled.release();
    return result;
  };
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < queries.length; i++) {
      const due = found(open(i, false));
      assert.ok(due.length > 1);
      const one = open(i, true);
      const other = open(i, true);
      assert.deepEqual(found(other), due);
      assert.deepEqual(found(one), due);
    }
  }
});

test('terms of few postings are found in their short list as chunk by chunk: ties, deaths, snapshots, restrictions', {
  skip,
}, () => {
  const world = new World('left');
  const most = 70;
  for (let leaf = 0; leaf < 4; leaf++) {
    const docs = Array.from({ length: 300 }, (_, i) => {
      // Word k stands in k documents or so, in some more often, and beside others: scores tie and differ.
      const words = Array.from({ length: most }, (_, k) =>
        ((i + leaf * 300) * 31) % 1_200 < k + 1 ? `w${k} ` : '',
      );
      return { id: `${leaf}-${i}`, doc: { t: `x ${words.join('')}${i % 5 === 0 ? words.join('') : ''}` } };
    });
    world.write(docs);
    if (leaf < 3) world.seal();
  }
  const whole = world.view();
  world.write(Array.from({ length: 60 }, (_, i) => ({ id: `${i % 4}-${i * 5}`, doc: undefined })));
  const later = world.view();
  const everyThird = (docs: number): Uint32Array =>
    Uint32Array.from({ length: (docs + 31) >>> 5 }, () => 0b01001001001001001001001001001001);
  let searched = 0;
  for (const view of [whole, later, whole]) {
    const places = view.leaves.map((leaf, place) => ({ view: leaf, place }));
    for (let k = 0; k < most; k++) {
      const json = { match: { t: `w${k}` } };
      const { query } = flatPlan(planQuery(parseQuery(json), view, { now: 0, scores: true }))!;
      const found = (capacity: number, again: boolean, countTo: number, restricted: boolean): object => {
        const compiled = CompiledQuery.open(query, capacity, places, again);
        compiled.rows.forEach((row, i) => {
          if (row < 0 || !restricted) return;
          searched++;
          assert.ok(compiled.restrict(row, everyThird(places[i]!.view.leaf.docCount)));
        });
        while (compiled.run(countTo, 1_000, Number.NEGATIVE_INFINITY));
        const { size, total } = compiled;
        const results = Array.from({ length: size }, (_, i) => [
          compiled.score(i),
          compiled.place(i),
          compiled.doc(i),
        ]);
        compiled.release();
        return { results, total };
      };
      for (const capacity of [100, 11, 1]) {
        for (const restricted of [false, true, false]) {
          const due = found(capacity, false, most, restricted);
          assert.deepEqual(found(capacity, true, most, restricted), due, `${k} ${capacity} ${restricted}`);
        }
        assert.deepEqual(found(capacity, true, -1, false), found(capacity, false, -1, false));
      }
    }
  }
  assert.ok(searched > 0);
});
