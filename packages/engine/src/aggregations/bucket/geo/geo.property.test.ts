// Aggregations over points have the answers of the peer, and of a naive twin over random points.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aggregate, plainResults } from '../../../../test/aggregation-world.ts';
import { makeView } from '../../../../test/query-world.ts';
import type { JsonObject } from '../../../json/value.ts';

const PROPERTIES = {
  g: { type: 'geo_point' },
  n: { type: 'long' },
  bare: { type: 'geo_point', doc_values: false },
};

async function run(docs: readonly object[], aggregation: JsonObject): Promise<unknown> {
  const view = makeView(
    { properties: PROPERTIES },
    docs.map((source, i) => ({ id: String(i), source })),
    [-5, 2, -3],
  );
  return plainResults(await aggregate([{ view, docs: [] }], { s: aggregation }))['s'];
}

const DOCS: readonly JsonObject[] = [
  { g: '52.374081,4.912350', n: 1 },
  { g: '52.369219,4.901618', n: 2 },
  { g: '51.222900,4.405200', n: 3 },
  { g: ['48.861111,2.336389', '48.860000,2.327000'], n: 4 },
  { g: { lat: -33.9, lon: 151.2 }, n: 5 },
  { n: 6 },
  { g: [179.9, 10.1], n: 7 },
  { g: [-179.5, 11.1], n: 8 },
];

