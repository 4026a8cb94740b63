// `min` and `max`: the least and the greatest value.

import type { MetricResult } from '../../api.ts';
import type { JsonObject } from '../../json/value.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { NumericSource } from '../values/numeric-source.ts';
import { extended, NumericMetric, singleMetric } from './numeric-metric.ts';

class Extreme extends NumericMetric {
  readonly #kind: 'min' | 'max';
  readonly #meta: JsonObject | undefined;
  #values: Float64Array = new Float64Array(0);

  constructor(kind: 'min' | 'max', spec: ValuesSpec, { context, meta }: AggregationPlace) {
    super(new NumericSource(spec, context, kind));
    this.#kind = kind;
    this.#meta = meta;
  }

  protected resize(buckets: number): void {
    this.#values = extended(this.#values, buckets, this.#none);
  }

  /** The number of a bucket without values. */
  get #none(): number {
    return this.#kind === 'min' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  protected addRows(buckets: Uint32Array, values: Float64Array, count: number): void {
    const best = this.#values;
    if (this.#kind === 'min') {
      for (let i = 0; i < count; i++) if (values[i]! < best[buckets[i]!]!) best[buckets[i]!] = values[i]!;
    } else
      for (let i = 0; i < count; i++) if (values[i]! > best[buckets[i]!]!) best[buckets[i]!] = values[i]!;
  }

  protected addValues(values: Float64Array, count: number): void {
    let best = this.#values[0]!;
    if (this.#kind === 'min') {
      for (let i = 0; i < count; i++) if (values[i]! < best) best = values[i]!;
    } else for (let i = 0; i < count; i++) if (values[i]! > best) best = values[i]!;
    this.#values[0] = best;
  }

  protected metric(bucket: number): MetricResult {
    const value = this.#numberOf(bucket);
    return singleMetric(this.#kind, this.#meta, Number.isFinite(value) ? value : null, this.source.format);
  }

  protected numberOf(bucket: number, key: string): number | undefined {
    if (key !== '' && key !== 'value') return undefined;
    return this.#numberOf(bucket);
  }

  #numberOf(bucket: number): number {
    return bucket < 0 ? this.#none : this.#values[bucket]!;
  }
}

function extremeKind(name: 'min' | 'max'): AggregationKind<ValuesSpec> {
  return {
    role: 'metric',
    name,
    parse: (body) => {
      const members = new Members(name, body);
      const spec = readValuesSpec(members);
      members.end();
      return spec;
    },
    create: (spec, place) => new Extreme(name, spec, place),
  };
}

export const MIN: AggregationKind<ValuesSpec> = extremeKind('min');
export const MAX: AggregationKind<ValuesSpec> = extremeKind('max');
