import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { arraySource } from './array-source.ts';
import { branchesOf, type Cut, compareToCut, keysOf, matchesTerm } from './cut.ts';
import { jumpToPage } from './jump-to-page.ts';
import { type Anchor, compareAnchors, type Direction } from './order.ts';
import { searchRank } from './rank-search.ts';
import type { CountingSource } from './source.ts';
import type { TupleValue } from './tuple.ts';

const KINDS: readonly fc.Arbitrary<TupleValue>[] = [
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.double(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '\u{ffff}', '\u{1f600}'), maxLength: 4 }),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 3 }),
];
const direction: fc.Arbitrary<Direction> = fc.record({
  descending: fc.boolean(),
  nulls: fc.constantFrom('first' as const, 'last' as const),
});
const lists = fc
  .array(fc.tuple(fc.constantFrom(...KINDS), direction), { minLength: 1, maxLength: 3 })
  .chain((columns) =>
    fc.record({
      order: fc.constant(columns.map(([, d]) => d)),
      items: fc
        .array(fc.tuple(...columns.map(([kind]) => fc.option(kind, { nil: null }))), { maxLength: 30 })
        .map((rows) => rows.map((tuple, i): Anchor => ({ tuple, id: `i${(i * 7) % 31}` }))),
    }),
  );

test('the order is total: antisymmetric and transitive, whatever the kinds', () => {
  fc.assert(
    fc.property(lists, ({ order, items }) => {
      const sorted = items.toSorted((a, b) => compareAnchors(order, a, b));
      for (const [i, a] of sorted.entries())
        for (const [j, b] of sorted.entries())
          assert.equal(Math.sign(compareAnchors(order, a, b)), Math.sign(i - j));
    }),
    { numRuns: 60 },
  );
});

test('branches contain the items behind or before a cut, each once, in the order of the walk', () => {
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), fc.boolean(), fc.boolean(), (list, i, n, behind, backwards) => {
      const { order, items } = list;
      if (items.length === 0) return;
      const at = items[i % items.length]!;
      const cut: Cut = { values: [...at.tuple, at.id].slice(0, 1 + (n % (order.length + 1))), behind };
      const branches = branchesOf(keysOf(order), cut, backwards);
      const found = branches.flatMap((branch) =>
        items
          .filter((item) =>
            branch.every((term) => matchesTerm(term, [...item.tuple, item.id][term.key] ?? null)),
          )
          .sort((a, b) => compareAnchors(order, a, b) * (backwards ? -1 : 1)),
      );
      const expected = items
        .filter((item) => compareToCut(order, item, cut) > 0 !== backwards)
        .sort((a, b) => compareAnchors(order, a, b) * (backwards ? -1 : 1));
      assert.deepEqual(found, expected);
    }),
  );
});

/** Sorted once, so that a million items are affordable. */
function large(items: readonly Anchor[], order: readonly Direction[]): CountingSource<Anchor> {
  const sorted = items.toSorted((a, b) => compareAnchors(order, a, b));
  const rank = (cut: Cut | undefined, otherwise: number): number => {
    if (cut === undefined) return otherwise;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (compareToCut(order, sorted[mid]!, cut) < 0) low = mid + 1;
      else high = mid;
    }
    return low;
  };
  return {
    anchor: (item) => item,
    page: ({ size, backwards = false }) => ({
      items: backwards ? sorted.slice(-size) : sorted.slice(0, size),
      more: sorted.length > size,
    }),
    count: (ranges) => ranges.map(({ from, to }) => rank(to, sorted.length) - rank(from, 0)),
    pageAtCut: (cut, size, backwards = false) => {
      const at = rank(cut, 0);
      return backwards
        ? { items: sorted.slice(Math.max(0, at - size), at), more: at > size }
        : { items: sorted.slice(at, at + size), more: at + size < sorted.length };
    },
  };
}

