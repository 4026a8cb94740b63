// Every page holds what a plain sort of plain arrays holds. Several indices of minis and sealed segments,
// updates and deletes, older snapshots, sorts with heavy ties and missing values; pages by from, walks by
// search_after and by token, both ways.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { executeSearch } from '../../test/execute-search.ts';
import { type Version, World, type WorldDoc, worldServices } from '../../test/search-world.ts';
import type { SearchRequest, SearchResult } from '../api.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const doc: fc.Arbitrary<WorldDoc> = fc.record(
  {
    n: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 1, maxLength: 3 }),
    f: fc.constantFrom(-1.5, 0, 0.1, 2),
    k: fc.array(fc.constantFrom('a', 'B', 'ä', ''), { minLength: 1, maxLength: 2 }),
    t: fc
      .array(fc.constantFrom('red', 'green', 'blue'), { minLength: 1, maxLength: 4 })
      .map((w) => w.join(' ')),
  },
  { requiredKeys: [] },
);
const op = fc.record({
  id: fc.nat(25).map((n) => `d${n % 7}${n}`),
  doc: fc.option(doc, { nil: undefined, freq: 6 }),
});
const batches = fc.array(
  fc.record({ world: fc.nat(1), ops: fc.array(op, { maxLength: 8 }), seal: fc.nat(5).map((n) => n === 0) }),
  { minLength: 1, maxLength: 14 },
);
const sortEntry = fc.oneof(
  fc.record({
    field: fc.constantFrom('n', 'f', 'k'),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    missing: fc.constantFrom('_last' as const, '_first' as const),
  }),
  fc.record({
    field: fc.constantFrom('_id', '_doc'),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    missing: fc.constant('_last' as const),
  }),
);
type Entry = { field: string; order: 'asc' | 'desc'; missing: '_first' | '_last' };
const filter = fc.constantFrom<{ json: JsonObject | undefined; ok: (d: WorldDoc) => boolean }>(
  { json: undefined, ok: () => true },
  { json: { term: { k: 'a' } }, ok: (d) => d.k?.includes('a') ?? false },
  {
    json: { bool: { filter: [{ range: { n: { gte: 1 } } }] } },
    ok: (d) => d.n?.some((x) => x >= 1) ?? false,
  },
  { json: { match: { t: 'red' } }, ok: (d) => d.t?.split(' ').includes('red') ?? false },
  { json: { match_none: {} }, ok: () => false },
);

interface Row {
  readonly v: Version;
  readonly place: number;
}

const bytewise = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

function compareEntry(e: Entry, a: Row, b: Row): number {
  const sign = e.order === 'desc' ? -1 : 1;
  if (e.field === '_id') return sign * bytewise(a.v.id, b.v.id);
  if (e.field === '_doc') return sign * (a.place - b.place || a.v.seqNo - b.v.seqNo);
  const pick = (r: Row): number | string | undefined => {
    const raw = r.v.doc[e.field as 'n' | 'f' | 'k'];
    if (raw === undefined || typeof raw === 'number') return raw;
    const values = [...raw].sort((x, y) =>
      typeof x === 'number' ? x - (y as number) : bytewise(x, y as string),
    );
    return e.order === 'desc' ? values.at(-1) : values[0];
  };
  const x = pick(a);
  const y = pick(b);
  if (x === undefined || y === undefined) {
    if (x === y) return 0;
    return (x === undefined) === (e.missing === '_first') ? -1 : 1;
  }
  return sign * (typeof x === 'number' ? x - (y as number) : bytewise(x, y as string));
}

function oracle(rows: Row[], sort: readonly Entry[]): Row[] {
  const unique = sort.some((e) => e.field === '_doc' || e.field === '_id');
  return rows.sort((a, b) => {
    for (const e of sort) {
      const c = compareEntry(e, a, b);
      if (c !== 0) return c;
    }
    return (unique ? 0 : bytewise(a.v.id, b.v.id)) || a.place - b.place || a.v.seqNo - b.v.seqNo;
  });
}

const names = ['left', 'right'];
const shown = (result: SearchResult): string[] => result.hits.map((h) => `${h.index}/${h.id}/${h.seqNo}`);