/** Answers of OpenSearch 3.1 over these documents. */
const ANSWERS: readonly (readonly [JsonObject, unknown])[] = [
  [
    { geo_bounds: { field: 'g' } },
    {
      bounds: {
        top_left: { lat: 52.374080987647176, lon: 2.3269999679178 },
        bottom_right: { lat: -33.900000024586916, lon: -179.50000002980232 },
      },
    },
  ],
  [
    { geo_bounds: { field: 'g', wrap_longitude: false } },
    {
      bounds: {
        top_left: { lat: 52.374080987647176, lon: -179.50000002980232 },
        bottom_right: { lat: -33.900000024586916, lon: 179.89999995566905 },
      },
    },
  ],
  [{ geo_bounds: { field: 'zz' } }, {}],
  [
    { geo_centroid: { field: 'g' } },
    { location: { lat: 30.123413857072592, lon: 21.310319592012092 }, count: 8 },
  ],
  [{ geo_centroid: { field: 'zz' } }, { count: 0 }],
  [
    { geohash_grid: { field: 'g', precision: 3 }, aggs: { m: { avg: { field: 'n' } } } },
    {
      buckets: [
        { key: 'u17', doc_count: 2, m: { value: 1.5 } },
        { key: 'xcz', doc_count: 1, m: { value: 7.0 } },
        { key: 'u15', doc_count: 1, m: { value: 3.0 } },
        { key: 'u09', doc_count: 1, m: { value: 4.0 } },
        { key: 'r3g', doc_count: 1, m: { value: 5.0 } },
        { key: '81b', doc_count: 1, m: { value: 8.0 } },
      ],
    },
  ],
  [
    { geohash_grid: { field: 'g', precision: 12 } },
    {
      buckets: [
        { key: '81br5ksn4vgp', doc_count: 1 },
        { key: 'xczcmwxhvb6w', doc_count: 1 },
        { key: 'u173zy3j4h3d', doc_count: 1 },
        { key: 'u173zt90zczr', doc_count: 1 },
        { key: 'u155khzg08eh', doc_count: 1 },
        { key: 'u09tvnvk9g3b', doc_count: 1 },
        { key: 'u09tuywqph0u', doc_count: 1 },
        { key: 'r3gx0ssqpmgx', doc_count: 1 },
      ],
    },
  ],
  [
    { geohash_grid: { field: 'g', precision: '1km', size: 2 } },
    {
      buckets: [
        { key: 'xczcmwx', doc_count: 1 },
        { key: 'u173zy3', doc_count: 1 },
      ],
    },
  ],
  [
    { geohash_grid: { field: 'g' } },
    {
      buckets: [
        { key: 'u173z', doc_count: 2 },
        { key: 'xczcm', doc_count: 1 },
        { key: 'u155k', doc_count: 1 },
        { key: 'u09tv', doc_count: 1 },
        { key: 'u09tu', doc_count: 1 },
        { key: 'r3gx0', doc_count: 1 },
        { key: '81br5', doc_count: 1 },
      ],
    },
  ],
  [{ geohash_grid: { field: 'zz' } }, { buckets: [] }],
  [
    { geotile_grid: { field: 'g', precision: 8 } },
    {
      buckets: [
        { key: '8/131/84', doc_count: 2 },
        { key: '8/255/120', doc_count: 1 },
        { key: '8/235/153', doc_count: 1 },
        { key: '8/131/85', doc_count: 1 },
        { key: '8/129/88', doc_count: 1 },
        { key: '8/0/120', doc_count: 1 },
      ],
    },
  ],
  [
    { geotile_grid: { field: 'g', precision: 29 } },
    {
      buckets: [
        { key: '29/536721781/253294625', doc_count: 1 },
        { key: '29/493921239/322228122', doc_count: 1 },
        { key: '29/275761283/176426620', doc_count: 1 },
        { key: '29/275745278/176438496', doc_count: 1 },
        { key: '29/275004966/179202828', doc_count: 1 },
        { key: '29/271919731/184688617', doc_count: 1 },
        { key: '29/271905729/184691135', doc_count: 1 },
        { key: '29/745654/251777406', doc_count: 1 },
      ],
    },
  ],
  [{ geotile_grid: { field: 'g', precision: 0 } }, { buckets: [{ key: '0/0/0', doc_count: 7 }] }],
  [
    {
      geotile_grid: {
        field: 'g',
        precision: 4,
        bounds: { top_left: { lat: 60, lon: 0 }, bottom_right: { lat: 40, lon: 10 } },
      },
    },
    { buckets: [{ key: '4/8/5', doc_count: 4 }] },
  ],
  [
    { geohash_grid: { field: 'g', precision: 2, bounds: { top_left: '60,170', bottom_right: '0,-170' } } },
    {
      buckets: [
        { key: 'xc', doc_count: 1 },
        { key: '81', doc_count: 1 },
      ],
    },
  ],
  [
    {
      geo_distance: {
        field: 'g',
        origin: '52.3760, 4.894',
        ranges: [{ to: 100000 }, { from: 100000, to: 300000, key: 'mid' }, { from: 300000 }],
      },
      aggs: { m: { avg: { field: 'n' } } },
    },
    {
      buckets: [
        { key: '*-100000.0', from: 0.0, to: 100000.0, doc_count: 2, m: { value: 1.5 } },
        { key: 'mid', from: 100000.0, to: 300000.0, doc_count: 1, m: { value: 3.0 } },
        { key: '300000.0-*', from: 300000.0, doc_count: 4, m: { value: 6.0 } },
      ],
    },
  ],
  [
    {
      geo_distance: {
        field: 'g',
        origin: { lat: 52.376, lon: 4.894 },
        unit: 'km',
        keyed: true,
        distance_type: 'plane',
        ranges: [{ to: 100 }, { from: 100, to: 300 }],
      },
    },
    {
      buckets: {
        '*-100.0': { from: 0.0, to: 100.0, doc_count: 2 },
        '100.0-300.0': { from: 100.0, to: 300.0, doc_count: 1 },
      },
    },
  ],
  [
    { geo_distance: { field: 'zz', origin: 'u173zy3', ranges: [{ to: 1 }] } },
    { buckets: [{ key: '*-1.0', from: 0.0, to: 1.0, doc_count: 0 }] },
  ],
  [
    {
      geo_distance: {
        field: 'g',
        origin: [4.894, 52.376],
        unit: 'mi',
        ranges: [
          { from: 0, to: 0.5 },
          { from: 0.5, to: 0.8 },
        ],
      },
    },
    {
      buckets: [
        { key: '*-0.5', from: 0.0, to: 0.5, doc_count: 0 },
        { key: '0.5-0.8', from: 0.5, to: 0.8, doc_count: 2 },
      ],
    },
  ],
];

for (const [aggregation, expected] of ANSWERS)
  test(JSON.stringify(aggregation), async () => {
    assert.deepEqual(rounded(await run(DOCS, aggregation)), rounded(expected));
  });

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}

interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** Points that columns keep exactly. */
const point: fc.Arbitrary<Point> = fc.record({
  lat: fc.integer({ min: -512, max: 511 }).map((n) => (n * 45) / 256),
  lon: fc.integer({ min: -512, max: 511 }).map((n) => (n * 45) / 128),
});
const documents = fc.array(fc.record({ g: fc.array(point, { maxLength: 3 }) }), { maxLength: 30 });

const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

