// The points of an aggregation: of one geo_point field in every view, as rows of document, bucket, latitude and
// longitude in degrees.

import { latOf, lonOf } from '../../mapping/geo/geo-points.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { NumericColumn } from '../../segment/leaf.ts';
import { type AggregationBatch, type AggregationLeaf, BATCH_DOCS } from '../collect/aggregator.ts';
import { grown } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';
import { fieldsOf, unsupportedField } from './fields.ts';

/** Rows of document, bucket and point. The points of a document follow each other, from south to north. */
interface GeoRows {
  docs: Uint32Array;
  buckets: Uint32Array;
  lats: Float64Array;
  lons: Float64Array;
  count: number;
}

/** The points of one field. */
export class GeoSource {
  readonly #fields: readonly (FieldType | undefined)[];
  #column: NumericColumn | undefined;
  readonly #rows: GeoRows = {
    docs: new Uint32Array(BATCH_DOCS),
    buckets: new Uint32Array(BATCH_DOCS),
    lats: new Float64Array(BATCH_DOCS),
    lons: new Float64Array(BATCH_DOCS),
    count: 0,
  };

  constructor(field: string, context: AggregationContext, aggregation: string) {
    this.#fields = fieldsOf(field, context.views);
    for (const each of this.#fields)
      if (each !== undefined && each.kind !== 'geo_point')
        throw unsupportedField(field, each.kind, aggregation);
  }

  /** Whether there can be any point. */
  get hasValues(): boolean {
    return this.#fields.some((field) => field !== undefined);
  }

  enter({ leaf, indexPlace }: AggregationLeaf): void {
    const path = this.#fields[indexPlace]?.path;
    const column = path === undefined ? undefined : leaf.column(path);
    this.#column = column?.kind === 'numeric' ? column : undefined;
  }

  /** The points of a batch. The rows are valid until the next call. */
  rows({ docs, buckets, count }: AggregationBatch): GeoRows {
    const rows = this.#rows;
    rows.count = 0;
    const column = this.#column;
    if (column === undefined) return rows;
    const { starts, hi, lo, present } = column;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((present[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      for (let at = starts === undefined ? doc : starts[doc]!; at < end; at++)
        this.#put(doc, buckets[i]!, latOf(hi[at]!), lonOf(lo[at]!));
    }
    return rows;
  }

  #put(doc: number, bucket: number, lat: number, lon: number): void {
    const rows = this.#rows;
    const n = rows.count++;
    if (n === rows.docs.length) {
      rows.docs = grown(rows.docs, n * 2);
      rows.buckets = grown(rows.buckets, n * 2);
      rows.lats = grown(rows.lats, n * 2);
      rows.lons = grown(rows.lons, n * 2);
    }
    rows.docs[n] = doc;
    rows.buckets[n] = bucket;
    rows.lats[n] = lat;
    rows.lons[n] = lon;
  }
}
