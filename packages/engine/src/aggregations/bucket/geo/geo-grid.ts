// `geohash_grid` and `geotile_grid`: the cells of a grid that have points, those with the most documents first.

import type { AggregationBucket, AggregationResult } from '../../../api.ts';
import { illegalArgument } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { geoPoints } from '../../../mapping/document/geo-point.ts';
import type { GeoPoint } from '../../../mapping/geo/geo-points.ts';
import { compareKeys } from '../../../mapping/types/sortable-key.ts';
import { parsingError } from '../../../query/errors.ts';
import type { Steps } from '../../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import { BucketTable } from '../../collect/bucket-table.ts';
import { firstBuckets } from '../../collect/order-buckets.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec } from '../../request/values-spec.ts';
import { GeoSource } from '../../values/geo-source.ts';
import { type Cells, geohashCells, tileCells } from './cells.ts';

/** A box, which lies across the date line where its left side is east of its right one. */
interface GeoBox {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

interface GridOptions {
  readonly field: string;
  readonly precision: number;
  readonly size: number;
  readonly box: GeoBox | undefined;
}

type GridName = 'geohash_grid' | 'geotile_grid';

class GeoGrid implements Aggregator {
  readonly #options: GridOptions;
  readonly #place: AggregationPlace;
  readonly #source: GeoSource;
  readonly #cells: Cells;
  readonly #table: BucketTable;

  constructor(cells: Cells, options: GridOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    this.#source = new GeoSource(options.field, place.context, place.type);
    this.#cells = cells;
    this.#table = new BucketTable(place.context);
  }

  get needsScores(): boolean {
    return this.#place.subs.needsScores;
  }

  *prepare(): Steps<void> {
    yield* this.#place.subs.prepare();
  }

  *enter(leaf: AggregationLeaf): Steps<void> {
    this.#source.enter(leaf);
    yield* this.#place.subs.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { docs, buckets, lats, lons, count } = this.#source.rows(batch);
    const cells = this.#cells;
    const table = this.#table;
    const { subs } = this.#place;
    const { box } = this.#options;
    // The cells of the document so far: a document counts once in each.
    let seen: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i === 0 || docs[i] !== docs[i - 1] || buckets[i] !== buckets[i - 1]) seen = [];
      if (box !== undefined && !isWithin(box, lats[i]!, lons[i]!)) continue;
      cells.locate(lats[i]!, lons[i]!);
      const number = table.add(buckets[i]!, cells.hi, cells.lo);
      if (seen.includes(number)) continue;
      seen.push(number);
      table.docCounts[number]!++;
      subs.add(docs[i]!, number);
    }
    subs.flush();
  }

  *result(bucket: number): Steps<AggregationResult> {
    const { subs, meta, context, type } = this.#place;
    const { docCounts, hi, lo } = this.#table;
    const members = this.#table.membersOf(bucket);
    const best = yield* firstBuckets(members, this.#options.size, (a, b) => {
      return docCounts[b]! - docCounts[a]! || compareKeys(hi[b]!, lo[b]!, hi[a]!, lo[a]!);
    });
    yield;
    context.countBuckets(best.length);
    const buckets: AggregationBucket[] = [];
    for (const number of best) {
      const key = this.#cells.text(hi[number]!, lo[number]!);
      const aggregations = yield* subs.results(number);
      buckets.push({ name: key, key, members: { key }, docCount: docCounts[number]!, aggregations });
      if (buckets.length % 256 === 0) yield;
    }
    return { shape: 'buckets', typeName: type, meta, head: {}, buckets, keyed: false };
  }
}

function isWithin({ top, left, bottom, right }: GeoBox, lat: number, lon: number): boolean {
  if (lat > top || lat < bottom) return false;
  return left <= right ? lon >= left && lon <= right : lon >= left || lon <= right;
}

