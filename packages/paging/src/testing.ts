// The test suite for drivers. It walks forwards and backwards under ties, nulls, inserts and deletes, and
// checks that no item is missed or repeated and that no last page is empty. It runs under any test runner:
//
//   for (const { name, run } of pageSourceCases(driver)) test(name, run);

import { jumpToPage } from './jump-to-page.ts';
import { firstItems, itemsAround, lastItems, takePages } from './list-slices.ts';
import { type Anchor, compareAnchors, type Direction } from './order.ts';
import { type CountingSource, type PageSource, walk, walkPages } from './source.ts';
import { tokenList } from './tokens/token-list.ts';
import type { TupleValue } from './tuple.ts';

/** A row of the test list: an id and its sort values. */
export interface Row {
  readonly id: string;
  readonly values: readonly TupleValue[];
}

/** A list in a store under test. */
export interface TestList {
  readonly source: PageSource<Row>;
  insert(row: Row): void | Promise<void>;
  remove(id: string): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** A driver under test: makes lists of rows in an order. */
export interface Driver {
  /** The numbers that one list can hold together. @default 'all' */
  readonly numbers?: 'all' | 'integers' | 'doubles';
  /** False if texts of the store cannot hold U+0000. @default true */
  readonly nul?: boolean;
  create(rows: readonly Row[], order: readonly Direction[]): TestList | Promise<TestList>;
}

export interface Case {
  readonly name: string;
  run(): Promise<void>;
}

const anchorOf = (row: Row): Anchor => ({ tuple: row.values, id: row.id });

function sorted(rows: readonly Row[], order: readonly Direction[]): Row[] {
  return [...rows].sort((a, b) => compareAnchors(order, anchorOf(a), anchorOf(b)));
}

function same(actual: readonly string[], expected: readonly string[], what: string): void {
  if (actual.length === expected.length && actual.every((id, i) => id === expected[i])) return;
  throw new Error(`${what}: expected ${expected.join(' ')} but got ${actual.join(' ')}`);
}

async function idsOf(rows: AsyncIterable<Row>): Promise<string[]> {
  const ids: string[] = [];
  for await (const row of rows) ids.push(row.id);
  return ids;
}

/** Rows with heavy ties, nulls, and ids that sort differently as texts and as numbers. */
export function tiedRows(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${(i * 7) % 10 === 0 ? 'Z' : 'a'}${(i * 37) % 101}-${i}`,
    values: [i % 5 === 0 ? null : (i * 13) % 4, i % 7 === 0 ? null : `w${(i * 3) % 3}`],
  }));
}

const ORDERS: readonly (readonly Direction[])[] = [
  [{}, {}],
  [{ descending: true }, {}],
  [{ nulls: 'first' }, { descending: true, nulls: 'first' }],
  [{ descending: true, nulls: 'first' }, { descending: true }],
];
const SIZES = [1, 2, 7, 30, 100];

async function withList(
  driver: Driver,
  rows: readonly Row[],
  order: readonly Direction[],
  use: (list: TestList) => Promise<void>,
): Promise<void> {
  const list = await driver.create(rows, order);
  try {
    await use(list);
  } finally {
    await list.close?.();
  }
}

async function wholeWalks(driver: Driver): Promise<void> {
  const rows = tiedRows(60);
  for (const order of ORDERS) {
    await withList(driver, rows, order, async ({ source }) => {
      const expected = sorted(rows, order).map((r) => r.id);
      for (const size of SIZES) {
        same(await idsOf(walk(source, { size })), expected, `forwards by ${size}`);
        same(
          await idsOf(walk(source, { size, backwards: true })),
          expected.toReversed(),
          `backwards by ${size}`,
        );
      }
    });
  }
}

async function noEmptyPage(driver: Driver): Promise<void> {
  for (const count of [0, 1, 10, 20]) {
    await withList(driver, tiedRows(count), [{}], async ({ source }) => {
      for (const backwards of [false, true]) {
        const sizes: string[] = [];
        for await (const page of walkPages(source, { size: 10, backwards })) sizes.push(String(page.length));
        same(
          sizes,
          new Array(Math.ceil(count / 10)).fill(String(Math.min(count, 10))),
          `${count} rows by 10`,
        );
      }
    });
  }
}

async function fromAnyItem(driver: Driver): Promise<void> {
  const rows = tiedRows(30);
  const order: readonly Direction[] = [{ descending: true }, { nulls: 'first' }];
  await withList(driver, rows, order, async ({ source }) => {
    const expected = sorted(rows, order);
    const ids = expected.map((r) => r.id);
    for (let i = 0; i < expected.length; i++) {
      const at = source.anchor(expected[i]!);
      const after = await source.page({ at, size: 4 });
      same(
        after.items.map((r) => r.id),
        ids.slice(i + 1, i + 5),
        `after item ${i}`,
      );
      const before = await source.page({ at, size: 4, backwards: true });
      same(
        before.items.map((r) => r.id),
        ids.slice(Math.max(0, i - 4), i),
        `before item ${i}`,
      );
      if (after.more !== i + 5 < ids.length || before.more !== i - 4 > 0) {
        throw new Error(`\`more\` is wrong next to item ${i}`);
      }
    }
  });
}

