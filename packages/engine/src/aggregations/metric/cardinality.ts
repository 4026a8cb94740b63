// `cardinality`: how many different values there are. The count is exact: each bucket has a set of the numbers of
// its terms, or of the keys of its values.

import type { AggregationResult } from '../../api.ts';
import type { Steps } from '../../query/steps.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator, LeafMatches } from '../collect/aggregator.ts';
import { BucketNumbers } from '../collect/bucket-numbers.ts';
import { BucketTable } from '../collect/bucket-table.ts';
import { DocCounts } from '../collect/counts.ts';
import type { OrdinalRowSource } from '../collect/ordinal-rows.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf, isNumeric } from '../values/fields.ts';
import { NumericSource } from '../values/numeric-source.ts';
import { OrdinalSource } from '../values/ordinal-source.ts';
import { RoundedSource } from '../values/rounded-source.ts';

const MAX_FLAGS = 16_777_216;

class Cardinality implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #source: OrdinalRowSource;
  /** Pairs of a bucket and a value. */
  readonly #seen: BucketTable;
  /** The terms of bucket 0, where there are few enough. */
  #flags: Uint8Array | undefined;
  readonly #numbers = new BucketNumbers();
  readonly #counts = new DocCounts();

  constructor(spec: ValuesSpec, place: AggregationPlace) {
    const { context } = place;
    this.#place = place;
    this.#seen = new BucketTable(context);
    const fields = spec.field === '_index' ? [] : fieldsOf(spec.field, context.views);
    const first = fields.find((field) => field !== undefined);
    this.#source =
      first !== undefined && isNumeric(first)
        ? new RoundedSource(new NumericSource(spec, context, 'cardinality', 'keyword'), {
            identity: 'as it is',
          })
        : new OrdinalSource(spec, context, 'cardinality');
  }

  *prepare(): Steps<void> {
    if (this.#source.prepare !== undefined) yield* this.#source.prepare();
    const { isGlobal, width } = this.#source;
    if (isGlobal && width <= MAX_FLAGS) this.#flags = new Uint8Array(width);
  }

  enter(leaf: AggregationLeaf): void {
    this.#source.enter(leaf);
    if (!this.#source.isGlobal) this.#numbers.clear();
  }

  collect(batch: AggregationBatch): void {
    this.#numbers.of(this.#source.rows(batch), this.#source.width, this.#add);
  }

  *collectLeaf(leaf: AggregationLeaf, matches: LeafMatches): Steps<boolean> {
    const found = yield* this.#source.countLeaf(leaf, matches);
    if (found === undefined) return false;
    const { counts, ordinals } = found;
    for (let i = 0; i < counts.length; i++)
      if (counts[i]! > 0) this.#add(0, ordinals === undefined ? i : ordinals[i]!);
    return true;
  }

  readonly #add = (bucket: number, ordinal: number): number => {
    if (bucket === 0 && this.#flags !== undefined) {
      if (this.#flags[ordinal] === 0) this.#counts.add(0);
      this.#flags[ordinal] = 1;
      return 0;
    }
    const { hi, lo } = this.#source.keyOf(ordinal);
    const before = this.#seen.count;
    const number = this.#seen.add(bucket, hi, lo);
    if (this.#seen.count > before) this.#counts.add(bucket);
    return number;
  };

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
