// A walk sees its whole snapshot, each document once, despite concurrent changes. Random documents with heavy ties and missing
// values are walked page by page under a lease while writes, deletes, seals and merges run. Live walks by position (sort values
// and id) miss no document that was present throughout, and repeat none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Engine,
  type Hit,
  type JsonValue,
  open,
  type SearchRequest,
  type WriteOp,
} from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const RUNS = Number(process.env['OCTAVO_WALK_RUNS'] ?? 40);

interface Doc {
  readonly n: number | undefined;
  readonly k: string | undefined;
  readonly text: string;
}
type Docs = Map<string, Doc>;

const docArb = fc.record({
  n: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
  k: fc.option(fc.constantFrom('a', 'b', 'ä', 'z'), { nil: undefined }),
  text: fc.constantFrom('red fox', 'red red hen', 'blue hen', 'fox'),
});
const idArb = fc.integer({ min: 0, max: 40 }).map((n) => `id${n}`);
const stepArb = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.array(fc.tuple(idArb, docArb), { maxLength: 12 }) }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.array(idArb, { maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.constant('flush' as const) },
  { weight: 1, arbitrary: fc.constant('merge' as const) },
);
type Step = { put: [string, Doc][] } | { remove: string[] } | 'flush' | 'merge';

const queryArb = fc.constantFrom<SearchRequest['query']>(
  { match_all: {} },
  { range: { n: { gte: 0 } } },
  { term: { k: 'b' } },
  { match: { text: 'red' } },
  { bool: { must_not: { exists: { field: 'k' } } } },
);
const matches = (query: SearchRequest['query'], { n, k, text }: Doc): boolean => {
  const key = Object.keys(query!)[0];
  if (key === 'range') return n !== undefined && n >= 0;
  if (key === 'term') return k === 'b';
  if (key === 'match') return text.includes('red');
  return key === 'match_all' || k === undefined;
};

interface Sort {
  readonly field: 'n' | 'k';
  readonly order: 'asc' | 'desc';
  readonly missing: '_first' | '_last';
}
const sortArb = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom('n' as const, 'k' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    missing: fc.constantFrom('_first' as const, '_last' as const),
  }),
  { selector: (sort) => sort.field, maxLength: 2 },
);
const bytes = (text: string): Buffer => Buffer.from(text);

function listed(docs: Docs, query: SearchRequest['query'], sorts: readonly Sort[]): string[] {
  const rows = [...docs].filter(([, doc]) => matches(query, doc));
  rows.sort(([idA, a], [idB, b]) => {
    for (const { field, order, missing } of sorts) {
      const [x, y] = [a[field], b[field]];
      if (x === y) continue;
      if (x === undefined || y === undefined) return (x === undefined) === (missing === '_first') ? -1 : 1;
      const less = typeof x === 'string' ? Buffer.compare(bytes(x), bytes(y as string)) < 0 : x < Number(y);
      return less === (order === 'asc') ? -1 : 1;
    }
    return Buffer.compare(bytes(idA), bytes(idB));
  });
  return rows.map(([id]) => id);
}

async function apply(engine: Engine, docs: Docs, step: Step): Promise<void> {
  if (step === 'flush') return engine.indices.flush(['walk']);
  if (step === 'merge') return engine.indices.forceMerge(['walk'], 1);
  const ops: WriteOp[] = [];
  if ('put' in step) {
    for (const [id, doc] of step.put) {
      ops.push({ kind: 'index', index: 'walk', id, source: bytes(JSON.stringify(doc)) });
      docs.set(id, doc);
    }
  } else {
    for (const id of step.remove) {
      ops.push({ kind: 'delete', index: 'walk', id });
      docs.delete(id);
    }
  }
  for (const result of await engine.write(ops)) assert.equal(result.error, undefined);
}

const openEmpty = async (): Promise<Engine> => {
  const engine = await open('', {
    disk: new SimulatedDisk(),
    tailDocs: 16,
    logChunkBytes: 2048,
    ballastBytes: 0,
  });
  await engine.indices.create('walk', {
    mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' }, text: { type: 'text' } } },
  });
  return engine;
};

const toSort = (sorts: readonly Sort[]): JsonValue =>
  sorts.map(({ field, order, missing }) => ({ [field]: { order, missing } }));