const COUNT = 1_000_000;
/** Every n-th only, to be quick; 1 makes it a million. */
const STEP = Number(process.env['OCTAVO_JUMP_STEP'] ?? 20);
const LAST = COUNT / STEP / 10;
const id = (i: number): string => `doc-${(i * 7_919) % COUNT}`;
const SHAPES: Readonly<Record<string, (i: number) => TupleValue>> = {
  'even numbers': (i) => i,
  'one value for all': () => 7,
  'doubles over all magnitudes': (i) => Math.exp((i % 1_400) - 700) * (1 + i / COUNT),
  'half of them null': (i) => (i % 2 === 0 ? null : i),
  'nearly all in one corner of the bigints': (i) =>
    i < 3 ? -(2n ** 62n) + BigInt(i) : 2n ** 62n - BigInt(i),
  'dates in bursts': (i) => new Date(1.7e12 + (i % 10) * 3.6e12 + (i >> 8)),
  'texts with long shared beginnings': (i) => `https://example.org/articles/${'x'.repeat(i % 7)}/${i}`,
  'texts that are beginnings of each other': (i) => 'a'.repeat((i / 20) % 100),
  'bytes of hashes': (i) => {
    const x = Math.imul(i, 2_654_435_761) >>> 0;
    return Uint8Array.of(x >>> 24, (x >>> 16) & 255, (x >>> 8) & 255, x & 255);
  },
};

test('any page of a long list is exact and takes at most 40 queries', async (t) => {
  for (const [name, make] of Object.entries(SHAPES)) {
    await t.test(name, async () => {
      const order: readonly Direction[] = [{ descending: name.length % 2 === 0 }];
      const items = Array.from(
        { length: COUNT / STEP },
        (_, i): Anchor => ({ tuple: [make(i * STEP)], id: id(i) }),
      );
      const source = large(items, order);
      const sorted = source.pageAtCut({ values: [], behind: false }, items.length) as {
        items: readonly Anchor[];
      };
      for (const page of [1, 2, 777, LAST >> 1, LAST - 1, LAST]) {
        const jump = await jumpToPage(source, order, page, 10);
        assert.deepEqual(jump.items, sorted.items.slice((page - 1) * 10, page * 10), `page ${page}`);
        assert.ok(jump.queries <= 40, `${jump.queries} queries for page ${page}`);
      }
    });
  }
});

test('pages by number of small lists equal slices of the sorted list', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 8 }), async ({ order, items }, size) => {
      const source = arraySource(items, { order, anchor: (item) => item });
      const sorted = items.toSorted((a, b) => compareAnchors(order, a, b));
      for (let page = 1; page <= 8; page++) {
        const { items: got, total, more } = await jumpToPage(source, order, page, size);
        assert.deepEqual(got, sorted.slice((page - 1) * size, page * size));
        assert.deepEqual([total, more], [items.length, page * size < items.length]);
      }
    }),
    { numRuns: 50 },
  );
});

test('without comparable ids the rank search ends before all items that tie, with the right rank', () => {
  fc.assert(
    fc.property(lists, fc.nat(), ({ order, items }, at) => {
      const anchors = items.toSorted((a, b) => compareAnchors(order, a, b));
      fc.pre(anchors.length > 0);
      const target = at % anchors.length;
      const before = (cut: Cut): number => anchors.filter((a) => compareToCut(order, a, cut) < 0).length;
      const list = { order, total: anchors.length, first: anchors[0]!, last: anchors.at(-1)! };
      const search = searchRank({ ...list, comparesIds: false }, target, 0);
      let step = search.next();
      while (!step.done) {
        const question = step.value;
        if (question.ask === 'edges') {
          const [from, to] = [before(question.from), before(question.to)];
          step = search.next([anchors[from]!, anchors[to - 1]!]);
          continue;
        }
        for (const { from, to } of question.ranges)
          for (const cut of [from, to]) assert.ok(cut === undefined || cut.values.length <= order.length);
        step = search.next(question.ranges.map(({ from, to }) => before(to!) - before(from!)));
      }
      const { cut, rank } = step.value;
      assert.equal(rank, before(cut));
      assert.ok(rank <= target);
      const tied = anchors.slice(rank, target + 1);
      for (const anchor of tied) {
        assert.equal(
          compareAnchors(order, { tuple: anchor.tuple, id: '' }, { tuple: tied[0]!.tuple, id: '' }),
          0,
        );
      }
    }),
  );
});
