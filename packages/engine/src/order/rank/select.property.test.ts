// Pages by rank and by cursor over several runs are those of a plain sort.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { setBit, wordsFor } from '../../kernels/bits.ts';
import { longKey } from '../../mapping/types/sortable-key.ts';
import { createMemory } from '../../memory/arenas.ts';
import { runToEnd } from '../../turn.ts';
import { LeafStack } from '../build/leaf-stack.ts';
import type { Cursor, CursorValue, Side } from '../compare.ts';
import { type OrderEntry, orderSpec } from '../order-spec.ts';
import { Orders } from '../orders.ts';
import { type SketchDoc, sketchLeaf, sketchView } from '../sketch-leaf.testing.ts';
import { pickFirst } from '../unordered/pick-first.ts';
import { type OrderRun, rankOfCut, visibleTotal } from './run.ts';
import { cutAtCursor, cutAtRank } from './select.ts';
import { type Visible, visibleBits } from './visible.ts';
import { type PageDoc, walkBackwards, walkForwards } from './walk-runs.ts';

const small = fc.integer({ min: -3, max: 3 });
const word = fc.constantFrom('', 'a', 'ab', 'b', 'ä', 'z\u0000', 'z');
const docs = (min: number, max: number) =>
  fc.array(
    fc.record({
      n: fc.array(small, { maxLength: 2 }),
      m: fc.array(small, { minLength: 1, maxLength: 1 }),
      k: fc.array(word, { maxLength: 2 }),
    }),
    { minLength: min, maxLength: max },
  );
const entry: fc.Arbitrary<OrderEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('numeric' as const),
    path: fc.constantFrom('n', 'm', 'absent'),
    descending: fc.boolean(),
    space: fc.constant('long' as const),
    mode: fc.constantFrom('min' as const, 'max' as const, 'sum' as const),
    missing: small.map((x) => longKey(x)),
    convert: fc.constant(undefined),
  }),
  fc.record({
    kind: fc.constant('bytes' as const),
    path: fc.constantFrom('k', 'absent'),
    descending: fc.boolean(),
    mode: fc.constantFrom('min' as const, 'max' as const),
    missing: fc.constantFrom('low' as const, 'high' as const, Buffer.from('aa')),
  }),
  fc.record({ kind: fc.constant('position' as const), descending: fc.boolean() }),
  fc.record({ kind: fc.constant('id' as const), descending: fc.boolean() }),
);

type Row = { id: string; place: number; doc: number; values: (number | string | undefined)[] };

function shownBy(
  d: SketchDoc,
  e: OrderEntry,
  row: { place: number; doc: number },
): number | string | undefined {
  if (e.kind === 'id') return d.id;
  if (e.kind === 'position') return row.place * 1_000 + row.doc;
  if (e.kind === 'numeric') {
    const values = d.longs?.[e.path] ?? [];
    if (values.length === 0) return Number(e.missing.hi - 0x80000000) * 2 ** 32 + e.missing.lo;
    if (e.mode === 'sum') return values.reduce((a, b) => a + b, 0);
    return e.mode === 'min' ? Math.min(...values) : Math.max(...values);
  }
  if (e.kind !== 'bytes') throw new Error('unused');
  const values = (d.words?.[e.path] ?? []).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (values.length === 0) return typeof e.missing === 'string' ? undefined : 'aa';
  return e.mode === 'min' ? values[0] : values.at(-1);
}

function compareRows(entries: readonly OrderEntry[], a: Row, b: Row): number {
  for (let i = 0; i < entries.length; i++) {
    const e = entries[i]!;
    const x = a.values[i];
    const y = b.values[i];
    let c = 0;
    if (x === undefined || y === undefined) {
      const high = e.kind === 'bytes' && e.missing === 'high' ? 1 : -1;
      c = x === y ? 0 : x === undefined ? high : -high;
    } else if (typeof x === 'number') c = x - (y as number);
    else c = Buffer.compare(Buffer.from(x), Buffer.from(y as string));
    if (c !== 0) return e.descending ? -c : c;
  }
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)) || a.place - b.place || a.doc - b.doc;
}

function cursorOf(entries: readonly OrderEntry[], row: Row, seqNo: number, withId: boolean): Cursor {
  const values = entries.map((e, i): CursorValue => {
    const v = row.values[i];
    if (e.kind === 'numeric') return { kind: 'numeric', ...longKey(v as number) };
    if (e.kind === 'position') return { kind: 'position', indexPlace: 0, seqNo };
    if (e.kind === 'bytes' && v === undefined) return { kind: 'bytes', bytes: e.missing };
    return { kind: 'bytes', bytes: Buffer.from(v as string) };
  });
  return { values, id: withId ? Buffer.from(row.id) : undefined, indexPlace: undefined };
}

const names = (picked: readonly PageDoc[]): string[] => picked.map((p) => p.side.leaf.docs.id(p.doc));

const memory = createMemory();
// Views of before are looked at again: nothing is reused.
memory.beginReading();

