// `geo_centroid`: the mean of the latitudes and of the longitudes of all points.

import type { AggregationResult } from '../../../api.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../../kind.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec } from '../../request/values-spec.ts';
import { GeoSource } from '../../values/geo-source.ts';
import { CompensatedSums } from '../compensated-sums.ts';
import { extended } from '../numeric-metric.ts';

class GeoCentroid implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #source: GeoSource;
  readonly #lats = new CompensatedSums();
  readonly #lons = new CompensatedSums();
  #counts: Float64Array = new Float64Array(0);

  constructor(field: string, place: AggregationPlace) {
    this.#place = place;
    this.#source = new GeoSource(field, place.context, place.type);
  }

  enter(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const { buckets, lats, lons, count } = this.#source.rows(batch);
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i]!;
      if (bucket >= this.#counts.length) this.#resize(Math.max(16, (bucket + 1) * 2));
      this.#counts[bucket]!++;
      this.#lats.add(bucket, lats[i]!);
      this.#lons.add(bucket, lons[i]!);
    }
  }

  #resize(buckets: number): void {
    this.#counts = extended(this.#counts, buckets, 0);
    this.#lats.resize(buckets);
    this.#lons.resize(buckets);
  }

  result(bucket: number): AggregationResult {
    const count = this.#counts[bucket] ?? 0;
    const lat = count === 0 ? null : this.#lats.sums[bucket]! / count;
    const lon = count === 0 ? null : this.#lons.sums[bucket]! / count;
    const location = count === 0 ? undefined : { lat, lon };
    return {
      shape: 'metric',
      typeName: 'geo_centroid',
      meta: this.#place.meta,
      members: { location, count: BigInt(count) },
      numbers: new Map([
        ['lat', lat],
        ['lon', lon],
        ['count', count],
      ]),
    };
  }
}

export const GEO_CENTROID: AggregationKind<string> = {
  role: 'metric',
  name: 'geo_centroid',
  parse: (body) => {
    const members = new Members('geo_centroid', body);
    const { field } = readValuesSpec(members, { format: false, missing: false });
    members.end();
    return field;
  },
  create: (field, place) => new GeoCentroid(field, place),
};
