// Scripts in searches beside a naive twin over the plain documents: filters anywhere in a query, scores, sorts and values of hits,
// over random documents in tails and segments, with overwrites and deletes. Each script fails on documents that it must not see:
// deleted ones, and those that another clause rules out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, type JsonObject, open, type SearchRequest } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

interface Doc {
  readonly tag: string;
  readonly n: readonly number[];
  /** Scripts fail where it is missing. */
  readonly open: boolean;
}

const MAPPINGS: JsonObject = {
  properties: { tag: { type: 'keyword' }, n: { type: 'long' }, open: { type: 'boolean' } },
};

const doc: fc.Arbitrary<Doc> = fc.record({
  tag: fc.constantFrom('x', 'y', 'z'),
  n: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  open: fc.boolean(),
});
const steps = fc.array(fc.record({ id: fc.integer({ min: 0, max: 19 }).map(String), doc: fc.option(doc) }), {
  minLength: 1,
  maxLength: 40,
});

/** A query with what it means. */
interface Tested {
  readonly json: JsonObject;
  readonly matches: (doc: Doc) => boolean;
}

const sum = (doc: Doc): number => doc.n.reduce((a, b) => a + b, 0);
/** Fails for documents that are not open. */
const GUARD = "if (!doc['open'].value) { throw new IllegalArgumentException('not to be seen') } ";
const SUM = 'long s = 0; for (def v : doc.n) { s += v } ';

const scripted: fc.Arbitrary<Tested> = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((least) => ({
    json: { script: { script: { source: `${GUARD}${SUM}return s >= params.least`, params: { least } } } },
    matches: (each: Doc) => sum(each) >= least,
  })),
  fc.integer({ min: 0, max: 12 }).map((least) => ({
    json: {
      terms_set: {
        tag: {
          terms: ['x', 'y'],
          minimum_should_match_script: {
            source: `${GUARD}${SUM}return s >= params.least ? params.num_terms - 1 : params.num_terms`,
            params: { least },
          },
        },
      },
    },
    matches: (each: Doc) => each.tag !== 'z' && sum(each) >= least,
  })),
  fc.constantFrom('x', 'y').map((tag) => ({
    json: {
      script: { script: { source: `${GUARD}return doc['tag'].value == params.tag`, params: { tag } } },
    },
    matches: (each: Doc) => each.tag === tag,
  })),
);

const plain: fc.Arbitrary<Tested> = fc.oneof(
  fc.constantFrom('x', 'y', 'z').map((tag) => ({
    json: { term: { tag } },
    matches: (each: Doc) => each.tag === tag,
  })),
  fc.integer({ min: 0, max: 9 }).map((n) => ({
    json: { range: { n: { gte: n } } },
    matches: (each: Doc) => each.n.some((value) => value >= n),
  })),
);

const { tree } = fc.letrec<{ tree: Tested }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    scripted,
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ({
      json: { bool: { must: [a.json], filter: [b.json] } },
      matches: (each: Doc) => a.matches(each) && b.matches(each),
    })),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ({
      json: { bool: { should: [a.json, b.json], minimum_should_match: 1 } },
      matches: (each: Doc) => a.matches(each) || b.matches(each),
    })),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ({
      json: { bool: { must: [a.json], must_not: [b.json] } },
      matches: (each: Doc) => a.matches(each) && !b.matches(each),
    })),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => ({
      json: { dis_max: { queries: [a.json, { constant_score: { filter: b.json } }] } },
      matches: (each: Doc) => a.matches(each) || b.matches(each),
    })),
    tie('tree').map((a) => ({
      json: {
        function_score: {
          query: a.json,
          script_score: { script: `${GUARD}${SUM}return s + 1` },
          boost_mode: 'replace',
          min_score: 4,
        },
      },
      matches: (each: Doc) => a.matches(each) && sum(each) >= 3,
    })),
  ),
}));

/** Engines with the same documents as the map, in a tail and segments. */
async function filled(
  written: readonly { id: string; doc: Doc | null }[],
): Promise<{ engine: Engine; docs: Map<string, Doc> }> {
  const engine = await open('', { disk: new SimulatedDisk(), tailDocs: 8 });
  await engine.indices.create('a', { mappings: MAPPINGS });
  const docs = new Map<string, Doc>();
  for (const { id, doc: each } of written) {
    const source = each === null ? {} : { source: Buffer.from(JSON.stringify(each)) };
    await engine.write([{ kind: each === null ? 'delete' : 'index', index: 'a', id, ...source }]);
    docs.delete(id);
    if (each !== null) docs.set(id, each);
  }
  return { engine, docs };
}

const allowed = { term: { open: true } };

async function idsOf(engine: Engine, request: Partial<SearchRequest>): Promise<string[]> {
  const { hits } = await engine.search({ indices: ['a'], size: 50, ...request });
  return hits.map((hit) => hit.id);
}

