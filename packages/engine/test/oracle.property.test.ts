// The whole engine answers as plain arrays do. Random mappings, documents (arrays, missing values, heavy
// ties), queries and
// sorts run over tiny tails, which cause many segments, merges and deletions.
// OCTAVO_ORACLE_SEED replays a run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, open, type WriteOp } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const RUNS = Number(process.env['OCTAVO_ORACLE_RUNS'] ?? 60);
const SEED = process.env['OCTAVO_ORACLE_SEED'];

type Scalar = number | string | boolean;

/**
 * Values of each type as documents write them, in ascending order: their place is their sort key. Not the
 * least and the greatest of a type: a missing value ties with those, as in the peers. Dates to the
 * millisecond: shorter ones mean spans.
 */
const VALUES: Record<string, readonly Scalar[]> = {
  long: [-9007199254740991, -1, 0, 1, 2],
  integer: [-2147483647, -1, 0, 7],
  double: [-1.5, 0, 0.25, 1e300],
  float: [-0.5, 0, 1.5],
  boolean: [false, true],
  keyword: ['', 'Z', 'a', 'ab', 'ä', '東'],
  date: [
    '1969-12-31T00:00:00.000Z',
    '1970-01-01T00:00:00.001Z',
    '2024-02-29T00:00:00.000Z',
    '2024-03-01T00:00:00.000+02:00',
  ],
  ip: ['1.2.3.4', '10.0.0.1', '192.168.0.1', '2001:db8::1'],
};
const FIELDS = ['a', 'b', 'c.d'];

type Types = Record<string, string>;
type Doc = Record<string, readonly number[]>;
interface Query {
  readonly json: JsonObject;
  readonly matches: (doc: Doc) => boolean;
}
interface Sort {
  readonly field: string;
  readonly descending: boolean;
  readonly first: boolean;
}

const typesArb = fc.record(
  Object.fromEntries(FIELDS.map((field) => [field, fc.constantFrom(...Object.keys(VALUES))])),
);
const places = (type: string): fc.Arbitrary<number> => fc.nat({ max: VALUES[type]!.length - 1 });
const docArb = (types: Types): fc.Arbitrary<Doc> =>
  fc.record(
    Object.fromEntries(
      FIELDS.map((field) => [field, fc.array(places(types[field]!), { maxLength: 3, size: 'xsmall' })]),
    ),
  );

function queryArb(types: Types, depth: number): fc.Arbitrary<Query> {
  const leaf = fc.constantFrom(...FIELDS).chain((field): fc.Arbitrary<Query> => {
    const values = VALUES[types[field]!]!;
    const place = places(types[field]!);
    return fc.oneof(
      place.map((at) => ({
        json: { term: { [field]: { value: values[at]! } } },
        matches: (doc: Doc) => doc[field]!.includes(at),
      })),
      fc.constant({ json: { exists: { field } }, matches: (doc: Doc) => doc[field]!.length > 0 }),
      fc.tuple(place, place, fc.boolean()).map(([x, y, open]) => ({
        json: {
          range: {
            [field]: { gte: values[Math.min(x, y)]!, [open ? 'lt' : 'lte']: values[Math.max(x, y)]! },
          },
        },
        matches: (doc: Doc) =>
          doc[field]!.some(
            (at) => at >= Math.min(x, y) && (open ? at < Math.max(x, y) : at <= Math.max(x, y)),
          ),
      })),
    );
  });
  if (depth === 0) return leaf;
  const below = fc.array(queryArb(types, depth - 1), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    leaf,
    below.map((all) => ({
      json: { bool: { filter: all.map((q) => q.json) } },
      matches: (doc: Doc) => all.every((q) => q.matches(doc)),
    })),
    below.map((any) => ({
      json: { bool: { should: any.map((q) => q.json) } },
      matches: (doc: Doc) => any.some((q) => q.matches(doc)),
    })),
    below.map((none) => ({
      json: { bool: { must_not: none.map((q) => q.json) } },
      matches: (doc: Doc) => !none.some((q) => q.matches(doc)),
    })),
  );
}

const sortArb = fc.uniqueArray(
  fc.record({ field: fc.constantFrom(...FIELDS), descending: fc.boolean(), first: fc.boolean() }),
  { selector: (sort) => sort.field, minLength: 1, maxLength: 3 },
);

