// Searches over a small world: limits, cursors, sorts over several indices, errors in the peer's words, and
// when runs are merged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { executeSearch } from '../../test/execute-search.ts';
import { makeView } from '../../test/query-world.ts';
import { World, worldServices } from '../../test/search-world.ts';
import { buildAnalysis } from '../analysis/registry.ts';
import type { SearchRequest, SearchResult } from '../api.ts';
import { EngineError } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';
import { parseMapping } from '../mapping/index-mapping.ts';
import type { IndexView } from '../query/plan/index-view.ts';
import { cursorValues } from './request/cursor-values.ts';
import { parseSort } from './request/parse-sort.ts';
import { resolveSort, type Sortable } from './request/sortable.ts';

function world(): World {
  const w = new World('w');
  for (let i = 0; i < 60; i++) {
    w.write([{ id: `d${i}`, doc: { n: [i % 7], k: [`g${i % 5}`], t: i % 3 === 0 ? 'red' : 'red blue' } }]);
    if (i === 30) w.seal();
  }
  return w;
}

const search = (
  w: World,
  request: Partial<SearchRequest>,
  services = worldServices(),
): Promise<SearchResult> => executeSearch([w.view()], { indices: ['w'], ...request }, services, w.commit);
const ids = (r: SearchResult): string[] => r.hits.map((h) => h.id);
const rejectsWith = (type: string, reason: RegExp) => (e: unknown) =>
  e instanceof EngineError && e.type === type && reason.test(e.message);

test('terminate_after looks at the first matches of an index only, and says so', async () => {
  const w = world();
  for (const query of [undefined, { match: { t: 'red' } }]) {
    const request = query ? { query } : {};
    const few = await search(w, { ...request, terminateAfter: 4, size: 50 });
    assert.deepEqual(ids(few).sort(), ['d0', 'd1', 'd2', 'd3']);
    assert.equal(few.total!.value, 4);
    assert.equal(few.terminatedEarly, true);
    assert.equal((await search(w, { ...request, terminateAfter: 100 })).terminatedEarly, false);
    // Nothing of the documents that were left out stays behind in pooled scores.
    const all = await search(w, { ...request, size: 60 });
    const again = await search(w, { ...request, size: 60 }, worldServices());
    assert.deepEqual(
      all.hits.map((h) => h.score),
      again.hits.map((h) => h.score),
    );
  }
});

test('min_score and post_filter change totals; scores come back where they were asked for', async () => {
  const w = world();
  const red = await search(w, { query: { match: { t: 'red blue' } }, size: 60 });
  assert.equal(red.total!.value, 60);
  const best = await search(w, { query: { match: { t: 'red blue' } }, minScore: red.maxScore! });
  assert.equal(best.total!.value, red.hits.filter((h) => h.score === red.maxScore).length);
  assert.equal((await search(w, { minScore: 1.5 })).total!.value, 0);
  assert.equal((await search(w, { minScore: 1 })).total!.value, 60);
  assert.equal((await search(w, { minScore: 1.5, size: 0 })).total!.value, 0);
  assert.equal((await search(w, { postFilter: { term: { k: 'g1' } } })).total!.value, 12);
  const sorted = await search(w, { query: { match: { t: 'blue' } }, sort: ['n'] });
  assert.ok(sorted.hits.every((h) => Number.isNaN(h.score)));
  const tracked = await search(w, { query: { match: { t: 'blue' } }, sort: ['n'], trackScores: true });
  assert.deepEqual(ids(tracked), ids(sorted));
  assert.ok(tracked.hits.every((h) => h.score > 0) && tracked.maxScore! > 0);
});

test('totals are exact, capped or absent as asked', async () => {
  const w = world();
  assert.deepEqual((await search(w, { trackTotalHits: 59 })).total, { value: 59, relation: 'gte' });
  assert.deepEqual((await search(w, { trackTotalHits: 60 })).total, { value: 60, relation: 'eq' });
  assert.equal((await search(w, { trackTotalHits: false })).total, undefined);
});

