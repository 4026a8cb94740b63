// `value_count`: how many values documents have, of a field of any type with doc values.

import type { AggregationResult } from '../../api.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { Column } from '../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf } from '../values/fields.ts';
import { requireMissing } from '../values/numeric-source.ts';
import { extended } from './numeric-metric.ts';

/** Metadata fields of which every document has one value. */
const ALWAYS: ReadonlySet<string> = new Set(['_id', '_index', '_seq_no', '_version', '_doc_count']);

class ValueCount implements Aggregator {
  readonly #spec: ValuesSpec;
  readonly #place: AggregationPlace;
  readonly #fields: readonly (FieldType | undefined)[];
  #counts: Float64Array = new Float64Array(0);
  #column: Column | undefined;
  #present: Uint32Array | undefined;

  constructor(spec: ValuesSpec, place: AggregationPlace) {
    this.#spec = spec;
    this.#place = place;
    this.#fields = fieldsOf(spec.field, place.context.views);
    if (spec.missing !== undefined) requireMissing(spec, this.#fields, 'keyword', place.context);
  }

  enter({ leaf, indexPlace }: AggregationLeaf): void {
    const field = this.#fields[indexPlace];
    this.#column = field === undefined ? undefined : leaf.column(field.path);
    // Older segments have no column of points: each document with one counts as one.
    this.#present = field === undefined || this.#column !== undefined ? undefined : leaf.present(field.path);
  }

  collect({ docs, buckets, count }: AggregationBatch): void {
    const column = this.#column;
    const without = this.#spec.missing !== undefined || ALWAYS.has(this.#spec.field) ? 1 : 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const bucket = buckets[i]!;
      let values = without;
      if (column !== undefined && ((column.present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0)
        values = column.starts === undefined ? 1 : column.starts[doc + 1]! - column.starts[doc]!;
      const present = this.#present;
      if (present !== undefined && ((present[doc >>> 5]! >>> (doc & 31)) & 1) !== 0) values = 1;
      if (values === 0) continue;
      if (bucket >= this.#counts.length)
        this.#counts = extended(this.#counts, Math.max(16, (bucket + 1) * 2), 0);
      this.#counts[bucket]! += values;
    }
  }

  result(bucket: number): AggregationResult {
    const value = this.number(bucket, [], '')!;
    const { meta } = this.#place;
    const numbers = new Map([['value', value]]);
    return { shape: 'metric', typeName: 'value_count', meta, members: { value: BigInt(value) }, numbers };
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0 || (key !== '' && key !== 'value')) return undefined;
    return this.#counts[bucket] ?? 0;
  }
}

export const VALUE_COUNT: AggregationKind<ValuesSpec> = {
  role: 'metric',
  name: 'value_count',
  parse: (body) => {
    const members = new Members('value_count', body);
    const spec = readValuesSpec(members);
    members.end();
    return spec;
  },
  create: (spec, place) => new ValueCount(spec, place),
};
