// `geo_distance`: rings around a place.

import { illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { geoPoints } from '../../../mapping/document/geo-point.ts';
import { arcDistance, metersOf, planeDistance } from '../../../mapping/geo/geo-distance.ts';
import type { GeoPoint } from '../../../mapping/geo/geo-points.ts';
import { readFloat } from '../../../mapping/types/floats.ts';
import { doubleKey } from '../../../mapping/types/sortable-key.ts';
import type { Key64 } from '../../../mapping/types/type.ts';
import type { AggregationBatch, AggregationLeaf } from '../../collect/aggregator.ts';
import type { OrdinalRows } from '../../collect/ordinal-rows.ts';
import type { AggregationKind } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec } from '../../request/values-spec.ts';
import { GeoSource } from '../../values/geo-source.ts';
import { javaNumber, RAW_FORMAT } from '../../values/value-format.ts';
import {
  endsOf,
  type LinePartSource,
  linePart,
  type NumberRange,
  NumberRanges,
  readRanges,
} from '../ranges/range.ts';

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

/** The parts of the line of distances that a field's points lie in, as ordinals. */
class DistanceSource implements LinePartSource {
  readonly isSingle = false;
  readonly #points: GeoSource;
  readonly #origin: GeoPoint;
  readonly #unit: number;
  readonly #distance: typeof arcDistance;
  readonly #ends: Float64Array;
  #ordinals: Uint32Array = new Uint32Array(0);

  constructor(points: GeoSource, { origin, unit, distance, ranges }: GeoDistanceOptions) {
    this.#points = points;
    this.#origin = origin;
    this.#unit = unit;
    this.#distance = distance === 'arc' ? arcDistance : planeDistance;
    this.#ends = endsOf(ranges);
  }

  enter(leaf: AggregationLeaf): void {
    this.#points.enter(leaf);
  }

  keyOf(ordinal: number): Key64 {
    return doubleKey(ordinal);
  }

  rows(batch: AggregationBatch): OrdinalRows {
    const { docs, buckets, lats, lons, count } = this.#points.rows(batch);
    if (this.#ordinals.length < count) this.#ordinals = new Uint32Array(docs.length);
    const ordinals = this.#ordinals;
    for (let i = 0; i < count; i++) {
      const distance = this.#distance(this.#origin, lats[i]!, lons[i]!) / this.#unit;
      ordinals[i] = linePart(this.#ends, distance);
    }
    return { docs, buckets, ordinals, count };
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
    const { hasValues } = points;
    return new NumberRanges(
      { typeName: 'geo_distance', ranges, keyed, source, hasValues, format: RAW_FORMAT },
      place,
    );
  },
};