test('metrics of random points', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (docs) => {
      const points = docs.flatMap(({ g }) => g);
      const [lats, lons] = [points.map(({ lat }) => lat), points.map(({ lon }) => lon)];
      const bounds = {
        top_left: { lat: Math.max(...lats), lon: Math.min(...lons) },
        bottom_right: { lat: Math.min(...lats), lon: Math.max(...lons) },
      };
      const own = (await run(docs, { geo_bounds: { field: 'g', wrap_longitude: false } })) as object;
      assert.deepEqual(own, points.length === 0 ? {} : { bounds });
      const centroid = (await run(docs, { geo_centroid: { field: 'g' } })) as {
        count: number;
        location?: Point;
      };
      assert.equal(centroid.count, points.length);
      if (points.length === 0) return;
      assert.ok(Math.abs(centroid.location!.lat - average(lats)) < 1e-9);
      assert.ok(Math.abs(centroid.location!.lon - average(lons)) < 1e-9);
    }),
    { numRuns: 60 },
  );
});

interface Cell {
  readonly key: string;
  readonly doc_count: number;
}

/** The key of a point, by halving the globe. */
function geohashOf({ lat, lon }: Point, characters: number): string {
  const sides = { lon: [-180, 180], lat: [-90, 90] };
  let hash = '';
  for (let i = 0; i < characters; i++) {
    let bits = 0;
    for (let bit = 0; bit < 5; bit++) {
      const isLon = (i * 5 + bit) % 2 === 0;
      const side = isLon ? sides.lon : sides.lat;
      const middle = (side[0]! + side[1]!) / 2;
      const isUpper = (isLon ? lon : lat) >= middle;
      side[isUpper ? 0 : 1] = middle;
      bits = bits * 2 + (isUpper ? 1 : 0);
    }
    hash += '0123456789bcdefghjkmnpqrstuvwxyz'[bits]!;
  }
  return hash;
}

test('cells and rings of random points', async () => {
  await fc.assert(
    fc.asyncProperty(documents, fc.integer({ min: 1, max: 11 }), async (docs, precision) => {
      const counts = new Map<string, number>();
      for (const { g } of docs)
        for (const key of new Set(g.map((each) => geohashOf(each, precision))))
          counts.set(key, (counts.get(key) ?? 0) + 1);
      const cells = Array.from(counts, ([key, count]): Cell => ({ key, doc_count: count }));
      cells.sort((a, b) => b.doc_count - a.doc_count || (a.key < b.key ? 1 : -1));
      assert.deepEqual(await run(docs, { geohash_grid: { field: 'g', precision } }), { buckets: cells });
      // A quarter of the globe: the hemisphere around a point.
      const quarter = (Math.PI / 2) * 6_371_008.7714;
      const isNear = ({ lat, lon }: Point): boolean =>
        Math.cos((lat * Math.PI) / 180) * Math.cos((lon * Math.PI) / 180) > 1e-9;
      const isFar = ({ lat, lon }: Point): boolean =>
        Math.cos((lat * Math.PI) / 180) * Math.cos((lon * Math.PI) / 180) < -1e-9;
      const ranges = [{ to: quarter - 0.1 }, { from: quarter + 0.1 }];
      const { buckets } = (await run(docs, { geo_distance: { field: 'g', origin: '0,0', ranges } })) as {
        buckets: Cell[];
      };
      const expected = [isNear, isFar].map((side) => docs.filter(({ g }) => g.some(side)).length);
      assert.deepEqual(
        buckets.map((bucket) => bucket.doc_count),
        expected,
      );
    }),
    { numRuns: 60 },
  );
});

test('what is no grid or ring is refused', async () => {
  const refused = (aggregation: JsonObject, reason: RegExp): Promise<void> =>
    assert.rejects(run(DOCS, aggregation), reason);
  await refused(
    { geo_bounds: { field: 'n' } },
    /Field \[n\] of type \[long\] is not supported for aggregation \[geo_bounds\]/,
  );
  await refused({ geohash_grid: { field: 'g', precision: 13 } }, /failed to parse field \[precision\]/);
  await refused({ geotile_grid: { field: 'g', precision: 30 } }, /failed to parse field \[precision\]/);
  await refused({ geo_distance: { field: 'g', ranges: [{ to: 1 }] } }, /must define an \[origin\]/);
  await refused({ geo_distance: { field: 'g', origin: '1,1', ranges: [] } }, /No \[ranges\] specified/);
  await refused(
    { geo_distance: { field: 'g', origin: '1,1', unit: 'x', ranges: [{ to: 1 }] } },
    /failed to parse field \[unit\]/,
  );
  await refused({ geo_centroid: { field: 'bare' } }, /bare/);
});
