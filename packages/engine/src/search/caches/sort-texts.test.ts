// Cached sort texts equal freshly printed ones. The tests cover every position, several printers and a memory budget. Nothing
// is cached if the next search may print other values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameBytes } from '../../../test/true-bytes.ts';
import type { SortPrinter } from '../../api.ts';
import { JsonWriter } from '../../json/json-writer.ts';
import { longKey } from '../../mapping/types/sortable-key.ts';
import { createMemory } from '../../memory/arenas.ts';
import type { Memory } from '../../memory/memory.ts';
import { LeafOrder } from '../../order/build/build-order.ts';
import { LeafStack } from '../../order/build/leaf-stack.ts';
import { type OrderEntry, orderSpec } from '../../order/order-spec.ts';
import { Orders } from '../../order/orders.ts';
import { RankView } from '../../order/rank/rank-view.ts';
import type { OrderRun } from '../../order/rank/run.ts';
import { sketchLeaf } from '../../order/sketch-leaf.testing.ts';
import { runToEnd } from '../../turn.ts';
import { putSort } from '../request/sort-values.ts';
import type { Sortable } from '../request/sortable.ts';
import { BLOCK, continuesWalk, type OrderTexts, SortTexts } from './sort-texts.ts';

const DOCS = 5_000;
const BLOCKS = Math.ceil(DOCS / BLOCK);
const memory = createMemory();
const BY_N: OrderEntry = {
  ...{ kind: 'numeric', path: 'n', descending: true, space: 'long', mode: 'min' },
  ...{ missing: longKey(-5), convert: undefined },
};
const BY_K: OrderEntry = { kind: 'bytes', path: 'k', descending: false, mode: 'min', missing: 'high' };

function sortOf(entries: readonly OrderEntry[]): Sortable[] {
  return entries.map((entry) => {
    const kind = entry.kind === 'numeric' ? 'long' : entry.kind === 'bytes' ? 'keyword' : '_score';
    const type = { kind, space: undefined, field: undefined, format: undefined };
    return { sort: { field: 'any', descending: false }, entry, type } as unknown as Sortable;
  });
}

function runOf(entries: readonly OrderEntry[], docs = DOCS, sorted = true): OrderRun {
  const leaf = sketchLeaf(
    Array.from({ length: docs }, (_, i) => ({
      id: `d${i}`,
      longs: i % 5 === 0 ? {} : { n: [(i * 7919) % 1_000] },
      words: i % 7 === 0 ? {} : { k: [`k"${i % 900}`] },
    })),
    0,
    sorted,
  );
  const orders = new Orders(memory);
  const spec = orderSpec(entries);
  runToEnd(orders.prepareKeys(leaf, spec));
  const side = orders.side(leaf, spec, 0, 0);
  const order = runToEnd(orders.build(side));
  return { stack: new LeafStack([side]), docs: order.docs, order, view: RankView.all(docs) };
}

/** A printer that counts. */
function printer(key: string): SortPrinter & { printed: number } {
  return {
    key,
    printed: 0,
    put(values, out) {
      this.printed++;
      for (let e = 0; e < values.length; e++) {
        out.ascii(key);
        if (!values.putText(e, out)) out.text(JSON.stringify(values.value(e)));
      }
    },
  };
}

const sort = sortOf([BY_N, BY_K]);
const run = runOf([BY_N, BY_K]);

/** Tells of so many pages in a block, and does the work that comes of it. */
function pages(texts: SortTexts, own: OrderTexts, block: number, by: SortPrinter, count: number): number {
  let made = 0;
  for (let page = 0; page < count; page++) {
    const making = texts.noteMiss(own, block, run, sort, by);
    if (making === undefined) continue;
    runToEnd(making.steps());
    made++;
  }
  return made;
}

function kept(own: OrderTexts, at: number): string | undefined {
  const out = new JsonWriter(Buffer.alloc(8), 0);
  return own.put(at, out) ? out.bytes.toString('utf8', 0, out.at) : undefined;
}

function printed(at: number, by: SortPrinter): string {
  const out = new JsonWriter(Buffer.alloc(8), 0);
  putSort(sort, { side: run.stack.sides[0]!, doc: run.docs[at]!, score: 0 }, by, out);
  return out.bytes.toString('utf8', 0, out.at);
}

test('what is kept of every position is what would be printed, in each of several ways', () => {
  const texts = new SortTexts(memory);
  const ways = ['|', '; '].map(printer);
  const of = ways.map((by) => texts.find(run, sort, by)!);
  for (const [w, by] of ways.entries()) {
    for (let block = 0; block < BLOCKS; block++) {
      assert.equal(pages(texts, of[w]!, block, by, 7), 0, 'not before the eighth page');
      assert.equal(kept(of[w]!, block * BLOCK), undefined);
      assert.equal(pages(texts, of[w]!, block, by, 1), 1);
    }
    assert.equal(by.printed, DOCS);
    for (let at = 0; at < DOCS; at++) assert.equal(kept(of[w]!, at), printed(at, by), `${at}`);
  }
  assert.equal(texts.find(run, sort, printer('|')), of[0], 'another printer of the same key has the same');
  assert.equal(texts.find(run, sortOf([BY_N, BY_K]), printer('|')), of[0]);
  // Of many ways the last ones stay: one that is used goes on, whatever else is asked for now and then.
  for (const key of ['3', '4', '5', '6', '7']) {
    texts.find(run, sort, printer(key));
    assert.equal(texts.find(run, sort, printer('|')), of[0]);
  }
  assert.notEqual(texts.find(run, sort, printer('; ')), of[1]);
});