const position = (hit: Hit): Pick<SearchRequest, 'searchAfter' | 'searchAfterId'> => ({
  searchAfter: [...(hit.sort ?? [])],
  searchAfterId: hit.id,
});

test('a walk under a lease sees its snapshot, whole and once, by position and by rank', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArb, { minLength: 1, maxLength: 10 }),
      fc.array(stepArb, { maxLength: 10 }),
      queryArb,
      sortArb.filter((sorts) => sorts.length > 0),
      fc.integer({ min: 1, max: 7 }),
      async (before, during, query, sorts, size) => {
        const engine = await openEmpty();
        try {
          const docs: Docs = new Map();
          for (const step of before) await apply(engine, docs, step);
          const expected = listed(docs, query, sorts);
          const then = new Map([...docs].map(([id, doc]) => [id, JSON.parse(JSON.stringify(doc))]));
          const lease = engine.openLease({ kind: 'test', keepAliveMs: 60_000 });
          const base: SearchRequest = {
            indices: ['walk'],
            query: query!,
            sort: toSort(sorts),
            size,
            snapshot: lease.snapshot,
          };
          const steps = [...during];
          const seen: string[] = [];
          let last: Hit | undefined;
          for (let page = 0; ; page++) {
            const byPosition = await engine.search({ ...base, ...(last && position(last)) });
            const byRank = await engine.search({ ...base, from: page * size });
            const ids = byPosition.hits.map((hit) => hit.id);
            assert.deepEqual(
              byRank.hits.map((hit) => hit.id),
              ids,
            );
            assert.equal(byPosition.total?.value, expected.length);
            assert.equal(byPosition.more, (page + 1) * size < expected.length);
            for (const hit of byPosition.hits)
              assert.deepEqual(JSON.parse(Buffer.from(hit.source).toString()), then.get(hit.id));
            seen.push(...ids);
            if (!byPosition.more) break;
            last = byPosition.hits.at(-1)!;
            const step = steps.shift();
            if (step !== undefined) await apply(engine, docs, step);
          }
          assert.deepEqual(seen, expected);
          engine.closeLease(lease.id);
          // Back to now: what is newest is what a search sees.
          for (const step of steps) await apply(engine, docs, step);
          const now = await engine.search({
            indices: ['walk'],
            query: query!,
            sort: toSort(sorts),
            size: 100,
          });
          assert.deepEqual(
            now.hits.map((hit) => hit.id),
            listed(docs, query, sorts),
          );
        } finally {
          await engine.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
});

test('a live walk by position, forwards and backwards, repeats nothing and misses nothing that stays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArb, { minLength: 1, maxLength: 8 }),
      fc.array(stepArb, { maxLength: 12 }),
      sortArb.filter((sorts) => sorts.length > 0),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      async (before, during, sorts, size, backwards) => {
        const engine = await openEmpty();
        try {
          const docs: Docs = new Map();
          for (const step of before) await apply(engine, docs, step);
          const untouched = new Map(docs);
          const query = { match_all: {} };
          const seen: string[] = [];
          let last: Hit | undefined;
          if (backwards) {
            // Begin behind the end: the last hit of all is the first to be seen.
            const all = await engine.search({ indices: ['walk'], query, sort: toSort(sorts), size: 100 });
            last = all.hits.at(-1);
            if (last !== undefined) seen.push(last.id);
          }
          const steps = [...during];
          for (;;) {
            const page = await engine.search({
              indices: ['walk'],
              query,
              sort: toSort(sorts),
              size,
              backwards,
              ...(last && position(last)),
            });
            const ids = page.hits.map((hit) => hit.id);
            seen.push(...(backwards ? ids.reverse() : ids));
            if (page.hits.length === 0) break;
            last = backwards ? page.hits[0] : page.hits.at(-1);
            const step = steps.shift();
            if (step === undefined) continue;
            const touched =
              step === 'flush' || step === 'merge'
                ? []
                : 'put' in step
                  ? step.put.map(([id]) => id)
                  : step.remove;
            for (const id of touched) untouched.delete(id);
            await apply(engine, docs, step);
          }
          const stayed = listed(untouched, query, sorts);
          const seenStayed = seen.filter((id) => untouched.has(id));
          assert.deepEqual(seenStayed, backwards ? stayed.reverse() : stayed);
        } finally {
          await engine.close();
        }
      },
    ),
    { numRuns: RUNS },
  );
});
