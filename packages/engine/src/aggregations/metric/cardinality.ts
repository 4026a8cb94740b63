// `cardinality`: how many different values there are. The count is exact: each bucket has a set of the numbers of
// its terms, or of the keys of its values.

import type { AggregationResult } from '../../api.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import { BucketTable } from '../collect/bucket-table.ts';
import { DocCounts } from '../collect/counts.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf, isNumeric } from '../values/fields.ts';
import { NumericSource } from '../values/numeric-source.ts';
import { OrdinalSource } from '../values/ordinal-source.ts';

/** Bits of a set of ordinals of the highest level are used for up to so many terms. */
const MAX_DENSE = 16_777_216;

class Cardinality implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #numbers: NumericSource | undefined;
  readonly #terms: OrdinalSource | undefined;
  readonly #seen: BucketTable;
  readonly #counts = new DocCounts();
  #dense: Uint8Array | undefined;

  constructor(spec: ValuesSpec, place: AggregationPlace) {
    this.#place = place;
    this.#seen = new BucketTable(place.context);
    const fields = spec.field === '_index' ? [] : fieldsOf(spec.field, place.context.views);
    const first = fields.find((field) => field !== undefined);
    if (first !== undefined && isNumeric(first))
      this.#numbers = new NumericSource(spec, place.context, 'cardinality');
    else this.#terms = new OrdinalSource(spec, place.context, 'cardinality');
  }

  *prepare(): Steps<void> {
    if (this.#terms === undefined) return;
    yield* this.#terms.prepare();
    if (this.#terms.count <= MAX_DENSE) this.#dense = new Uint8Array(this.#terms.count);
  }

  enter(leaf: AggregationLeaf): void {
    this.#numbers?.enter(leaf);
    this.#terms?.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    if (this.#numbers !== undefined) {
      const { buckets, hi, lo, count } = this.#numbers.keyRows(batch);
      for (let i = 0; i < count; i++) this.#add(buckets[i]!, hi[i]!, lo[i]!);
      return;
    }
    const { buckets, ordinals, count } = this.#terms!.rows(batch);
    const dense = this.#dense;
    for (let i = 0; i < count; i++) {
      const ordinal = ordinals[i]!;
      if (buckets[i] !== 0 || dense === undefined) this.#add(buckets[i]!, 0, ordinal);
      else if (dense[ordinal] === 0) {
        dense[ordinal] = 1;
        this.#counts.add(0);
      }
    }
  }

  #add(bucket: number, hi: number, lo: number): void {
    const before = this.#seen.count;
    this.#seen.add(bucket, hi, lo);
    if (this.#seen.count > before) this.#counts.add(bucket);
  }

  result(bucket: number): AggregationResult {
    const value = this.#counts.of(bucket);
    const numbers = new Map([['value', value]]);
    const members = { value: BigInt(value) };
    return { shape: 'metric', typeName: 'cardinality', meta: this.#place.meta, members, numbers };
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    return path.length > 0 || (key !== '' && key !== 'value') ? undefined : this.#counts.of(bucket);
  }
}

export const CARDINALITY: AggregationKind<ValuesSpec> = {
  role: 'metric',
  name: 'cardinality',
  parse: (body) => {
    const members = new Members('cardinality', body);
    const threshold = members.integer('precision_threshold') ?? 0;
    if (threshold < 0)
      throw members.refused(
        'precision_threshold',
        `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}]`,
      );
    members.text('execution_hint');
    const spec = readValuesSpec(members);
    members.any('rehash');
    members.end();
    return spec;
  },
  create: (spec, place) => new Cardinality(spec, place),
};