function source(types: Types, doc: Doc): Uint8Array {
  const json: Record<string, unknown> = {};
  for (const field of FIELDS) {
    const values = doc[field]!.map((at) => VALUES[types[field]!]![at]!);
    const value = values.length === 1 ? values[0] : values;
    if (values.length === 0) continue;
    if (field === 'c.d') json['c'] = { d: value };
    else json[field] = value;
  }
  return Buffer.from(JSON.stringify(json));
}

function listed(docs: ReadonlyMap<string, Doc>, query: Query, sorts: readonly Sort[]): string[] {
  // A field of several values sorts by its least value going up, by its greatest going down.
  const key = (doc: Doc, { field, descending }: Sort): number | undefined => {
    if (doc[field]!.length === 0) return undefined;
    return descending ? Math.max(...doc[field]!) : Math.min(...doc[field]!);
  };
  const rows = [...docs].filter(([, doc]) => query.matches(doc));
  rows.sort(([idA, a], [idB, b]) => {
    for (const sort of sorts) {
      const [x, y] = [key(a, sort), key(b, sort)];
      if (x === y) continue;
      if (x === undefined || y === undefined) return (x === undefined) === sort.first ? -1 : 1;
      return x < y !== sort.descending ? -1 : 1;
    }
    return Buffer.compare(Buffer.from(idA), Buffer.from(idB));
  });
  return rows.map(([id]) => id);
}

const caseArb = typesArb.chain((types) =>
  fc.record({
    types: fc.constant(types),
    batches: fc.array(
      fc.record({
        puts: fc.array(fc.tuple(fc.nat({ max: 30 }), docArb(types)), { maxLength: 10 }),
        removes: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
        after: fc.constantFrom('nothing', 'nothing', 'flush', 'merge'),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    query: queryArb(types, 2),
    sorts: sortArb,
    size: fc.integer({ min: 1, max: 6 }),
  }),
);

test('pages, totals and walks are those of plain arrays, whatever the mapping', async () => {
  await fc.assert(
    fc.asyncProperty(caseArb, async ({ types, batches, query, sorts, size }) => {
      const engine = await open('', {
        disk: new SimulatedDisk(),
        tailDocs: 9,
        logChunkBytes: 1024,
        ballastBytes: 0,
      });
      try {
        const properties = {
          a: { type: types['a']! },
          b: { type: types['b']! },
          c: { properties: { d: { type: types['c.d']! } } },
        };
        await engine.indices.create('o', { mappings: { properties } });
        const docs = new Map<string, Doc>();
        const sort = sorts.map(({ field, descending, first }) => ({
          [field]: { order: descending ? 'desc' : 'asc', missing: first ? '_first' : '_last' },
        }));
        for (const { puts, removes, after } of batches) {
          const ops: WriteOp[] = [];
          for (const [n, doc] of puts) {
            ops.push({ kind: 'index', index: 'o', id: `${n}`, source: source(types, doc) });
            docs.set(`${n}`, doc);
          }
          for (const n of removes) {
            ops.push({ kind: 'delete', index: 'o', id: `${n}` });
            docs.delete(`${n}`);
          }
          for (const result of await engine.write(ops)) assert.equal(result.error, undefined);
          if (after === 'flush') await engine.indices.flush(['o']);
          if (after === 'merge') await engine.indices.forceMerge(['o'], 1);
          const expected = listed(docs, query, sorts);
          const from = expected.length >> 1;
          const page = await engine.search({ indices: ['o'], query: query.json, sort, from, size });
          assert.deepEqual(
            page.hits.map((hit) => hit.id),
            expected.slice(from, from + size),
          );
          assert.equal(page.total?.value, expected.length);
          const next = page.hits.at(-1);
          if (next === undefined) continue;
          const position = { searchAfter: [...next.sort!], searchAfterId: next.id };
          const on = await engine.search({ indices: ['o'], query: query.json, sort, size, ...position });
          assert.deepEqual(
            on.hits.map((hit) => hit.id),
            expected.slice(from + size, from + 2 * size),
          );
          const back = await engine.search({
            indices: ['o'],
            query: query.json,
            sort,
            size,
            backwards: true,
            ...position,
          });
          const end = from + page.hits.length - 1;
          assert.deepEqual(
            back.hits.map((hit) => hit.id),
            expected.slice(Math.max(0, end - size), end),
          );
        }
      } finally {
        await engine.close();
      }
    }),
    { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) },
  );
});
