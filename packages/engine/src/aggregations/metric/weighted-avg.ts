// `weighted_avg`: the mean of values, each with the weight that its document has.

import type { AggregationResult } from '../../api.ts';
import { EngineError, illegalArgument } from '../../errors.ts';
import type { AggregationBatch, AggregationLeaf, Aggregator } from '../collect/aggregator.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { fieldsOf, isNumeric } from '../values/fields.ts';
import { NumericSource } from '../values/numeric-source.ts';
import { valueFormat } from '../values/value-format.ts';
import { CompensatedSums } from './compensated-sums.ts';
import { singleMetric } from './numeric-metric.ts';

interface WeightedOptions {
  readonly value: ValuesSpec | undefined;
  readonly weight: ValuesSpec | undefined;
  readonly format: string | undefined;
}

class WeightedAverage implements Aggregator {
  readonly #place: AggregationPlace;
  readonly #options: WeightedOptions;
  readonly #values: NumericSource;
  readonly #weights: NumericSource;
  readonly #sums = new CompensatedSums();
  readonly #totals = new CompensatedSums();
  #size = 0;
  /** The weight of each document of a batch, by its low 16 bits. */
  readonly #weightOf = new Float64Array(65_536).fill(Number.NaN);

  constructor(options: WeightedOptions, place: AggregationPlace) {
    this.#options = options;
    this.#place = place;
    this.#values = sourceOf('value', options.value, place);
    this.#weights = sourceOf('weight', options.weight, place);
  }

  enter(leaf: AggregationLeaf): void {
    this.#values.enter(leaf);
    this.#weights.enter(leaf);
  }

  collect(batch: AggregationBatch): void {
    const weightOf = this.#weightOf;
    const weights = this.#weights.rows(batch);
    for (let i = 0; i < weights.count; i++) {
      const doc = weights.docs[i]!;
      const isSecond = i > 0 && doc === weights.docs[i - 1] && weights.buckets[i] === weights.buckets[i - 1];
      if (isSecond && this.#weights.countOf(doc) > 1) throw severalWeights();
      weightOf[doc & 0xffff] = weights.values[i]!;
    }
    const { docs, buckets, values, count } = this.#values.rows(batch);
    for (let i = 0; i < count; i++) {
      const weight = weightOf[docs[i]! & 0xffff]!;
      if (Number.isNaN(weight)) continue;
      const bucket = buckets[i]!;
      if (bucket >= this.#size) this.#resize(bucket);
      this.#sums.add(bucket, values[i]! * weight);
      this.#totals.add(bucket, weight);
    }
    for (let i = 0; i < batch.count; i++) weightOf[batch.docs[i]! & 0xffff] = Number.NaN;
  }

  #resize(bucket: number): void {
    this.#size = Math.max(16, (bucket + 1) * 2);
    this.#sums.resize(this.#size);
    this.#totals.resize(this.#size);
  }

  result(bucket: number): AggregationResult {
    const value = this.number(bucket, [], '')!;
    const format = valueFormat(undefined, undefined, this.#options.format, undefined);
    return singleMetric('weighted_avg', this.#place.meta, Number.isNaN(value) ? null : value, format);
  }

  number(bucket: number, path: readonly string[], key: string): number | undefined {
    if (path.length > 0 || (key !== '' && key !== 'value')) return undefined;
    if (bucket < 0 || bucket >= this.#size || this.#totals.sums[bucket] === 0) return Number.NaN;
    return this.#sums.sums[bucket]! / this.#totals.sums[bucket]!;
  }
}

function sourceOf(name: string, spec: ValuesSpec | undefined, { context }: AggregationPlace): NumericSource {
  if (spec === undefined) throw illegalArgument(`Could not find field name [${name}] in multiValuesSource`);
  for (const field of fieldsOf(spec.field, context.views))
    if (field !== undefined && !isNumeric(field))
      throw illegalArgument(`Expected numeric type on field [${spec.field}], but got [${field.kind}]`);
  return new NumericSource(spec, context, 'weighted_avg');
}

function severalWeights(): EngineError {
  return new EngineError(
    'aggregation_execution_exception',
    'Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.',
  );
}

function readSource(members: Members, name: string): ValuesSpec | undefined {
  const body = members.object(name);
  if (body === undefined) return undefined;
  const own = new Members('field_config', body);
  const spec = readValuesSpec(own, { format: false });
  own.end();
  return spec;
}

export const WEIGHTED_AVG: AggregationKind<WeightedOptions> = {
  role: 'metric',
  name: 'weighted_avg',
  parse: (body) => {
    const members = new Members('weighted_avg', body);
    const options = {
      value: readSource(members, 'value'),
      weight: readSource(members, 'weight'),
      format: members.text('format'),
    };
    members.text('value_type');
    members.end();
    return options;
  },
  create: (options, place) => new WeightedAverage(options, place),
};