async function concurrentChanges(driver: Driver): Promise<void> {
  const order: readonly Direction[] = [{}, { descending: true }];
  for (const backwards of [false, true]) {
    const rows = tiedRows(50);
    await withList(driver, rows, order, async (list) => {
      const deleted = new Set<string>();
      const seen: string[] = [];
      let pages = 0;
      for await (const page of walkPages(list.source, { size: 6, backwards })) {
        seen.push(...(backwards ? page.toReversed() : page).map((r) => r.id));
        pages++;
        // Deletes the item that the next page starts from and one ahead; inserts one behind and one ahead.
        const edge = backwards ? page[0]! : page.at(-1)!;
        const ahead = rows.find((r) => !seen.includes(r.id) && !deleted.has(r.id));
        for (const id of [edge.id, ahead?.id]) {
          if (id === undefined) continue;
          deleted.add(id);
          await list.remove(id);
        }
        await list.insert({ id: `new-${pages}-null`, values: [null, null] });
        await list.insert({ id: `new-${pages}-low`, values: [-1, 'w9'] });
      }
      const old = seen.filter((id) => !id.startsWith('new-'));
      const expected = rows.map((r) => r.id).filter((id) => !deleted.has(id));
      if (new Set(seen).size !== seen.length) throw new Error('an item came twice');
      const missed = expected.filter((id) => !old.includes(id));
      if (missed.length > 0) throw new Error(`missed ${missed.join(' ')}`);
    });
  }
}

async function valuesOfAllKinds(driver: Driver): Promise<void> {
  const values: TupleValue[][] = [
    [-1.5],
    [0],
    [2 ** 53],
    [9_007_199_254_740_993n],
    [-9_223_372_036_854_775_808n],
    [9_223_372_036_854_775_807n],
    [null],
  ];
  const { numbers = 'all', nul = true } = driver;
  const fits = (v: TupleValue): boolean =>
    v === null || numbers === 'all' || (numbers === 'integers' ? v !== -1.5 : typeof v !== 'bigint');
  const rows = values.filter(([v]) => fits(v!)).map((v, i) => ({ id: `n${i}`, values: v }));
  await withList(driver, rows, [{}], async ({ source }) => {
    same(
      await idsOf(walk(source, { size: 1 })),
      sorted(rows, [{}]).map((r) => r.id),
      'numbers, small and large',
    );
  });
  const texts = ['', 'a', 'Z', 'ä', '\u{ffff}', '\u{1f600}', 'a\u0000', 'aa']
    .filter((t) => nul || t !== 'a\u0000')
    .map((t, i) => ({
      id: `t${i}`,
      values: [t],
    }));
  await withList(driver, texts, [{ descending: true }], async ({ source }) => {
    same(
      await idsOf(walk(source, { size: 1 })),
      sorted(texts, [{ descending: true }]).map((r) => r.id),
      'texts by code point',
    );
  });
}

