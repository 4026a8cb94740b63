// Orders and filter bitmaps live in blocks of the engine's memory: counted, freed when they are evicted, left
// alone while a reader is in, given back under pressure, and not needed for an answer when there is no room.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingBits } from '../../test/matching-bits.ts';
import { longKey } from '../mapping/types/sortable-key.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Plan } from '../query/matcher.ts';
import { FilterCache } from '../search/caches/filter-cache.ts';
import { runToEnd } from '../turn.ts';
import { type OrderSpec, orderSpec } from './order-spec.ts';
import { Orders } from './orders.ts';
import type { Visible } from './rank/visible.ts';
import { sketchLeaf, sketchView } from './sketch-leaf.testing.ts';

const N = 5_000;
const leaf = sketchLeaf(
  Array.from({ length: N }, (_, i) => ({
    id: `d${i}`,
    longs: i % 5 === 0 ? {} : { n: [(i * 7919) % 1_000] },
    words: { k: [`k${i % 50}`] },
  })),
  0,
  true,
);

function byN(descending: boolean): OrderSpec {
  return orderSpec([
    {
      kind: 'numeric',
      path: 'n',
      descending,
      space: 'long',
      mode: 'min',
      missing: longKey(3),
      convert: undefined,
    },
    { kind: 'bytes', path: 'k', descending, mode: 'min', missing: 'low' },
  ]);
}

const everyThird: Visible = {
  view: sketchView(leaf, N, 0),
  filterKey: 'third',
  matches: Uint32Array.from({ length: Math.ceil(N / 32) }, (_, w) => (0x9249_2492 << (w % 3)) >>> 0),
  cacheable: true,
};

/** Everything that a page would ask for. */
function ask(orders: Orders, spec: OrderSpec): number[] {
  const order = runToEnd(orders.build(orders.side(leaf, spec, 0, 0)));
  const ranks = runToEnd(orders.ranks(leaf, spec, order, everyThird));
  const out: number[] = [ranks.total, order.position(77)];
  for (let p = ranks.next(0); p < N; p = ranks.next(p + 1)) out.push(order.docs[p]!);
  return out;
}

test('what is kept lies in blocks, and goes with them', () => {
  const memory = createMemory();
  const orders = new Orders(memory);
  const first = ask(orders, byN(true));
  const { used } = memory.usage();
  assert.ok(used > N * 4 * 5 && used < N * 4 * 9, `${used} bytes`);
  assert.deepEqual(ask(orders, byN(true)), first);
  assert.equal(memory.usage().used, used, 'asked again, nothing is made again');
  ask(orders, byN(false));
  const leave = memory.beginReading();
  orders.clear();
  assert.equal(memory.usage().used, 0);
  assert.ok(memory.usage().waiting > used, 'a reader may still look');
  leave();
  assert.deepEqual([memory.usage().used, memory.usage().waiting, orders.usedBytes], [0, 0, 0]);
});

test('a small budget of their own is kept, by blocks too', () => {
  const memory = createMemory();
  const orders = new Orders(memory, 150_000);
  const wanted = [true, false].map((descending) => ask(new Orders(createMemory()), byN(descending)));
  for (let round = 0; round < 4; round++) {
    const leave = memory.beginReading();
    assert.deepEqual(ask(orders, byN(round % 2 === 0)), wanted[round % 2]);
    leave();
    assert.ok(orders.usedBytes <= 150_000);
    assert.ok(memory.usage().used <= 160_000, `${memory.usage().used} bytes`);
  }
});

test('without room answers are the same; what must have room takes it from them', () => {
  const memory = createMemory({ budgetBytes: 400_000, stepBytes: 65_536 });
  const orders = new Orders(memory);
  const wanted = [true, false].map((descending) => ask(new Orders(createMemory()), byN(descending)));
  for (let round = 0; round < 6; round++) {
    const leave = memory.beginReading();
    assert.deepEqual(ask(orders, byN(round % 2 === 0)), wanted[round % 2]);
    leave();
    assert.ok(memory.usage().used <= 300_000, 'a quarter is left to others');
  }
  assert.ok(memory.usage().used > 100_000);
  memory.alloc(350_000);
  assert.ok(memory.usage().used <= 400_000);
  const leave = memory.beginReading();
  assert.deepEqual(ask(orders, byN(true)), wanted[0], 'nothing is kept now');
  leave();
  assert.throws(() => memory.alloc(350_000), /Data too large/);
});

test('bitmaps of filters come and go with their blocks', () => {
  const memory = createMemory();
  const cache = new FilterCache(memory, 1_000_000);
  const plan = (key: string): Plan =>
    ({ key, matcher: () => ({ match: (_: number, bits: Uint32Array) => bits.fill(5).length > 0 }) }) as never;
  const bits = matchingBits(cache, plan('a'), leaf);
  assert.ok(bits.buffer instanceof SharedArrayBuffer);
  assert.equal(bits[3], 5);
  assert.ok(memory.usage().used >= bits.byteLength);
  matchingBits(cache, plan('b'), leaf);
  cache.clear();
  assert.deepEqual([memory.usage().used, cache.usage.bytes], [0, 0]);
});
