// Ranks, orders and bitmaps of filters take as much memory as they report, even if their arrays are the smallest part of it.

import { test } from 'node:test';
import { matchingBits } from '../../test/matching-bits.ts';
import { keyOf, sameBytes } from '../../test/true-bytes.ts';
import { longKey } from '../mapping/types/sortable-key.ts';
import { createMemory } from '../memory/arenas.ts';
import type { Plan } from '../query/matcher.ts';
import { FilterCache } from '../search/caches/filter-cache.ts';
import type { Leaf } from '../segment/leaf.ts';
import { runToEnd } from '../turn.ts';
import { LeafStack } from './build/leaf-stack.ts';
import { type OrderEntry, type OrderSpec, orderSpec } from './order-spec.ts';
import { Orders } from './orders.ts';
import { sketchLeaf, sketchView } from './sketch-leaf.testing.ts';

const COUNT = 10_000;

function leafOf(docs: number): Leaf {
  return sketchLeaf(
    Array.from({ length: docs }, (_, i) => ({
      id: `d${i}`,
      longs: i % 5 === 0 ? {} : { n: [(i * 7919) % 1_000] },
      words: { k: [`k${i % 50}`] },
    })),
    0,
    true,
  );
}

const BY_K: OrderEntry = { kind: 'bytes', path: 'k', descending: false, mode: 'min', missing: 'low' };

function numbers(missing: number): OrderEntry {
  return {
    kind: 'numeric',
    path: 'n',
    descending: false,
    space: 'long',
    mode: 'min',
    missing: longKey(missing),
    convert: undefined,
  };
}

function byN(missing: number): OrderSpec {
  return orderSpec([numbers(missing), BY_K]);
}

/** Of numbers that come first all are kept beside their order. */
const SPECS = { numbers: byN, keywords: (missing: number) => orderSpec([BY_K, numbers(missing)]) };

for (const docs of [70, 5_000])
  for (const every of [100, 2])
    test(`ranks of filters over ${docs} documents, one in ${every} seen`, async () => {
      const memory = createMemory();
      const orders = new Orders(memory, 2 ** 40);
      const leaf = leafOf(docs);
      const spec = byN(3);
      const order = runToEnd(orders.build(orders.side(leaf, spec, 0, 0)));
      const matches = new Uint32Array(Math.ceil(docs / 32));
      for (let doc = 0; doc < docs; doc += every) matches[doc >>> 5]! |= 1 << (doc & 31);
      const view = sketchView(leaf, docs, 0);
      await sameBytes(
        memory,
        () => orders.usedBytes,
        COUNT,
        (i) => {
          runToEnd(orders.ranks(leaf, spec, order, { view, filterKey: keyOf(i), matches, cacheable: true }));
        },
      );
    });

for (const docs of [3, 70, 1_000])
  for (const [name, specOf] of Object.entries(SPECS))
    test(`keys and orders of ${docs} documents by ${name}`, async () => {
      const memory = createMemory();
      const orders = new Orders(memory, 2 ** 40);
      const leaf = leafOf(docs);
      await sameBytes(
        memory,
        () => orders.usedBytes,
        COUNT / 5,
        (i) => {
          const side = orders.side(leaf, specOf(i), 0, 0);
          const order = runToEnd(orders.build(side));
          order.position(0);
          runToEnd(order.leadsOf(new LeafStack([side])));
        },
      );
    });

test('bitmaps of filters', async () => {
  const memory = createMemory();
  const filters = new FilterCache(memory, 2 ** 40);
  const leaf = leafOf(10);
  const matcher = (): object => ({ match: (_: number, bits: Uint32Array) => bits.fill(5).length > 0 });
  await sameBytes(
    memory,
    () => filters.usage.bytes,
    COUNT,
    (i) => matchingBits(filters, { key: keyOf(i), matcher } as unknown as Plan, leaf),
  );
});
