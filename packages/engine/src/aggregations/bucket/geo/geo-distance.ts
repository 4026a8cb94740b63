// `geo_distance`: rings around a place.

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { geoPoints } from '../../../mapping/document/geo-point.ts';
import { arcDistance, metersOf, planeDistance } from '../../../mapping/geo/geo-distance.ts';
import type { GeoPoint } from '../../../mapping/geo/geo-points.ts';
import { readFloat } from '../../../mapping/types/floats.ts';
import type { AggregationBatch, AggregationLeaf } from '../../collect/aggregator.ts';
import type { AggregationKind } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec } from '../../request/values-spec.ts';
import { GeoSource } from '../../values/geo-source.ts';
import type { NumericRows } from '../../values/numeric-source.ts';
import { javaNumber, RAW_FORMAT } from '../../values/value-format.ts';
import { type NumberRange, NumberRanges, readRanges } from '../ranges/range.ts';

type DistanceType = 'arc' | 'plane';

interface GeoDistanceOptions {
  readonly field: string;
  readonly origin: GeoPoint;
  /** Metres. */
  readonly unit: number;
  readonly distance: DistanceType;
  readonly ranges: readonly NumberRange[];
  readonly keyed: boolean;
}

/** The distances of a field's points from a place. */
class DistanceSource {
  readonly #points: GeoSource;
  readonly #origin: GeoPoint;
  readonly #unit: number;
  readonly #distance: typeof arcDistance;
  #values: Float64Array = new Float64Array(0);

  constructor(points: GeoSource, { origin, unit, distance }: GeoDistanceOptions) {
    this.#points = points;
    this.#origin = origin;
    this.#unit = unit;
    this.#distance = distance === 'arc' ? arcDistance : planeDistance;
  }

  enter(leaf: AggregationLeaf): void {
    this.#points.enter(leaf);
  }

  rows(batch: AggregationBatch): NumericRows {
    const { docs, buckets, lats, lons, count } = this.#points.rows(batch);
    if (this.#values.length < count) this.#values = new Float64Array(docs.length);
    const values = this.#values;
    for (let i = 0; i < count; i++) values[i] = this.#distance(this.#origin, lats[i]!, lons[i]!) / this.#unit;
    return { docs, buckets, values, count };
  }
}

function readRange(members: Members): NumberRange {
  const key = members.optionalText('key');
  const bound = (name: string): number | undefined => {
    const value: JsonValue | undefined = members.any(name);
    return value === undefined || value === null ? undefined : readFloat(value);
  };
  const from = bound('from') ?? 0;
  const to = bound('to') ?? Number.POSITIVE_INFINITY;
  members.end();
  const text = (value: number, none: number): string => (value === none ? '*' : javaNumber(value));
  return { key: key ?? `${text(from, 0)}-${text(to, Number.POSITIVE_INFINITY)}`, from, to };
}

export const GEO_DISTANCE: AggregationKind<GeoDistanceOptions> = {
  role: 'bucket',
  name: 'geo_distance',
  parse: (body, name) => {
    const members = new Members('geo_distance', body);
    const origin = members.read('origin', (value) => geoPoints(value, 'origin', false)[0]);
    if (origin === undefined) throw illegalArgument(`Aggregation [${name}] must define an [origin].`);
    const unit = members.read('unit', () => metersOf(members.text('unit')!));
    const distance = members.choice('distance_type', ['arc', 'plane']) ?? 'arc';
    const keyed = members.flag('keyed') ?? false;
    const ranges = readRanges(members, readRange);
    const { field } = readValuesSpec(members, { format: false, missing: false });
    members.end();
    return { field, origin, unit: unit ?? 1, distance, ranges, keyed };
  },
  create: (options, place) => {
    const points = new GeoSource(options.field, place.context, place.type);
    const source = new DistanceSource(points, options);
    const { ranges, keyed } = options;
    return new NumberRanges({ typeName: 'geo_distance', ranges, keyed, source, format: RAW_FORMAT }, place);
  },
};
