// The order of a leaf is that of a plain sort, for all kinds of entries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longKey } from '../../mapping/types/sortable-key.ts';
import { createMemory } from '../../memory/arenas.ts';
import { runToEnd } from '../../turn.ts';
import { compareDocs } from '../compare.ts';
import { concatStrings, sortStrings } from '../keys/sort-strings.ts';
import { type OrderEntry, orderSpec } from '../order-spec.ts';
import { Orders } from '../orders.ts';
import { RankView } from '../rank/rank-view.ts';
import { sketchLeaf } from '../sketch-leaf.testing.ts';
import { pickFirst } from '../unordered/pick-first.ts';

function random(seed: number): (n: number) => number {
  let s = seed;
  return (n) => {
    s = (Math.imul(s, 1103515245) + 12345) >>> 0;
    return Math.floor((s / 2 ** 32) * n);
  };
}

test('strings sort by radix as they do by comparing: shared prefixes, ties beyond 8 bytes, NULs, empty ones', () => {
  const r = random(7);
  const tails = ['', '\0', '\0\0', 'a', 'abcdefgh', 'abcdefghi', 'abcdefgh\0', 'abcdefg', 'ü', '\u{1f600}'];
  for (const prefix of ['', 'user-']) {
    const parts = Array.from({ length: 5_000 }, () =>
      Buffer.from(prefix + tails[r(tails.length)] + tails[r(tails.length)]),
    );
    const order = runToEnd(sortStrings(concatStrings(parts)));
    const expected = parts.map((_, i) => i).sort((a, b) => Buffer.compare(parts[a]!, parts[b]!) || a - b);
    assert.deepEqual([...order], expected);
  }
});

test('orders of leaves too large for comparing are those of comparing', () => {
  const r = random(11);
  const docs = Array.from({ length: 6_000 }, (_, i) => ({
    id: `d${r(1e9)}.${i}`,
    longs: {
      n: r(3) ? [r(50) * 2 ** 40 - 2 ** 44] : [],
      m: [r(4) - 2, r(9)],
      w: [r(30_000) * 2 ** 30 - 2 ** 40],
    },
    words: { k: r(4) ? [`k${r(200)}`] : [] },
  }));
  const [mini, sealed] = [sketchLeaf(docs, 0, false), sketchLeaf(docs, 0, true)];
  const numeric = (
    path: string,
    descending: boolean,
    mode: 'min' | 'max' | 'avg' | 'median',
  ): OrderEntry => ({
    kind: 'numeric',
    path,
    descending,
    space: 'long',
    mode,
    missing: longKey(3),
    convert: undefined,
  });
  const k: OrderEntry = { kind: 'bytes', path: 'k', descending: true, mode: 'min', missing: 'low' };
  for (const entries of [
    [numeric('n', true, 'min')],
    [numeric('n', true, 'min'), k],
    [numeric('m', false, 'avg'), k],
    [numeric('w', false, 'min'), k],
    [numeric('w', true, 'min'), numeric('n', true, 'min'), { ...k, missing: Buffer.from('k12') }],
    [numeric('w', true, 'max'), { kind: 'position', descending: true } as const],
    [k, numeric('m', true, 'median'), numeric('n', false, 'min')],
    [k, { kind: 'position', descending: true } as const],
    [k, { kind: 'id', descending: true } as const],
    [{ kind: 'id', descending: false } as const],
    [],
  ]) {
    for (const leaf of [mini, sealed]) {
      const orders = new Orders(createMemory());
      const side = orders.side(leaf, orderSpec(entries), 0, 0);
      const order = runToEnd(orders.build(side));
      const expected = docs.map((_, i) => i).sort((a, b) => compareDocs(side, a, 0, side, b, 0));
      assert.deepEqual([...order.docs], expected);
      assert.deepEqual(
        [...order.positions()].map((p, doc) => order.docs[p] === doc),
        docs.map(() => true),
      );
      assert.equal(runToEnd(orders.build(side)), order);
      const pick = { bits: undefined, docCount: 5_999, count: 50, cursor: undefined, backwards: false };
      assert.deepEqual(
        [...runToEnd(pickFirst(side, pick)).docs],
        expected.filter((d) => d < 5_999).slice(0, 50),
      );
    }
  }
});

test('ranks count, step both ways, and lose positions', () => {
  const r = random(3);
  const n = 5_000;
  for (const share of [1, 2, 100]) {
    const members = new Set<number>();
    for (let p = 0; p < n; p++) if (r(share) === 0) members.add(p);
    const bits = new Uint32Array(Math.ceil(n / 32));
    for (const p of members) bits[p >>> 5]! |= 1 << (p & 31);
    let view =
      share === 1
        ? RankView.all(n)
        : share === 2
          ? RankView.ofBits(n, bits)
          : RankView.ofList(n, Uint32Array.from(members));
    for (let round = 0; round < 12; round++) {
      const sorted = [...members].sort((a, b) => a - b);
      assert.equal(view.total, sorted.length);
      for (let i = 0; i < 300; i++) {
        const p = r(n + 1);
        assert.equal(view.count(p), sorted.filter((x) => x < p).length);
        assert.equal(view.next(p), sorted.find((x) => x >= p) ?? n);
        assert.equal(view.previous(p), sorted.findLast((x) => x < p) ?? -1);
      }
      const gone = new Set(Array.from({ length: 20 }, () => sorted[r(sorted.length)]!));
      if (sorted.length < 40) break;
      for (const p of gone) members.delete(p);
      view = view.without([...gone]);
    }
  }
});