test('collapsing keeps the best of each group, at any page, in field order and in score order', async () => {
  const w = world();
  const byN = await search(w, { sort: [{ n: 'desc' }, { _id: 'asc' }], collapse: { field: 'k' }, size: 3 });
  const next = await search(w, {
    sort: [{ n: 'desc' }, { _id: 'asc' }],
    collapse: { field: 'k' },
    from: 3,
    size: 3,
  });
  const groups = [...byN.hits, ...next.hits].map((h) => h.docValues('k')[0]);
  assert.deepEqual([...groups].sort(), ['g0', 'g1', 'g2', 'g3', 'g4']);
  assert.ok(byN.hits.every((h) => h.docValues('n')[0] === 6));
  assert.equal(byN.total!.value, 60);
  assert.deepEqual([byN.more, next.more], [true, false]);
  const scored = await search(w, { query: { match: { t: 'blue' } }, collapse: { field: 'k' } });
  assert.equal(scored.hits.length, 5);
  await assert.rejects(
    search(w, { collapse: { field: 't' } }),
    rejectsWith('illegal_argument_exception', /unknown type/),
  );
});

test('a search that is late says so; one that is cancelled ends', async () => {
  const w = world();
  const late = await search(w, { query: { match: { t: 'blue' } }, timeoutMs: 0 });
  assert.equal(late.timedOut, true);
  await assert.rejects(
    search(w, { query: { match: { t: 'blue' } }, signal: AbortSignal.abort() }),
    rejectsWith('timeout_exception', /cancelled/),
  );
});

test('paging that makes no sense is refused in the peer’s words', async () => {
  const w = world();
  const refused: [Partial<SearchRequest>, RegExp][] = [
    [{ from: -1 }, /\[from\] parameter cannot be negative, found \[-1\]/],
    [{ size: -1 }, /\[size\] parameter cannot be negative/],
    [{ size: 10_001 }, /Result window is too large/],
    [{ sort: ['n'], searchAfter: [1, 2] }, /search_after has 2 value\(s\) but sort has 1\./],
    [{ sort: ['n'], searchAfter: [] }, /Values must contains at least one value/],
    [{ searchAfter: [1] }, /Sort must contain at least one field/],
    [{ sort: ['n'], searchAfter: [1], from: 2 }, /`from` parameter must be set to 0/],
    [{ sort: ['t'] }, /Text fields are not optimised/],
    [{ sort: ['n'], searchAfter: ['x'] }, /Failed to parse search_after value for field \[n\]/],
    [{ sort: [{ k: { mode: 'avg' } }] }, /we only support AVG, MEDIAN and SUM/],
  ];
  for (const [request, reason] of refused) {
    await assert.rejects(
      search(w, request),
      (e) => e instanceof EngineError && e.status === 400 && reason.test(e.message),
    );
  }
  await assert.rejects(
    search(w, { sort: ['nope'] }),
    rejectsWith('query_shard_exception', /No mapping found/),
  );
});