test('nothing is kept of short orders, of what is still written, and of what the next search shows otherwise', () => {
  const texts = new SortTexts(memory);
  const by = printer('|');
  assert.equal(texts.find(runOf([BY_N], 2_000), sortOf([BY_N]), by), undefined);
  assert.equal(texts.find(runOf([BY_N], 3_000, false), sortOf([BY_N]), by), undefined);
  const { order: _, ...unkept } = run;
  assert.equal(texts.find(unkept, sort, by), undefined);
  for (const kind of ['score', 'position', 'constant'] as const) {
    const entries: OrderEntry[] = [BY_N, { kind, descending: false } as OrderEntry];
    assert.equal(texts.find(run, sortOf(entries), by), undefined, kind);
  }
});

test('where another has to go for it, a block is made ten times a second at most', () => {
  const by = printer('|');
  const measure = new SortTexts(memory);
  pages(measure, measure.find(run, sort, by)!, 0, by, 8);
  const limit = 3.2 * measure.usedBytes;
  let now = 0;
  const texts = new SortTexts(memory, limit, () => now);
  const own = texts.find(run, sort, by)!;
  const there = (): number[] => Array.from({ length: BLOCKS }, (_, b) => b).filter((b) => own.has(b * BLOCK));
  for (let block = 0; block < 3; block++) assert.equal(pages(texts, own, block, by, 8), 1);
  assert.deepEqual(there(), [0, 1, 2]);
  now = 99;
  assert.equal(pages(texts, own, 3, by, 50), 0);
  now = 100;
  assert.equal(pages(texts, own, 3, by, 1), 1);
  assert.deepEqual(there(), [1, 2, 3], 'all were used, and the oldest goes');
  assert.equal(kept(own, 0), undefined);
  assert.equal(kept(own, BLOCK), printed(BLOCK, by));
  assert.equal(pages(texts, own, 0, by, 50), 0);
  now = 200;
  assert.equal(pages(texts, own, 0, by, 1), 1);
  assert.deepEqual(there(), [0, 1, 3], 'the one that was not used since goes');
  for (const at of [5, BLOCK + 5, 3 * BLOCK + 5]) assert.equal(kept(own, at), printed(at, by));
  assert.ok(texts.usedBytes <= limit);
});

test('where there is no place for a block it is tried ten times a second at most, until there is', () => {
  let [hasRoom, now] = [false, 0];
  const tight: Memory = {
    ...memory,
    tryAlloc: (bytes) => (hasRoom ? memory.tryAlloc(bytes) : undefined),
    free: (block) => memory.free(block),
    onPressure: () => {},
  };
  const inTightMemory = new SortTexts(tight, undefined, () => now);
  for (const texts of [inTightMemory, new SortTexts(memory, 5_000, () => now)]) {
    const by = printer('|');
    const own = texts.find(run, sort, by)!;
    now = 0;
    assert.equal(pages(texts, own, 0, by, 400), 1);
    assert.equal(kept(own, 0), undefined);
    for (now = 10; now < 1_000; now += 10) pages(texts, own, 0, by, 100);
    assert.equal(by.printed, 10 * BLOCK);
    assert.equal(texts.usedBytes, 0);
  }
  hasRoom = true;
  now = 2_000;
  const by = printer('|');
  const own = inTightMemory.find(run, sort, by)!;
  assert.equal(pages(inTightMemory, own, 0, by, 8), 1);
  assert.equal(kept(own, 0), printed(0, by));
  assert.equal(pages(inTightMemory, own, 1, by, 8), 1, 'and the next one at once');
});

test('a page goes on with a walk where it begins behind the last one, or ends before it', () => {
  const own = new SortTexts(memory).find(run, sort, printer('|'))!;
  assert.ok(!continuesWalk(own, 0, 20) && !continuesWalk(own, 300, 20));
  own.first = 300;
  own.last = 319;
  for (const at of [320, 322, 280, 278]) assert.ok(continuesWalk(own, at, 20), `${at}`);
  for (const at of [300, 310, 319, 328, 200, 2_000, 0]) assert.ok(!continuesWalk(own, at, 20), `${at}`);
});

test('a few blocks are under way at a time, none twice, and one that fails is tried again', () => {
  const texts = new SortTexts(memory);
  let fails = true;
  const by: SortPrinter = {
    key: 'fails',
    put: (_, out) => {
      if (fails) throw new Error('not now');
      out.ascii('.');
    },
  };
  const own = texts.find(run, sort, by)!;
  const due = (block: number): (() => Generator<void, void, undefined>) | undefined => {
    let steps: (() => Generator<void, void, undefined>) | undefined;
    for (let page = 0; page < 8; page++) steps = texts.noteMiss(own, block, run, sort, by)?.steps ?? steps;
    return steps;
  };
  const work = Array.from({ length: BLOCKS }, (_, block) => due(block));
  assert.deepEqual(
    work.map((steps) => steps !== undefined),
    work.map((_, block) => block < 8),
  );
  assert.equal(due(0), undefined);
  for (const steps of work.slice(0, 8)) assert.throws(() => runToEnd(steps!()), /not now/);
  fails = false;
  runToEnd(due(0)!());
  assert.equal(kept(own, 3), '.');
  runToEnd(due(9)!());
  assert.equal(kept(own, 9 * BLOCK), '.');
});

test('texts take what they say', async () => {
  const own = createMemory();
  const texts = new SortTexts(own, 2 ** 40);
  const by = printer('|');
  await sameBytes(
    own,
    () => texts.usedBytes,
    500,
    () => {
      const of = texts.find({ ...run, order: new LeafOrder(run.docs) }, sort, by)!;
      assert.equal(pages(texts, of, 0, by, 8), 1);
    },
  );
});
