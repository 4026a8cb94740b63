// The stored ranges of one field in every view, as rows of document, bucket, and smallest and greatest value. The
// ranges of a document ascend by their smallest values.

import { illegalArgument } from '../../errors.ts';
import { hasBit } from '../../kernels/bits.ts';
import type { FieldType } from '../../mapping/types/type.ts';
import type { OrdinalColumn } from '../../segment/leaf.ts';
import type { AggregationBatch, AggregationLeaf } from '../collect/aggregator.ts';
import { grown } from '../collect/bucket-table.ts';
import type { AggregationContext } from '../collect/context.ts';
import type { ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf } from './fields.ts';
import { type ValueFormat, valueFormat } from './value-format.ts';

/** Rows of document, bucket, and the ends of a range, both included. */
export interface RangeRows {
  docs: Uint32Array;
  buckets: Uint32Array;
  values: Float64Array;
  ends: Float64Array;
  count: number;
}

const FIRST_SIZE = 4_096;

/** The ranges of one field. */
export class RangeSource {
  readonly format: ValueFormat;
  readonly #fields: readonly (FieldType | undefined)[];
  #field: FieldType | undefined;
  #column: OrdinalColumn | undefined;
  readonly #rows: RangeRows = {
    docs: new Uint32Array(FIRST_SIZE),
    buckets: new Uint32Array(FIRST_SIZE),
    values: new Float64Array(FIRST_SIZE),
    ends: new Float64Array(FIRST_SIZE),
    count: 0,
  };

  /** Whether the field is a range in any view, so that a histogram is one of ranges. */
  static has(spec: ValuesSpec, { views }: AggregationContext): boolean {
    return views.some(({ mapping }) => mapping.field(spec.field)?.range !== undefined);
  }

  constructor(spec: ValuesSpec, context: AggregationContext, expected: 'numeric' | 'date') {
    this.#fields = fieldsOf(spec.field, context.views);
    for (const field of this.#fields) {
      if (field === undefined) continue;
      if (expected === 'date' && field.kind !== 'date_range')
        throw illegalArgument(`Expected date range type but found range type [${field.kind}]`);
      if (field.range?.ends === undefined)
        throw illegalArgument(`Expected numeric range type but found non-numeric range [${field.kind}]`);
    }
    if (spec.missing !== undefined)
      throw illegalArgument(`[missing] is not supported for the ranges of field [${spec.field}]`);
    const first = this.#fields.find((field) => field !== undefined)!;
    const kind = first.kind === 'date_range' ? 'date' : first.kind;
    this.format = valueFormat(kind, first, spec.format, spec.timeZone);
  }

  enter({ leaf, indexPlace }: AggregationLeaf): void {
    this.#field = this.#fields[indexPlace];
    const column = this.#field === undefined ? undefined : leaf.column(this.#field.path);
    this.#column = column?.kind === 'ordinal' ? column : undefined;
  }

  /** The ranges of a batch. The rows are valid until the next call. */
  rows({ docs, buckets, count }: AggregationBatch): RangeRows {
    const rows = this.#rows;
    const column = this.#column;
    rows.count = 0;
    if (column === undefined) return rows;
    const { starts, ordinals, present, terms } = column;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (!hasBit(present, doc)) continue;
      const end = starts === undefined ? doc + 1 : starts[doc + 1]!;
      for (let at = starts === undefined ? doc : starts[doc]!; at < end; at++) {
        const [from, to] = this.#field!.range!.ends!(terms.term(ordinals[at]!));
        this.#add(doc, buckets[i]!, from, to);
      }
    }
    return rows;
  }

  #add(doc: number, bucket: number, from: number, to: number): void {
    const rows = this.#rows;
    const at = rows.count++;
    if (at === rows.docs.length) {
      rows.docs = grown(rows.docs, at * 2);
      rows.buckets = grown(rows.buckets, at * 2);
      rows.values = grown(rows.values, at * 2);
      rows.ends = grown(rows.ends, at * 2);
    }
    rows.docs[at] = doc;
    rows.buckets[at] = bucket;
    rows.values[at] = from;
    rows.ends[at] = to;
  }
}
