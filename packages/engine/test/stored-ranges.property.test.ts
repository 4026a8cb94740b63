// Stored ranges beside plain objects: random ranges of every kind, several segments, deletions, and all relations.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Engine, open } from '@octavo/engine';
import fc from 'fast-check';
import { SimulatedDisk } from '../src/disk/simulated.ts';

const KINDS = [
  'integer_range',
  'long_range',
  'float_range',
  'double_range',
  'date_range',
  'ip_range',
] as const;
type Kind = (typeof KINDS)[number];

/** The n-th value of a kind; the order of values is that of n. */
function valueAt(kind: Kind, n: number): number | string {
  if (kind === 'ip_range') return `10.0.${n >> 8}.${n & 255}`;
  if (kind === 'date_range') return new Date(1_600_000_000_000 + n * 86_400_000).toISOString();
  return kind === 'integer_range' || kind === 'long_range' ? n : n / 4;
}

interface Bounds {
  readonly gte?: number;
  readonly gt?: number;
  readonly lte?: number;
  readonly lt?: number;
}

const END = fc.integer({ min: 0, max: 40 });
const bounds: fc.Arbitrary<Bounds> = fc
  .tuple(END, END, fc.boolean(), fc.boolean(), fc.integer({ min: 0, max: 9 }))
  .map(([a, b, isOpenLow, isOpenHigh, missing]) => {
    const [low, high] = [Math.min(a, b), Math.max(a, b) + 1];
    return {
      ...(missing === 0 ? {} : isOpenLow ? { gt: low - 1 } : { gte: low }),
      ...(missing === 1 ? {} : isOpenHigh ? { lt: high + 1 } : { lte: high }),
    };
  });

const closed = ({ gte, gt, lte, lt }: Bounds): [number, number] => [
  gte ?? (gt === undefined ? Number.NEGATIVE_INFINITY : gt + 1),
  lte ?? (lt === undefined ? Number.POSITIVE_INFINITY : lt - 1),
];

const RELATIONS = {
  intersects: ([a, b]: number[], [c, d]: number[]) => a! <= d! && b! >= c!,
  contains: ([a, b]: number[], [c, d]: number[]) => a! <= c! && b! >= d!,
  within: ([a, b]: number[], [c, d]: number[]) => a! >= c! && b! <= d!,
} as const;

const shown = (kind: Kind, given: Bounds): Record<string, number | string> =>
  Object.fromEntries(Object.entries(given).map(([name, n]) => [name, valueAt(kind, n as number)]));

const options = { disk: new SimulatedDisk(), tailDocs: 8, ballastBytes: 0 };
let engine: Engine = await open('', options);
after(() => engine.close());

let runs = 0;

async function ids(index: string, query: unknown): Promise<number[]> {
  const { hits } = await engine.search({ indices: [index], size: 100, query: query as never });
  return hits.map(({ id }) => Number(id)).sort((a, b) => a - b);
}

for (const kind of KINDS)
  test(`${kind}: every relation finds what plain numbers find`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(bounds, { maxLength: 3 }), { minLength: 1, maxLength: 25 }),
        fc.array(bounds, { minLength: 1, maxLength: 4 }),
        END,
        async (documents, questions, one) => {
          const index = `${kind}-${runs++}`;
          await engine.indices.create(index, { mappings: { properties: { r: { type: kind } } } });
          for (const [id, ranges] of documents.entries()) {
            const r = ranges.map((each) => shown(kind, inclusive(each)));
            const source = new TextEncoder().encode(JSON.stringify({ r }));
            const [{ error } = {}] = await engine.write([{ kind: 'index', index, id: String(id), source }]);
            assert.equal(error, undefined);
          }
          const dead = documents.length > 3 ? 2 : -1;
          if (dead >= 0) await engine.write([{ kind: 'delete', index, id: String(dead) }]);
          const expected = (test: (range: number[]) => boolean): number[] =>
            documents.flatMap((ranges, id) =>
              id !== dead && ranges.some((each) => test(closed(each))) ? [id] : [],
            );
          for (const question of questions)
            for (const [relation, holds] of Object.entries(RELATIONS)) {
              const range = { r: { ...shown(kind, inclusive(question)), relation } };
              assert.deepEqual(
                await ids(index, { range }),
                expected((stored) => holds(stored, closed(question))),
                JSON.stringify({ range }),
              );
            }
          assert.deepEqual(
            await ids(index, { term: { r: valueAt(kind, one) } }),
            expected((stored) => RELATIONS.intersects(stored, [one, one])),
          );
          assert.deepEqual(
            await ids(index, { exists: { field: 'r' } }),
            expected(() => true),
          );
          await engine.indices.delete([index]);
        },
      ),
      { numRuns: 12 },
    );
  });

/** Exclusive bounds mean the next value, which is another number for doubles and dates: asked as inclusive ones. */
function inclusive(given: Bounds): Bounds {
  const [low, high] = closed(given);
  return { ...(Number.isFinite(low) && { gte: low }), ...(Number.isFinite(high) && { lte: high }) };
}

test('exclusive ends, blocks of addresses, a restart, and what is no range', async () => {
  await engine.indices.create('i', {
    mappings: {
      properties: {
        n: { type: 'integer_range' },
        a: { type: 'ip_range' },
        d: { type: 'date_range', format: 'yyyy-MM-dd' },
      },
    },
  });
  const put = async (id: string, body: object): Promise<string | undefined> => {
    const source = new TextEncoder().encode(JSON.stringify(body));
    return (await engine.write([{ kind: 'index', index: 'i', id, source }]))[0]!.error?.causedBy?.message;
  };
  assert.equal(
    await put('1', { n: { gt: 1, lt: 5 }, a: '10.0.0.0/8', d: { gte: '2020-02-01', lt: '2020-03-01' } }),
    undefined,
  );
  assert.equal(await put('2', { n: null, a: [null, '::1'] }), undefined);
  assert.equal(await put('3', { n: [] }), undefined);
  await engine.close();
  engine = await open('', options);
  for (const [query, expected] of [
    [{ term: { n: 1 } }, []],
    [{ term: { n: 2 } }, [1]],
    [{ term: { n: 5 } }, []],
    [{ terms: { n: [7, 4] } }, [1]],
    [{ term: { a: '10.255.255.255' } }, [1]],
    [{ term: { a: '11.0.0.0' } }, []],
    [{ range: { a: { gte: '::', lte: '::5', relation: 'within' } } }, [2]],
    [{ term: { d: '2020-02-29' } }, [1]],
    [{ range: { d: { gte: '2020-03-01' } } }, []],
    [{ exists: { field: 'n' } }, [1]],
  ] as const)
    assert.deepEqual(await ids('i', query), expected, JSON.stringify(query));
  assert.match((await put('x', { n: { gte: 5, lte: 1 } })) ?? '', /min value is greater than max value/);
  assert.match((await put('x', { n: { from: 5 } })) ?? '', /with unknown parameter \[from\]/);
  assert.match((await put('x', { n: 5 })) ?? '', /expected an object/);
  assert.match((await put('x', { n: { gte: [1] } })) ?? '', /must be a single value/);
  assert.match((await put('x', { a: '10.0.0.0/99' })) ?? '', /Illegal prefix length/);
  assert.deepEqual(await ids('i', { match_all: {} }), [1, 2, 3]);
  await assert.rejects(engine.search({ indices: ['i'], sort: [{ field: 'n', order: 'asc' }] } as never), /n/);
});