test('fields of several numeric types sort together as doubles; unsigned longs and words do not mix', () => {
  const view = (type: string): IndexView => ({
    name: type,
    uuid: type,
    mapping: parseMapping({ properties: { x: { type } } }, buildAnalysis({})),
    settings: {},
    leaves: [],
    analyzer: () => undefined,
  });
  const fit = (types: string[], sort: JsonValue = [{ x: 'desc' }]) =>
    resolveSort(parseSort(sort), types.map(view)).map(([s]) => s!);
  const mixed = fit(['long', 'double', 'integer']);
  assert.deepEqual(
    mixed.map((s) => s.type.space),
    ['double', 'double', 'double'],
  );
  assert.deepEqual(cursorValues([mixed[0]!], [1.5])[0]!.kind, 'numeric');
  assert.deepEqual(
    fit(['long', 'date']).map((s) => s.type.space),
    ['long', 'long'],
  );
  const lacking = { ...view('long'), mapping: parseMapping({ properties: {} }, buildAnalysis({})) };
  const withGap = (sort: JsonValue, ignoreUnmapped = false): Sortable[] =>
    resolveSort(parseSort(sort), [view('integer'), lacking], [], ignoreUnmapped).map(([s]) => s!);
  assert.throws(() => withGap(['x']), /No mapping found/);
  assert.deepEqual(
    withGap([{ x: { unmapped_type: 'long' } }]).map((s) => s.type.kind),
    ['integer', 'long'],
  );
  assert.throws(() => withGap([{ x: { unmapped_type: 'keyword' } }]), /Can't do sort across indices/);
  assert.deepEqual(
    withGap(['x'], true).map((s) => s.type.kind),
    ['integer', 'integer'],
  );
  for (const types of [
    ['unsigned_long', 'long'],
    ['keyword', 'long'],
  ]) {
    assert.throws(
      () => fit(types),
      /Can't do sort across indices, as a field has \[(unsigned_long|keyword)\] type/,
    );
  }
});

test('whether runs should be merged is looked at once while their search is prepared', async () => {
  const w = world();
  const services = worldServices();
  const { heat } = services.caches;
  const add = heat.add.bind(heat);
  const looked: number[] = [];
  heat.add = (key, times) => {
    looked.push(times);
    return add(key, times);
  };
  const view = w.view();
  const request = { indices: ['w'], sort: ['n'], size: 5, shape: {} };
  for (let page = 0; page < 200; page++)
    await executeSearch([view], { ...request, from: page % 50 }, services, w.commit);
  // By the search that was prepared, and when it has been used often.
  assert.deepEqual(looked, [1, 8]);
});

test('a sort by score and field shares the order of the field, and not its leading keys', async () => {
  const properties = { n: { type: 'integer' } };
  const views = ['a', 'b'].map((name) => {
    const documents = Array.from({ length: 20 }, (_, n) => ({ id: `${name}${n}`, source: { n } }));
    return { ...makeView({ properties }, documents), name, uuid: name };
  });
  const services = worldServices();
  const found = async (names: readonly string[], sort: JsonValue[]): Promise<string[]> => {
    const request = { indices: names, sort, size: 3 };
    return ids(
      await executeSearch(
        views.filter(({ name }) => names.includes(name)),
        request,
        services,
        100,
      ),
    );
  };
  const byScore = [{ _score: 'desc' }, { n: 'asc' }];
  for (const name of ['a', 'b']) {
    assert.deepEqual(await found([name], ['n']), [`${name}0`, `${name}1`, `${name}2`]);
    assert.deepEqual(await found(['a', 'b'], byScore), ['a0', 'b0', 'a1'], `after ${name}`);
  }
});

test('a position by a boolean may be said as a number, as it is shown, or as the boolean', async () => {
  const properties = { b: { type: 'boolean' }, n: { type: 'integer' } };
  const view = makeView(
    { properties },
    Array.from({ length: 8 }, (_, n) => ({ id: `d${n}`, source: { b: n % 2 === 1, n } })),
  );
  const idsAfter = async (first: JsonValue): Promise<string[]> => {
    const request = { indices: ['w'], sort: ['b', 'n'], searchAfter: [first, 3] };
    return (await executeSearch([view], request, worldServices(), 100)).hits.map(({ id }) => id);
  };
  for (const first of [0, '0', false, 'false'])
    assert.deepEqual(await idsAfter(first), ['d4', 'd6', 'd1', 'd3', 'd5', 'd7']);
  for (const first of [1, '1', true, 'true']) assert.deepEqual(await idsAfter(first), ['d5', 'd7']);
  for (const other of ['yes', '1.0'])
    await assert.rejects(idsAfter(other), /Failed to parse search_after value/);
});
