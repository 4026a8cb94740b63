// `sum` of all values.

import type { MetricResult } from '../../api.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { NumericSource } from '../values/numeric-source.ts';
import { CompensatedSums } from './compensated-sums.ts';
import { NumericMetric, singleMetric } from './numeric-metric.ts';

class Sum extends NumericMetric {
  readonly #place: AggregationPlace;
  readonly #sums = new CompensatedSums();

  constructor(spec: ValuesSpec, place: AggregationPlace) {
    super(new NumericSource(spec, place.context, 'sum'));
    this.#place = place;
  }

  protected resize(buckets: number): void {
    this.#sums.resize(buckets);
  }

  protected addRows(buckets: Uint32Array, values: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) this.#sums.add(buckets[i]!, values[i]!);
  }

  protected addValues(values: Float64Array, count: number): void {
    this.#sums.addAll(0, values, count, this.source.isWhole);
  }

  protected metric(bucket: number): MetricResult {
    return singleMetric('sum', this.#place.meta, this.numberOf(bucket, '')!, this.source.format);
  }

  protected numberOf(bucket: number, key: string): number | undefined {
    if (key !== '' && key !== 'value') return undefined;
    return bucket < 0 ? 0 : this.#sums.sums[bucket]!;
  }
}

export const SUM: AggregationKind<ValuesSpec> = {
  role: 'metric',
  name: 'sum',
  parse: (body) => {
    const members = new Members('sum', body);
    const spec = readValuesSpec(members);
    members.end();
    return spec;
  },
  create: (spec, place) => new Sum(spec, place),
};