test('pages and walks are those of a plain sort', async () => {
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.array(sortEntry, { minLength: 1, maxLength: 3 }),
      filter,
      fc.nat(14),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom(3, 65_536),
      async (steps, sort, { json, ok }, age, size, buildAtOnce) => {
        const worlds = names.map((name) => new World(name));
        const services = worldServices(buildAtOnce);
        const body: JsonValue = sort.map(
          (e) => ({ [e.field]: { order: e.order, missing: e.missing } }) as JsonObject,
        );
        // `_id` and `_doc` take no `missing`, but accept it as any field does.
        const base: SearchRequest = { indices: names, sort: body, ...(json ? { query: json } : {}) };
        const check = async (snapshots: readonly number[]): Promise<void> => {
          const views = worlds.map((w, i) => w.view(snapshots[i]));
          const rows = oracle(
            worlds
              .flatMap((w, place) => w.alive(snapshots[place]).map((v) => ({ v, place })))
              .filter((r) => ok(r.v.doc)),
            sort,
          );
          const all = rows.map((r) => `${names[r.place]}/${r.v.id}/${r.v.seqNo}`);
          const run = (request: Partial<SearchRequest>): Promise<SearchResult> =>
            executeSearch(views, { ...base, size, ...request }, services, 0);
          for (let from = 0; from <= all.length + 1; from += 3) {
            const page = await run({ from });
            assert.deepEqual(shown(page), all.slice(from, from + size));
            assert.deepEqual(page.total, { value: all.length, relation: 'eq' });
            assert.equal(page.more, from + size < all.length);
            if (page.hits.length > 0) assert.equal(page.moreBefore, from > 0);
          }
          for (const backwards of [false, true]) {
            const walked: string[] = [];
            let page = await run({ backwards });
            for (let guard = 0; page.hits.length > 0 && guard < 100; guard++) {
              const list = shown(page);
              if (backwards) walked.unshift(...list);
              else walked.push(...list);
              assert.equal(
                page.more,
                backwards ? walked.length - list.length > 0 : walked.length < all.length,
              );
              assert.equal(
                page.moreBefore,
                backwards ? walked.length < all.length : walked.length > list.length,
              );
              const edge = (backwards ? page.hits[0] : page.hits.at(-1))!;
              page = await run({
                backwards,
                searchAfter: edge.sort! as JsonValue[],
                searchAfterId: edge.id,
                searchAfterIndex: edge.index,
              });
            }
            assert.deepEqual(walked, all);
          }
          // A bare search_after passes over what ties.
          const first = await run({ size: 1 });
          if (first.hits.length > 0) {
            const after = await run({ searchAfter: first.hits[0]!.sort! as JsonValue[], size: 3 });
            const ties = rows.filter((r) => sort.every((e) => compareEntry(e, r, rows[0]!) === 0)).length;
            assert.deepEqual(shown(after), all.slice(ties, ties + 3));
          }
          const counted = await run({ size: 0 });
          assert.equal(counted.total!.value, all.length);
        };
        for (const step of steps) {
          const world = worlds[step.world]!;
          world.write(step.ops);
          if (step.seal) world.seal();
          await check(worlds.map((w) => w.commit));
        }
        await check(worlds.map((w) => Math.max(0, w.commit - age)));
      },
    ),
    { numRuns: 40 },
  );
});

test('score order: pages and walks agree with one list; ties are in insertion order', async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.integer({ min: 1, max: 5 }), fc.boolean(), async (steps, size, mixed) => {
      const worlds = names.map((name) => new World(name));
      for (const step of steps) {
        worlds[step.world]!.write(step.ops);
        if (step.seal) worlds[step.world]!.seal();
      }
      const services = worldServices();
      const views = worlds.map((w) => w.view());
      const base: SearchRequest = {
        indices: names,
        query: { match: { t: 'red blue' } },
        ...(mixed ? { sort: [{ _score: 'asc' }, { n: 'desc' }] as JsonValue } : {}),
      };
      const run = (request: Partial<SearchRequest>): Promise<SearchResult> =>
        executeSearch(views, { ...base, ...request }, services, 0);
      const whole = await run({ size: 500 });
      const all = shown(whole);
      const due = worlds.flatMap((w) => w.alive()).filter((v) => /red|blue/.test(v.doc.t ?? ''));
      assert.equal(all.length, due.length);
      assert.equal(whole.total!.value, due.length);
      if (!mixed) {
        for (let i = 1; i < whole.hits.length; i++) {
          const [a, b] = [whole.hits[i - 1]!, whole.hits[i]!];
          assert.ok(
            a.score > b.score ||
              (a.score === b.score && (a.index < b.index || (a.index === b.index && a.seqNo < b.seqNo))),
          );
        }
        assert.equal(whole.maxScore, whole.hits[0]?.score);
      }
      for (let from = 0; from < all.length; from += 2) {
        assert.deepEqual(shown(await run({ from, size })), all.slice(from, from + size));
      }
      for (const backwards of [false, true]) {
        const walked: string[] = [];
        let page = await run({ backwards, size });
        while (page.hits.length > 0) {
          if (backwards) walked.unshift(...shown(page));
          else walked.push(...shown(page));
          const edge = (backwards ? page.hits[0] : page.hits.at(-1))!;
          page = await run({
            backwards,
            size,
            searchAfter: (edge.sort ?? [edge.score]) as JsonValue[],
            searchAfterId: edge.id,
            searchAfterIndex: edge.index,
          });
        }
        assert.deepEqual(walked, all);
      }
    }),
    { numRuns: 40 },
  );
});

test('a search without scoring is in insertion order, to any depth and both ways', async () => {
  const world = new World('left');
  for (let i = 0; i < 30; i++) {
    world.write([{ id: `x${i % 20}`, doc: { k: [i % 2 ? 'a' : 'B'] } }]);
    if (i === 11) world.seal();
  }
  const services = worldServices();
  const views = [world.view()];
  const run = (request: Partial<SearchRequest>): Promise<SearchResult> =>
    executeSearch(views, { indices: ['left'], query: { term: { k: 'a' } }, ...request }, services, 0);
  const due = world
    .alive()
    .filter((v) => v.doc.k?.[0] === 'a')
    .map((v) => v.id);
  assert.deepEqual(
    (await run({ from: 3, size: 4 })).hits.map((h) => h.id),
    due.slice(3, 7),
  );
  const walked: string[] = [];
  let page = await run({ size: 3 });
  while (page.hits.length > 0) {
    walked.push(...page.hits.map((h) => h.id));
    const edge = page.hits.at(-1)!;
    page = await run({ size: 3, searchAfter: [edge.score], searchAfterId: edge.id });
  }
  assert.deepEqual(walked, due);
});