test('pages by rank and by cursor are those of a plain sort, under ties, gaps, deaths and filters', () => {
  fc.assert(
    fc.property(
      fc.array(docs(0, 60), { minLength: 1, maxLength: 5 }),
      fc.array(entry, { maxLength: 3 }),
      fc.array(fc.nat(200), { maxLength: 30 }),
      fc.nat(5),
      fc.option(fc.func(fc.boolean()), { nil: undefined }),
      fc.array(fc.nat(300), { minLength: 1, maxLength: 6 }),
      (leaves, entries, deaths, lateDeaths, filter, spots) => {
        const spec = orderSpec(entries);
        const orders = new Orders(memory);
        let seq = 0;
        const rows: Row[] = [];
        const sides: Side[] = [];
        const runs: OrderRun[] = [];
        const picks: { sides: Side[]; bits: Uint32Array | undefined; docCount: number; mine: Row[] }[] = [];
        const sketches = leaves.map((leaf, place) => {
          const sketch: SketchDoc[] = leaf.map((d, doc) => ({
            id: `${((doc * 7919 + place * 31) % 97).toString(36)}.${place}.${doc}`,
            longs: { n: d.n, m: d.m },
            words: { k: d.k },
          }));
          return { sketch, place };
        });
        for (const { sketch, place } of sketches) {
          const leaf = sketchLeaf(sketch, seq, place % 2 === 0);
          seq += sketch.length;
          const dead = [...new Set(deaths.filter((d) => d < sketch.length))];
          for (const d of dead) leaf.deaths.append(d, 0);
          const matches = filter === undefined ? undefined : new Uint32Array(wordsFor(sketch.length));
          sketch.forEach((_, doc) => {
            if (matches && filter!(place, doc)) setBit(matches, doc);
          });
          const side = orders.side(leaf, spec, place, 0);
          sides.push(side);
          const order = runToEnd(orders.build(side));
          // An older view first, so that later deaths are taken from the ranks, not from new bits.
          const older = sketchView(leaf, sketch.length, Math.max(0, dead.length - lateDeaths));
          const base = { filterKey: filter ? 'f' : '', matches, cacheable: true };
          runToEnd(orders.ranks(leaf, spec, order, { ...base, view: older }));
          const v: Visible = { ...base, view: sketchView(leaf, sketch.length, dead.length) };
          const ranks = runToEnd(orders.ranks(leaf, spec, order, v));
          const stack = new LeafStack([side]);
          const leads = place % 3 === 0 ? undefined : runToEnd(order.leadsOf(stack));
          runs.push({ stack, docs: order.docs, view: ranks, leads });
          const mine: Row[] = [];
          sketch.forEach((d, doc) => {
            if (dead.includes(doc) || (filter && !filter(place, doc))) return;
            mine.push({ id: d.id, place, doc, values: entries.map((e) => shownBy(d, e, { place, doc })) });
          });
          rows.push(...mine);

          const bits = visibleBits(leaf, v);
          const unranked = new Orders(memory).scanSide(leaf, spec, place, 0);
          picks.push({ sides: [side, unranked], bits, docCount: sketch.length, mine });
          for (const by of [side, unranked]) {
            for (const backwards of [false, true]) {
              const pick = { bits, docCount: sketch.length, count: 3, cursor: undefined, backwards };
              const found = runToEnd(pickFirst(by, pick)).docs;
              const sorted = mine.toSorted((a, b) => compareRows(entries, a, b)).map((r) => r.doc);
              assert.deepEqual([...found], backwards ? sorted.slice(-3) : sorted.slice(0, 3));
            }
          }
        }
        rows.sort((a, b) => compareRows(entries, a, b));
        const ids = rows.map((r) => r.id);
        assert.equal(visibleTotal(runs), rows.length);
        for (const spot of spots) {
          const at = spot % (rows.length + 2);
          const { cut, skip } = cutAtRank(runs, at);
          assert.deepEqual(names(walkForwards(runs, cut, skip, 7)), ids.slice(at, at + 7));
          if (at >= rows.length) continue;
          const row = rows[at]!;
          const seqNo = sides[row.place]!.leaf.docs.seqNo(row.doc);
          for (const withId of [false, true]) {
            const cursor = cursorOf(entries, row, seqNo, withId);
            const same = (r: Row): boolean =>
              withId
                ? r === row
                : compareRows(
                    entries,
                    { ...r, id: '', place: 0, doc: 0 },
                    { ...row, id: '', place: 0, doc: 0 },
                  ) === 0;
            const first = rows.findIndex(same);
            const last = rows.findLastIndex(same);
            for (const { sides: both, bits, docCount, mine } of picks) {
              for (const backwards of [false, true]) {
                const due = (backwards ? rows.slice(0, first) : rows.slice(last + 1)).filter((r) =>
                  mine.includes(r),
                );
                const docs = due.map((r) => r.doc);
                for (const by of both) {
                  const found = runToEnd(pickFirst(by, { bits, docCount, count: 3, cursor, backwards }));
                  assert.deepEqual([...found.docs], backwards ? docs.slice(-3) : docs.slice(0, 3));
                  assert.equal(found.excluded, mine.length - due.length);
                }
              }
            }
            const after = cutAtCursor(runs, cursor, true);
            assert.equal(rankOfCut(runs, after), last + 1);
            assert.deepEqual(names(walkForwards(runs, after, 0, 7)), ids.slice(last + 1, last + 8));
            const before = cutAtCursor(runs, cursor, false);
            assert.equal(rankOfCut(runs, before), first);
            assert.deepEqual(
              names(walkBackwards(runs, before, 0, 7)),
              ids.slice(Math.max(0, first - 7), first),
            );
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
