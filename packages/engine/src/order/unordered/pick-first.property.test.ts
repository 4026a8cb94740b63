// A scan finds the same documents with a kernel, with its twin, and by a full sort. The data has many ties, gaps and deleted
// documents, inside and outside arenas. Scans use cursors, both directions, and the result of earlier leaves as a limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasBit, setBit, wordsFor } from '../../kernels/bits.ts';
import { longKey } from '../../mapping/types/sortable-key.ts';
import { createMemory } from '../../memory/arenas.ts';
import type { Memory } from '../../memory/memory.ts';
import { runToEnd } from '../../turn.ts';
import { type Cursor, compareDocs, compareToCursor, type EntryKeys, type Side } from '../compare.ts';
import type { NumericKeys } from '../keys/sort-keys.ts';
import { type OrderEntry, orderSpec } from '../order-spec.ts';
import { sketchLeaf } from '../sketch-leaf.testing.ts';
import { FarBound } from './key-levels.ts';
import { pickFirst } from './pick-first.ts';

const memory = createMemory({ stepBytes: 1 << 20 });

function inArena(own: Memory, words: Uint32Array): Uint32Array {
  const block = own.alloc(Math.max(4, words.byteLength));
  const copy = new Uint32Array(block.buffer, block.ptr, words.length);
  copy.set(words);
  return copy;
}

/** Numbers whose halves decide by turns. */
const number = fc
  .tuple(fc.integer({ min: -2, max: 2 }), fc.constantFrom(0, 1, 5, 0x7fffffff, 0x80000000, 0xffffffff))
  .map(([high, low]) => BigInt(high) * 0x1_0000_0000n + BigInt(low));
const entries = fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'id'), descending: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

function entryOf({ name, descending }: { name: string; descending: boolean }): OrderEntry {
  if (name === 'id') return { kind: 'id', descending };
  const missing = { hi: 0, lo: 0 };
  const numeric = { kind: 'numeric', path: name, space: 'long', mode: 'min', convert: undefined } as const;
  return { ...numeric, descending, missing };
}

function keysOf(values: readonly bigint[]): NumericKeys {
  const keys = values.map((value) => longKey(value));
  const half = (of: 'hi' | 'lo'): Uint32Array => Uint32Array.from(keys, (key) => key[of]);
  return { kind: 'numeric', hi: half('hi'), lo: half('lo'), bytes: 0 };
}

test('a scan finds the best few, by kernel and by loop, under ties, deaths, cursors and limits of other leaves', () => {
  const doc = fc.record({ a: number, b: number, dead: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(fc.array(doc, { maxLength: 150 }), { minLength: 1, maxLength: 3 }),
      entries,
      fc.constantFrom<readonly string[]>([], ['a'], ['a', 'b']),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      fc.option(fc.tuple(number, number), { nil: undefined }),
      fc.boolean(),
      (leaves, sorts, lent, count, backwards, at, hasDead) => {
        const spec = orderSpec(sorts.map(entryOf));
        const cursor: Cursor | undefined = at && {
          values: spec.entries.map((e) =>
            e.kind === 'numeric'
              ? { kind: 'numeric', ...longKey(e.path === 'a' ? at[0] : at[1]) }
              : { kind: 'bytes', bytes: Buffer.from('m') },
          ),
          id: undefined,
          indexPlace: undefined,
        };
        const fars = [new FarBound(), new FarBound()];
        const due: { side: Side; doc: number }[] = [];
        const found: { side: Side; doc: number }[][] = [[], []];
        for (const [place, docs] of leaves.entries()) {
          const n = docs.length;
          const leaf = sketchLeaf(
            docs.map((_, i) => ({ id: `${'qam'[i % 3]}${place}.${i}` })),
            0,
            true,
          );
          const plain = { a: keysOf(docs.map(({ a }) => a)), b: keysOf(docs.map(({ b }) => b)) };
          const keysFor = (own: boolean): EntryKeys[] =>
            spec.entries.map((e) => {
              if (e.kind !== 'numeric') return undefined;
              const keys = plain[e.path as 'a' | 'b'];
              if (!own || !lent.includes(e.path)) return keys;
              return { ...keys, hi: inArena(memory, keys.hi), lo: inArena(memory, keys.lo) };
            });
          const side: Side = { leaf, spec, keys: keysFor(false), place, indexPlace: 0, score: 0 };
          const bits = hasDead ? new Uint32Array(wordsFor(n)) : undefined;
          if (bits !== undefined) for (const [i, { dead }] of docs.entries()) if (!dead) setBit(bits, i);
          const seen = docs.map((_, i) => i).filter((i) => bits === undefined || hasBit(bits, i));
          const behind = seen.filter((i) => {
            const c = cursor === undefined ? 0 : compareToCursor(side, i, 0, cursor);
            return cursor === undefined || (backwards ? c < 0 : c > 0);
          });
          due.push(...behind.map((i) => ({ side, doc: i })));
          for (const [k, by] of [{ ...side, keys: keysFor(true) }, side].entries()) {
            const pick = { bits, docCount: n, count, cursor, backwards, far: fars[k] };
            const { docs: picked, excluded } = runToEnd(pickFirst(by, pick));
            assert.equal(excluded, seen.length - behind.length);
            found[k]!.push(...Array.from(picked, (i) => ({ side, doc: i })));
          }
        }
        const sorted = (list: { side: Side; doc: number }[]): string[] => {
          const names = list
            .sort((x, y) => compareDocs(x.side, x.doc, 0, y.side, y.doc, 0))
            .map((x) => `${x.side.place}.${x.doc}`);
          return backwards ? names.slice(-count) : names.slice(0, count);
        };
        const [byKernel, byLoop] = found.map(sorted);
        assert.deepEqual(byKernel, sorted(due));
        assert.deepEqual(byLoop, sorted(due));
      },
    ),
    { numRuns: 400 },
  );
});

test('stretch after stretch is looked at, and nothing behind the keys', () => {
  const n = 70_001;
  const values = Array.from({ length: n }, (_, i) => BigInt((i * 7_919) % 1_009));
  const keys = keysOf(values);
  const leaf = sketchLeaf([{ id: 'x' }], 0, true);
  const spec = orderSpec([entryOf({ name: 'a', descending: true }), { kind: 'position', descending: false }]);
  const of = (own: NumericKeys): Side => ({
    ...{ leaf, spec, place: 0, indexPlace: 0, score: 0 },
    keys: [own, undefined],
  });
  const lent = { ...keys, hi: inArena(memory, keys.hi), lo: inArena(memory, keys.lo) };
  const at = { kind: 'numeric', ...longKey(500n) } as const;
  const cursor: Cursor = {
    values: [at, { kind: 'position', indexPlace: 0, seqNo: 40_000 }],
    id: undefined,
    indexPlace: undefined,
  };
  for (const backwards of [false, true])
    for (const docCount of [n, 32_768, 32_769, 65_000, 31]) {
      const pick = { bits: undefined, docCount, count: 300, cursor, backwards };
      const [kernel, loop] = [lent, keys].map((each) => runToEnd(pickFirst(of(each), pick)));
      assert.deepEqual(kernel, loop);
    }
});