/** Reads `bounds`: two corners of a box, or its four sides. */
function readBounds(body: JsonObject): GeoBox {
  const members = new Members('bounds', body);
  const corner = (name: string): GeoPoint | undefined =>
    members.read(name, (value) => geoPoints(value, name, false)[0]);
  const [topLeft, topRight] = [corner('top_left'), corner('top_right')];
  const [bottomLeft, bottomRight] = [corner('bottom_left'), corner('bottom_right')];
  const top = members.number('top') ?? (topLeft ?? topRight)?.lat;
  const bottom = members.number('bottom') ?? (bottomLeft ?? bottomRight)?.lat;
  const left = members.number('left') ?? (topLeft ?? bottomLeft)?.lon;
  const right = members.number('right') ?? (topRight ?? bottomRight)?.lon;
  members.end();
  if (top === undefined || bottom === undefined || left === undefined || right === undefined)
    throw parsingError('failed to parse bounding box: two opposite corners or all four sides are needed');
  if (top < bottom) throw illegalArgument(`top is below bottom corner: ${top} vs. ${bottom}`);
  return { top, bottom, left, right };
}

const EQUATOR = 2 * Math.PI * 6_378_137;
const POLAR_DISTANCE = Math.PI * 6_356_752.314245;
const METERS: Readonly<Record<string, number>> = {
  ...{ m: 1, km: 1000, cm: 0.01, mm: 0.001, mi: 1609.344, yd: 0.9144, ft: 0.3048, in: 0.0254, nmi: 1852 },
};

/** Reads a number of characters, or the size of a cell as in `1km`. */
function geohashPrecision(text: string): number {
  const length = /^(\d+(?:\.\d+)?)(mm|cm|km|nmi|mi|m|yd|ft|in)$/.exec(text);
  const precision = length === null ? Number(text) : charactersFor(Number(length[1]) * METERS[length[2]!]!);
  if (Number.isInteger(precision) && precision >= 1 && precision <= 12) return precision;
  throw illegalArgument(`Invalid geohash aggregation precision of ${text}. Must be between 1 and 12.`);
}

/** The characters of geohashes whose cells are no wider than some metres. */
function charactersFor(meters: number): number {
  if (meters === 0) return 12;
  const width = meters / (1 + POLAR_DISTANCE / EQUATOR);
  const bits = Math.ceil(Math.log2(Math.ceil(EQUATOR / width)));
  const [full, left] = [Math.floor(bits / 5), bits % 5];
  return Math.min(12, 2 * full + (left > 0 ? 1 : 0) + (left > 3 ? 1 : 0));
}

function tilePrecision(text: string): number {
  const precision = Number(text);
  if (Number.isInteger(precision) && precision >= 0 && precision <= 29) return precision;
  throw illegalArgument(`Invalid geotile_grid precision of ${text}. Must be between 0 and 29.`);
}

const DEFAULT_SIZE = 10_000;

function gridKind(
  name: GridName,
  preset: number,
  precisionOf: (text: string) => number,
  cellsOf: (precision: number) => Cells,
): AggregationKind<GridOptions> {
  return {
    role: 'bucket',
    name,
    parse: (body, own) => {
      const members = new Members(name, body);
      const precision = members.read('precision', () => precisionOf(members.text('precision')!)) ?? preset;
      const size = members.integer('size') ?? DEFAULT_SIZE;
      if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${own}]`);
      const shardSize = members.integer('shard_size') ?? -1;
      if (members.has('shard_size') && shardSize <= 0)
        throw illegalArgument(`[shardSize] must be greater than 0. Found [${shardSize}] in [${own}]`);
      const bounds = members.object('bounds');
      const { field } = readValuesSpec(members, { format: false, missing: false });
      members.end();
      return { field, precision, size, box: bounds === undefined ? undefined : readBounds(bounds) };
    },
    create: (options, place) => new GeoGrid(cellsOf(options.precision), options, place),
  };
}

export const GEOHASH_GRID: AggregationKind<GridOptions> = gridKind(
  'geohash_grid',
  5,
  geohashPrecision,
  geohashCells,
);
export const GEOTILE_GRID: AggregationKind<GridOptions> = gridKind(
  'geotile_grid',
  7,
  tilePrecision,
  tileCells,
);