test('scripts see the documents that are left, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(steps, tree, async (written, { json, matches }) => {
      const { engine, docs } = await filled(written);
      const query = { bool: { must: [json], filter: [allowed] } };
      const expected = [...docs].filter(([, each]) => each.open && matches(each)).map(([id]) => id);
      const sorted = (ids: readonly string[]): string[] => [...ids].sort();
      assert.deepEqual(sorted(await idsOf(engine, { query })), sorted(expected), 'by score');
      assert.deepEqual(sorted(await idsOf(engine, { query, sort: ['tag'] })), sorted(expected), 'sorted');
      // As the filter of an alias or of a key is: beside the query.
      const filters = new Map([['a', allowed]]);
      assert.deepEqual(sorted(await idsOf(engine, { query: json, filters })), sorted(expected), 'filtered');
      const { total, aggregations } = await engine.search({
        indices: ['a'],
        size: 0,
        query: allowed,
        aggregations: { found: { filter: json } },
      });
      assert.equal(total?.value, [...docs.values()].filter((each) => each.open).length);
      const found = aggregations!.get('found');
      assert.equal(found?.shape === 'bucket' ? found.docCount : undefined, expected.length, 'aggregation');
      await engine.close();
    }),
    { numRuns: 40 },
  );
});

test('scores, sorts and values of hits are what their scripts compute', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (written) => {
      const { engine, docs } = await filled(written);
      const open = [...docs].filter(([, each]) => each.open);
      const source = `${GUARD}${SUM}return s`;
      const scored = await engine.search({
        indices: ['a'],
        size: 50,
        query: { script_score: { query: allowed, script: { source } } },
      });
      assert.deepEqual(
        scored.hits.map(({ id, score }) => [id, score]).sort(),
        open.map(([id, each]) => [id, sum(each)]).sort(),
      );
      for (const order of ['asc', 'desc']) {
        const { hits } = await engine.search({
          indices: ['a'],
          size: 50,
          query: allowed,
          sort: [{ _script: { type: 'number', script: { source }, order } }, '_id'],
          scriptFields: [
            { name: 's', script: { source: `${GUARD}return [doc['tag'].value]` }, ignoreFailure: false },
          ],
        });
        const sign = order === 'asc' ? 1 : -1;
        const expected = open.sort(
          ([one, a], [other, b]) => sign * (sum(a) - sum(b)) || (one < other ? -1 : 1),
        );
        assert.deepEqual(
          hits.map(({ id, sort, scriptFields }) => [id, sort?.[0], scriptFields?.get('s')]),
          expected.map(([id, each]) => [id, sum(each), `["${each.tag}"]`]),
        );
      }
      await engine.close();
    }),
    { numRuns: 20 },
  );
});

test('a long script gives way to others, and one that never ends is an error', async () => {
  const engine = await open('', { disk: new SimulatedDisk(), tailDocs: 8 });
  await engine.indices.create('a', { mappings: MAPPINGS });
  for (let i = 0; i < 80; i++) {
    const body = JSON.stringify({ tag: 'x', n: [i], open: true });
    await engine.write([{ kind: 'index', index: 'a', id: String(i), source: Buffer.from(body) }]);
  }
  const loop = 'int x = 0; for (int i = 0; i < 20000; i++) { x += i % 7 }';
  for (const query of [
    { script: { script: `${loop} return doc['n'].value >= 0` } },
    { script_score: { query: { match_all: {} }, script: { source: `${loop} return 1` } } },
    {
      bool: {
        should: [{ script_score: { query: { match_all: {} }, script: { source: `${loop} return 1` } } }],
      },
    },
  ]) {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { total } = await engine.search({ indices: ['a'], query });
    isDone = true;
    assert.equal(total?.value, 80);
    assert.ok(turns >= 20, `${turns} turns of the event loop`);
  }
  await assert.rejects(
    async () => engine.search({ indices: ['a'], query: { script: { script: 'while (true) { } ' } } }),
    /compile error|runtime error/,
  );
  await engine.close();
});

test('scripts that never end cost a few runs, not one for each document', async () => {
  const engine = await open('', { disk: new SimulatedDisk() });
  await engine.indices.create('a', { mappings: MAPPINGS });
  const source = Buffer.from(JSON.stringify({ tag: 'x', n: [1], open: true }));
  const ids = Array.from({ length: 400 }, (_, i) => String(i));
  await engine.write(ids.map((id) => ({ kind: 'index', index: 'a', id, source })));
  for (const endless of ['while (true) { }', 'def l = [1]; while (true) { l.addAll(l) }']) {
    const before = process.cpuUsage();
    const script = { source: `${endless} return 1` };
    const query = { script_score: { query: { match_all: {} }, script } };
    await assert.rejects(async () => engine.search({ indices: ['a'], query }), /runtime error/);
    const { user } = process.cpuUsage(before);
    // 400 runs take more than ten seconds.
    assert.ok(user < 4_000_000, `${endless}: ${user} µs`);
  }
  await engine.close();
});
