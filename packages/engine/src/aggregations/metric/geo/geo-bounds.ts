// `geo_bounds`: the smallest box around all points, which may lie across the date line.

import type { AggregationMembers, AggregationResult } from '../../../api.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec } from '../../request/values-spec.ts';
import { GeoSource } from '../../values/geo-source.ts';

interface BoundsOptions {
  readonly field: string;
  /** Whether the box may lie across the date line. */
  readonly wraps: boolean;
}

/** The bounds of some points: longitudes to the east and to the west of 0 apart. */
class Box {
  top = Number.NEGATIVE_INFINITY;
  bottom = Number.POSITIVE_INFINITY;
  eastMin = Number.POSITIVE_INFINITY;
  eastMax = Number.NEGATIVE_INFINITY;
  westMin = Number.POSITIVE_INFINITY;
  westMax = Number.NEGATIVE_INFINITY;

  add(lat: number, lon: number): void {
    if (lat > this.top) this.top = lat;
    if (lat < this.bottom) this.bottom = lat;
    if (lon >= 0) {
      if (lon < this.eastMin) this.eastMin = lon;
      if (lon > this.eastMax) this.eastMax = lon;
    } else {
      if (lon < this.westMin) this.westMin = lon;
      if (lon > this.westMax) this.westMax = lon;
    }
  }

  members(wraps: boolean): AggregationMembers {
    const { top, bottom, eastMin, eastMax, westMin, westMax } = this;
    const direct = Math.max(eastMax, westMax) - Math.min(eastMin, westMin);
    const across = 180 - eastMin + (westMax + 180);
    const isAcross = wraps && Number.isFinite(eastMin) && Number.isFinite(westMin) && across < direct;
    return {
      bounds: {
        top_left: { lat: top, lon: isAcross ? eastMin : Math.min(eastMin, westMin) },
        bottom_right: { lat: bottom, lon: isAcross ? westMax : Math.max(eastMax, westMax) },
      },
    };
  }
}

class GeoBounds implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #wraps: boolean;
  readonly #source: GeoSource;
  readonly #boxes: (Box | undefined)[] = [];

  constructor({ field, wraps }: BoundsOptions, place: AggregationPlace) {
    this.#place = place;
    this.#wraps = wraps;
    this.#source = new GeoSource(field, place.context, place.type);
  }

  enter(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { buckets, lats, lons, count } = this.#source.rows(batch);
    for (let i = 0; i < count; i++) (this.#boxes[buckets[i]!] ??= new Box()).add(lats[i]!, lons[i]!);
  }

  result(bucket: number): AggregationResult {
    const members = this.#boxes[bucket]?.members(this.#wraps) ?? {};
    return {
      shape: 'metric',
      typeName: 'geo_bounds',
      meta: this.#place.meta,
      members,
      numbers: new Map(),
    };
  }
}

export const GEO_BOUNDS: AggregationKind<BoundsOptions> = {
  role: 'metric',
  name: 'geo_bounds',
  parse: (body) => {
    const members = new Members('geo_bounds', body);
    const wraps = members.flag('wrap_longitude') ?? true;
    const { field } = readValuesSpec(members, { format: false, missing: false });
    members.end();
    return { field, wraps };
  },
  create: (options, place) => new GeoBounds(options, place),
};