async function partsOfLists(driver: Driver): Promise<void> {
  const rows = tiedRows(40);
  const order: readonly Direction[] = [{ nulls: 'first' }, { descending: true }];
  await withList(driver, rows, order, async ({ source, remove }) => {
    const ids = sorted(rows, order).map((r) => r.id);
    const idsIn = (items: readonly Row[]): string[] => items.map((r) => r.id);
    same(idsIn((await firstItems(source, 5)).items), ids.slice(0, 5), 'the first');
    same(idsIn((await lastItems(source, 5)).items), ids.slice(-5), 'the last');
    const pages: string[] = [];
    for await (const page of takePages(source, 2, { size: 7 })) pages.push(...idsIn(page));
    same(pages, ids.slice(0, 14), 'two pages');
    for (const i of [0, 2, 20, 38, 39]) {
      const row = rows.find((r) => r.id === ids[i])!;
      const got = await itemsAround(source, anchorOf(row), 3);
      same(idsIn(got.items), ids.slice(Math.max(0, i - 3), i + 4), `the neighbourhood of item ${i}`);
      if (got.moreBefore !== i > 3 || got.moreBehind !== i < 36)
        throw new Error(`the neighbourhood of item ${i}: \`more\` is wrong`);
    }
    const deleted = rows.find((r) => r.id === ids[20])!;
    await remove(deleted.id);
    const got = await itemsAround(source, anchorOf(deleted), 3);
    same(
      idsIn(got.items),
      [...ids.slice(17, 20), ...ids.slice(21, 24)],
      'the neighbourhood of a deleted item',
    );
  });
}

async function exports(driver: Driver): Promise<void> {
  const rows = tiedRows(50);
  const order: readonly Direction[] = [{ descending: true }, {}];
  await withList(driver, rows, order, async ({ source }) => {
    const ids = sorted(rows, order).map((r) => r.id);
    const list = tokenList(source, { fingerprint: { list: 1 } });
    const read = async (token: string | undefined): Promise<[string[], (string | undefined)[]]> => {
      const got: string[] = [];
      const tokens: (string | undefined)[] = [];
      for await (const page of list.export({ size: 8, ...(token === undefined ? {} : { token }) })) {
        got.push(...page.items.map((r) => r.id));
        tokens.push(page.next);
      }
      return [got, tokens];
    };
    const [[all, tokens], [again]] = await Promise.all([read(undefined), read(undefined)]);
    same(all, ids, 'an export');
    same(again, ids, 'an export at the same time');
    for (const [i, token] of tokens.entries())
      if (token !== undefined)
        same((await read(token))[0], ids.slice(8 * (i + 1)), `resumed after page ${i + 1}`);
    const second = await list.page({ size: 8, token: tokens[0]! });
    const back = await list.page({ size: 8, token: second.prev! });
    same(
      back.items.map((r) => r.id),
      ids.slice(0, 8),
      'back to the first page',
    );
  });
}

function isCounted(source: PageSource<Row>): source is CountingSource<Row> {
  return 'count' in source && 'pageAtCut' in source;
}

/** Runs only for sources that can count. */
async function pagesByNumber(driver: Driver): Promise<void> {
  const rows = tiedRows(1_300);
  for (const order of ORDERS) {
    await withList(driver, rows, order, async ({ source }) => {
      if (!isCounted(source)) return;
      const ids = sorted(rows, order).map((r) => r.id);
      for (const page of [1, 64, 130, 131]) {
        const got = await jumpToPage(source, order, page, 10);
        same(
          got.items.map((r) => r.id),
          ids.slice((page - 1) * 10, page * 10),
          `page ${page}`,
        );
        if (got.total !== rows.length || got.queries > 40)
          throw new Error(`page ${page}: ${got.queries} queries`);
      }
    });
  }
}

/** The suite as named cases for any test runner. A case rejects if the driver breaks a rule. */
export function pageSourceCases(driver: Driver): Case[] {
  return [
    { name: 'walks return every item once, in order, in both directions', run: () => wholeWalks(driver) },
    { name: 'the last page is never empty', run: () => noEmptyPage(driver) },
    { name: 'a walk continues from any item, in both directions', run: () => fromAnyItem(driver) },
    {
      name: 'no item is missed or repeated under inserts and deletes',
      run: () => concurrentChanges(driver),
    },
    { name: 'first items, last items, neighbourhoods and a few pages', run: () => partsOfLists(driver) },
    { name: 'concurrent exports resume from any token', run: () => exports(driver) },
    { name: 'pages by number', run: () => pagesByNumber(driver) },
    { name: 'numbers and texts of all kinds keep their order', run: () => valuesOfAllKinds(driver) },
  ];
}
