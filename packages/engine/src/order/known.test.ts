// Is what is found again without a look-up what a look-up would find: after deaths, when it is forgotten, and when its memory
// has gone to others?

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../disk/random.ts';
import { longKey } from '../mapping/key.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Leaf } from '../segment/leaf.ts';
import { drain } from './keys.ts';
import { Orders } from './orders.ts';
import { sketchLeaf, sketchView } from './sketch.ts';
import { type OrderSpec, orderSpec } from './spec.ts';

function leafOf(docs: number, salt: number): Leaf {
  const leaf = sketchLeaf(
    Array.from({ length: docs }, (_, i) => ({
      id: `d${i}`,
      longs: { n: [(i * salt) % 1_009] },
      words: { k: [`k${(i * salt) % 50}`] },
    })),
    0,
    true,
  );
  for (let i = 0; i < docs; i += 3) leaf.deaths.append(i, i + 1);
  return leaf;
}

function byN(descending: boolean): OrderSpec {
  const common = { descending, missing: longKey(3), mode: 'min', convert: undefined } as const;
  return orderSpec([
    { kind: 'numeric', path: 'n', space: 'long', ...common },
    { kind: 'bytes', path: 'k', descending, mode: 'min', missing: 'low' },
  ]);
}

const SPECS = [byN(true), byN(false)];

/** Documents in their order, and how many of them are alive at the first so many deaths. */
function wanted(leaf: Leaf, spec: OrderSpec): number[] {
  const orders = new Orders(createMemory());
  return [...drain(orders.build(orders.side(leaf, spec, 0, 0))).docs];
}

test('an order is known once it was made, and not any more when it or its keys are forgotten', () => {
  const [spec, other] = SPECS as [OrderSpec, OrderSpec];
  const leaf = leafOf(500, 7919);
  const orders = new Orders(createMemory());
  assert.equal(orders.known.find(leaf, spec), undefined);
  const made = drain(orders.build(orders.side(leaf, spec, 0, 0)));
  assert.equal(orders.known.find(leaf, spec)?.order, made);
  assert.equal(orders.known.find(leaf, other), undefined);
  assert.deepEqual(orders.known.find(leaf, spec)!.keys, orders.side(leaf, spec, 0, 0).keys);
  orders.clear();
  assert.equal(orders.known.find(leaf, spec), undefined);
  assert.equal(orders.known.keys(leaf, spec), undefined);
});

test('ranks are known for just the deaths that they are of', () => {
  const [spec] = SPECS as [OrderSpec];
  const leaf = leafOf(500, 7919);
  const orders = new Orders(createMemory());
  const order = drain(orders.build(orders.side(leaf, spec, 0, 0)));
  for (const deaths of [0, 10, 40]) {
    assert.equal(orders.known.ranks(leaf, spec, 500, deaths), undefined);
    const view = sketchView(leaf, 500, deaths);
    drain(orders.ranks(leaf, spec, order, { view, filterKey: '', matches: undefined, cacheable: true }));
    assert.equal(orders.known.ranks(leaf, spec, 500, deaths)?.total, 500 - deaths);
    assert.equal(orders.known.ranks(leaf, spec, 400, deaths), undefined);
  }
  orders.clear();
  assert.equal(orders.known.ranks(leaf, spec, 500, 40), undefined);
});

test('under a budget that forgets all the time, what is known is as it was made', () => {
  const random = seededRandom(20261123);
  const leaves = [401, 503, 607, 709].map((docs, i) => leafOf(docs, [31, 37, 41, 43][i]!));
  const memory = createMemory();
  const orders = new Orders(memory, 20_000);
  const right = leaves.map((leaf) => SPECS.map((spec) => wanted(leaf, spec)));
  let [known, forgotten] = [0, 0];
  for (let step = 0; step < 2_000; step++) {
    const leave = memory.enter();
    const l = Math.floor(random() * leaves.length);
    const s = Math.floor(random() * SPECS.length);
    const [leaf, spec] = [leaves[l]!, SPECS[s]!];
    const found = orders.known.find(leaf, spec);
    if (found === undefined) {
      forgotten++;
      drain(orders.build(orders.side(leaf, spec, 0, 0)));
    } else {
      known++;
      assert.deepEqual([...found.order.docs], right[l]![s]);
      assert.deepEqual(
        found.keys.map((keys) =>
          keys?.kind === 'terms' ? [...keys.ranks] : keys && 'hi' in keys && [...keys.lo],
        ),
        orders
          .side(leaf, spec, 0, 0)
          .keys.map((keys) =>
            keys?.kind === 'terms' ? [...keys.ranks] : keys && 'hi' in keys && [...keys.lo],
          ),
      );
    }
    leave();
  }
  assert.ok(known > 100 && forgotten > 100, `${known} and ${forgotten}`);
});
