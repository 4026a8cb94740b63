// `avg`, `stats` and `extended_stats`: count, least, greatest, mean and sum of the values, and how far they
// scatter.

import type { AggregationMembers, MetricResult } from '../../api.ts';
import type { AggregationKind, AggregationPlace } from '../kind.ts';
import { Members } from '../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../request/values-spec.ts';
import { NumericSource } from '../values/numeric-source.ts';
import type { ValueFormat } from '../values/value-format.ts';
import { CompensatedSums } from './compensated-sums.ts';
import { extended, NumericMetric, singleMetric } from './numeric-metric.ts';
import { extendedStatsMembers, type Figures, statsMembers } from './stats-members.ts';

type StatsName = 'avg' | 'stats' | 'extended_stats';

interface StatsOptions {
  readonly values: ValuesSpec;
  readonly sigma: number;
}

class Stats extends NumericMetric {
  readonly #name: StatsName;
  readonly #place: AggregationPlace;
  readonly #sigma: number;
  readonly #sums = new CompensatedSums();
  readonly #squares = new CompensatedSums();
  #counts: Float64Array = new Float64Array(0);
  #least: Float64Array = new Float64Array(0);
  #greatest: Float64Array = new Float64Array(0);

  constructor(name: StatsName, { values, sigma }: StatsOptions, place: AggregationPlace) {
    super(new NumericSource(values, place.context, name));
    this.#name = name;
    this.#place = place;
    this.#sigma = sigma;
  }

  protected resize(buckets: number): void {
    this.#sums.resize(buckets);
    this.#counts = extended(this.#counts, buckets, 0);
    if (this.#name === 'avg') return;
    this.#least = extended(this.#least, buckets, Number.POSITIVE_INFINITY);
    this.#greatest = extended(this.#greatest, buckets, Number.NEGATIVE_INFINITY);
    if (this.#name === 'extended_stats') this.#squares.resize(buckets);
  }

  protected addRows(buckets: Uint32Array, values: Float64Array, count: number): void {
    const { sums } = { sums: this.#sums };
    const counts = this.#counts;
    for (let i = 0; i < count; i++) {
      counts[buckets[i]!]!++;
      sums.add(buckets[i]!, values[i]!);
    }
    if (this.#name === 'avg') return;
    const least = this.#least;
    const greatest = this.#greatest;
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i]!;
      const value = values[i]!;
      if (value < least[bucket]!) least[bucket] = value;
      if (value > greatest[bucket]!) greatest[bucket] = value;
    }
    if (this.#name === 'extended_stats')
      for (let i = 0; i < count; i++) this.#squares.add(buckets[i]!, values[i]! * values[i]!);
  }

  protected addValues(values: Float64Array, count: number): void {
    this.#counts[0]! += count;
    this.#sums.addAll(0, values, count, this.source.isWhole);
    if (this.#name === 'avg') return;
    let least = this.#least[0]!;
    let greatest = this.#greatest[0]!;
    for (let i = 0; i < count; i++) {
      const value = values[i]!;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    this.#least[0] = least;
    this.#greatest[0] = greatest;
    if (this.#name === 'extended_stats')
      for (let i = 0; i < count; i++) this.#squares.add(0, values[i]! * values[i]!);
  }

  #figures(bucket: number): Figures {
    if (bucket < 0) {
      return {
        count: 0,
        sum: 0,
        squares: 0,
        min: Number.POSITIVE_INFINITY,
        max: Number.NEGATIVE_INFINITY,
        sigma: this.#sigma,
      };
    }
    return {
      count: this.#counts[bucket]!,
      sum: this.#sums.sums[bucket]!,
      squares: this.#squares.sums[bucket] ?? 0,
      min: this.#least[bucket] ?? 0,
      max: this.#greatest[bucket] ?? 0,
      sigma: this.#sigma,
    };
  }

  protected metric(bucket: number): MetricResult {
    const figures = this.#figures(bucket);
    const { meta } = this.#place;
    const { format } = this.source;
    if (this.#name === 'avg') {
      const { count, sum } = figures;
      return singleMetric('avg', meta, count === 0 ? null : sum / count, format);
    }
    return statsResult(this.#name, meta, figures, format);
  }

  protected numberOf(bucket: number, key: string): number | undefined {
    const figures = this.#figures(bucket);
    if (this.#name === 'avg') return key === '' || key === 'value' ? figures.sum / figures.count : undefined;
    return statsNumbers(this.#name, figures, this.source.format).get(key);
  }
}

/** The result of `stats` or `extended_stats`. */
export function statsResult(
  typeName: string,
  meta: MetricResult['meta'],
  figures: Figures,
  format: ValueFormat,
): MetricResult {
  const isExtended = typeName.startsWith('extended_stats');
  const members = isExtended ? extendedStatsMembers(figures, format) : statsMembers(figures, format);
  const numbers = statsNumbers(isExtended ? 'extended_stats' : 'stats', figures, format);
  return { shape: 'metric', typeName, meta, members, numbers };
}

function statsNumbers(name: StatsName, figures: Figures, format: ValueFormat): Map<string, number> {
  const members: AggregationMembers =
    name === 'stats' ? statsMembers(figures, format) : extendedStatsMembers(figures, format);
  const numbers = new Map<string, number>();
  const add = (key: string, value: unknown): void => {
    if (typeof value === 'number' || typeof value === 'bigint') numbers.set(key, Number(value));
    else if (value === null) numbers.set(key, Number.NaN);
  };
  for (const [key, value] of Object.entries(members)) add(key, value);
  if (figures.count === 0) {
    numbers.set('min', Number.POSITIVE_INFINITY);
    numbers.set('max', Number.NEGATIVE_INFINITY);
  }
  const bounds = members['std_deviation_bounds'];
  if (typeof bounds === 'object' && bounds !== null)
    for (const [key, value] of Object.entries(bounds)) add(`std_${key}`, value);
  return numbers;
}

function statsKind(name: StatsName): AggregationKind<StatsOptions> {
  return {
    role: 'metric',
    name,
    parse: (body, own) => {
      const members = new Members(name, body);
      const sigma = name === 'extended_stats' ? members.read('sigma', () => readSigma(members, own)) : 2;
      const values = readValuesSpec(members);
      members.end();
      return { values, sigma: sigma ?? 2 };
    },
    create: (options, place) => new Stats(name, options, place),
  };
}

/** `sigma`: how many standard deviations the bounds lie from the mean. */
export function readSigma(members: Members, name: string): number {
  const sigma = members.number('sigma') ?? 2;
  if (sigma >= 0) return sigma;
  throw members.refused(
    'sigma',
    `[sigma] must be greater than or equal to 0. Found [${sigma.toFixed(1)}] in [${name}]`,
  );
}

export const AVG: AggregationKind<StatsOptions> = statsKind('avg');
export const STATS: AggregationKind<StatsOptions> = statsKind('stats');
export const EXTENDED_STATS: AggregationKind<StatsOptions> = statsKind('extended_stats');
