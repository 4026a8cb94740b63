// Selection finds the document of a rank in a few rounds, whatever the distribution of the first keys over the runs. Dozens of
// runs share one distribution, follow each other in time, or have few values or one. Some have gaps from deleted documents. The
// expected result is a plain sort.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemory } from '../../memory/arenas.ts';
import { runToEnd } from '../../turn.ts';
import { LeafStack } from '../build/leaf-stack.ts';
import { orderSpec } from '../order-spec.ts';
import { Orders } from '../orders.ts';
import { sketchLeaf, sketchView } from '../sketch-leaf.testing.ts';
import { RankView } from './rank-view.ts';
import type { OrderRun } from './run.ts';
import { cutAtRank } from './select.ts';
import { walkBackwards, walkForwards } from './walk-runs.ts';

let state = 11;
const random = (): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 2 ** 32;
};

/** First keys of a run, by its place among the runs. */
const SHAPES: Readonly<Record<string, (place: number) => number>> = {
  'one distribution': () => Math.floor(random() * 1e9),
  'times that follow each other': (place) => place * 1_000_000 + Math.floor(random() * 1_000_000),
  'times that overlap': (place) => place * 1_000_000 + Math.floor(random() * 3_000_000),
  'times that go back': (place) => -place * 1_000_000 + Math.floor(random() * 1_200_000),
  'half of it elsewhere': (place) => (random() < 0.5 ? place * 1e6 : 5e8) + Math.floor(random() * 1e6),
  'another spread in each': (place) => Math.floor(Math.exp(random() * (5 + place / 2))),
  'five values': () => Math.floor(random() * 5),
  'one value': () => 7,
};
const SIZES: Readonly<Record<string, readonly number[]>> = {
  '24 runs': Array.from({ length: 24 }, (_, i) => Math.ceil(1_500 * 0.835 ** i)),
  'two runs': [3_000, 1_000],
  'one run': [4_000],
  'a large run and small ones': [6_000, 300, 100, 30, 10, 5, 3, 1, 1],
};

const memory = createMemory();
memory.beginReading();
const spec = orderSpec([
  {
    kind: 'numeric',
    path: 'n',
    descending: false,
    space: 'long',
    mode: 'min',
    missing: { hi: 0, lo: 0 },
    convert: undefined,
  },
]);

/** A leaf in order, one document in ten dead; its visible documents, and how often they were counted. */
function runOf(place: number, keys: readonly number[], firstSeqNo: number, counted: { times: number }) {
  const leaf = sketchLeaf(
    keys.map((n, doc) => ({ id: `${(doc * 7_919 + place) % 9_973}.${place}.${doc}`, longs: { n: [n] } })),
    firstSeqNo,
    true,
  );
  keys.forEach((_, doc) => {
    if (doc % 10 === 3) leaf.deaths.append(doc, 0);
  });
  const orders = new Orders(memory);
  const side = orders.side(leaf, spec, place, 0);
  const order = runToEnd(orders.build(side));
  const view = sketchView(leaf, keys.length, leaf.deaths.count);
  const ranks = runToEnd(
    orders.ranks(leaf, spec, order, { view, filterKey: '', matches: undefined, cacheable: false }),
  );
  const counting: RankView = Object.create(ranks, {
    count: {
      value: (p: number): number => {
        counted.times++;
        return RankView.prototype.count.call(ranks, p);
      },
    },
  });
  const stack = new LeafStack([side]);
  const leads = place % 5 === 4 ? undefined : runToEnd(order.leadsOf(stack));
  const run: OrderRun = { stack, docs: order.docs, view: counting, leads };
  const rows = keys.flatMap((n, doc) => (doc % 10 === 3 ? [] : [{ n, id: leaf.docs.id(doc), place, doc }]));
  return { run, rows };
}

for (const [shape, keyAt] of Object.entries(SHAPES)) {
  for (const [name, sizes] of Object.entries(SIZES)) {
    test(`the document of a rank is found in a few rounds: ${shape}, ${name}`, () => {
      const counted = { times: 0 };
      let seqNo = 0;
      const made = sizes.map((size, place) => {
        seqNo += size;
        return runOf(
          place,
          Array.from({ length: size }, () => keyAt(place)),
          seqNo - size,
          counted,
        );
      });
      const runs = made.map(({ run }) => run);
      const due = made
        .flatMap(({ rows }) => rows)
        .sort((a, b) => a.n - b.n || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
      const places = (from: number, to: number): string[] =>
        due.slice(Math.max(0, from), Math.max(0, to)).map(({ place, doc }) => `${place}/${doc}`);
      const ranks = [0, 1, 19, due.length - 1, due.length, due.length + 5];
      for (let i = 0; i < 40; i++) ranks.push(Math.floor(random() * due.length));
      for (const rank of ranks) {
        counted.times = 0;
        const { cut, skip } = cutAtRank(runs, rank);
        // Halving 10,000 documents to the few that are stepped over takes 8 rounds.
        assert.ok(
          counted.times <= 8 * runs.length,
          `${counted.times} positions were counted for rank ${rank}`,
        );
        const after = walkForwards(runs, cut, skip, 20);
        assert.deepEqual(
          after.map(({ side, doc }) => `${side.place}/${doc}`),
          places(rank, rank + 20),
        );
        const before = walkBackwards(runs, cut, 3, 20);
        const end = Math.min(rank, due.length) - skip - 3;
        assert.deepEqual(
          before.map(({ side, doc }) => `${side.place}/${doc}`),
          places(end - 20, end),
        );
      }
    });
  }
}
