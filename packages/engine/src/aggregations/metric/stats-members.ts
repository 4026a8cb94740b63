// The members of `stats` and `extended_stats`, of the aggregations and of the pipelines over buckets.

import type { AggregationMembers } from '../../api.ts';
import { shownBy, type ValueFormat } from '../values/value-format.ts';

/** What is known of some values. */
export interface Figures {
  readonly count: number;
  readonly sum: number;
  /** The sum of the squares. */
  readonly squares: number;
  readonly min: number;
  readonly max: number;
  /** How many standard deviations the bounds lie from the mean. */
  readonly sigma: number;
}

/** `count`, `min`, `max`, `avg` and `sum`. */
export function statsMembers(figures: Figures, format: ValueFormat): AggregationMembers {
  const { count, sum, min, max } = figures;
  const none = count === 0;
  const values = { min: none ? null : min, max: none ? null : max, avg: none ? null : sum / count, sum };
  return { count: BigInt(count), ...values, ...(none ? {} : texts(values, format)) };
}

/** The members of `stats`, with squares, variances, deviations and bounds. */
export function extendedStatsMembers(figures: Figures, format: ValueFormat): AggregationMembers {
  const { count, sum, squares, sigma } = figures;
  const none = count === 0;
  const spread = squares - (sum * sum) / count;
  const variance = Math.max(0, spread / count);
  const sampling = Math.max(0, spread / (count - 1));
  const deviation = Math.sqrt(variance);
  const samplingDeviation = Math.sqrt(sampling);
  const mean = sum / count;
  const of = (value: number): number | null => (none ? null : value);
  const values = {
    sum_of_squares: of(squares),
    variance: of(variance),
    variance_population: of(variance),
    variance_sampling: of(sampling),
    std_deviation: of(deviation),
    std_deviation_population: of(deviation),
    std_deviation_sampling: of(samplingDeviation),
  };
  const bounds = {
    upper: of(mean + sigma * deviation),
    lower: of(mean - sigma * deviation),
    upper_population: of(mean + sigma * deviation),
    lower_population: of(mean - sigma * deviation),
    upper_sampling: of(mean + sigma * samplingDeviation),
    lower_sampling: of(mean - sigma * samplingDeviation),
  };
  const isText = !none && !format.isRaw;
  return {
    ...statsMembers(figures, format),
    ...values,
    std_deviation_bounds: bounds,
    ...(isText ? spreadTexts(values, format) : {}),
    std_deviation_bounds_as_string: isText ? formatted(bounds, format) : undefined,
  };
}

function texts(values: Readonly<Record<string, number | null>>, format: ValueFormat): AggregationMembers {
  if (format.isRaw) return {};
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${name}_as_string`,
      value === null ? undefined : shownBy(format, value),
    ]),
  );
}

/** Deviations are texts where other statistics are values. */
function spreadTexts(
  values: Readonly<Record<string, number | null>>,
  format: ValueFormat,
): AggregationMembers {
  const isDeviation = (name: string): boolean => name.startsWith('std_deviation');
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${name}_as_string`,
      value === null ? undefined : isDeviation(name) ? format.text(value) : shownBy(format, value),
    ]),
  );
}

function formatted(values: Readonly<Record<string, number | null>>, format: ValueFormat): AggregationMembers {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? undefined : format.text(value)]),
  );
}
