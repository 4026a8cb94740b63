// A merged order equals the order of all its leaves together. Sketched leaves with sorts of one to three entries are merged in
// one step or in two, and compared with a plain sort.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longKey } from '../../mapping/types/sortable-key.ts';
import { createMemory } from '../../memory/arenas.ts';
import { runToEnd } from '../../turn.ts';
import { type OrderEntry, orderSpec } from '../order-spec.ts';
import { Orders } from '../orders.ts';
import { sketchLeaf } from '../sketch-leaf.testing.ts';
import { LeafStack, mergeOrders } from './leaf-stack.ts';

let seed = 5;
const random = (n: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};

const numeric = (path: string, descending: boolean): OrderEntry => ({
  kind: 'numeric',
  path,
  descending,
  space: 'long',
  mode: 'min',
  missing: longKey(3),
  convert: undefined,
});
const bytes: OrderEntry = { kind: 'bytes', path: 'k', descending: true, mode: 'max', missing: 'low' };
const SPECS: readonly OrderEntry[][] = [
  [numeric('n', false)],
  [numeric('n', true), bytes],
  [bytes, numeric('n', true)],
  [],
  [{ kind: 'position', descending: true }],
];

test('merged in one step or in two, it is the order of all', () => {
  for (let round = 0; round < 40; round++) {
    const orders = new Orders(createMemory());
    const spec = orderSpec(SPECS[round % SPECS.length]!);
    let seq = 0;
    const sides = Array.from({ length: 1 + random(6) }, (_, place) => {
      const docs = Array.from({ length: random(4) === 0 ? 1 : 1 + random(3_000) }, (_, doc) => ({
        id: `${random(1_000)}.${place}.${doc}`,
        longs: { n: random(6) === 0 ? [] : [random(40) - 20] },
        words: { k: random(7) === 0 ? [] : [`k${random(5)}`] },
      }));
      const leaf = sketchLeaf(docs, seq, place % 2 === 0);
      seq += docs.length;
      return orders.side(leaf, spec, place, 0);
    });
    const stack = new LeafStack(sides);
    const expected = Array.from({ length: stack.docCount }, (_, n) => n).sort((a, b) =>
      stack.compare(a, stack, b),
    );
    const alone = sides.map((side, i) => ({
      docs: runToEnd(orders.build(side)).docs,
      shifts: [{ from: 0, add: stack.bases[i]! }],
    }));
    const merged = runToEnd(mergeOrders(stack, alone));
    assert.deepEqual([...merged], expected);
    // Every second leaf first, then the others beside it.
    const first = sides.filter((_, i) => i % 2 === 0);
    const below = new LeafStack(first);
    const part = runToEnd(
      mergeOrders(
        below,
        first.map((side, i) => ({
          docs: runToEnd(orders.build(side)).docs,
          shifts: [{ from: 0, add: below.bases[i]! }],
        })),
      ),
    );
    const shifts = first.map((side, i) => ({
      from: below.bases[i]!,
      add: stack.bases[sides.indexOf(side)]! - below.bases[i]!,
    }));
    const rest = alone.filter((_, i) => i % 2 === 1);
    assert.deepEqual([...runToEnd(mergeOrders(stack, [...rest, { docs: part, shifts }]))], expected);
  }
});
