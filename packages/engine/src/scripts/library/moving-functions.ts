// `MovingFunctions` of scripts: averages and forecasts over the values of a window, the oldest first. Values that are no numbers do
// not count.

import { illegal } from '../script-fault.ts';
import { Double, type Run, type Value } from '../values/value.ts';
import { doubleArgument, intArgument, itemsArgument, type MethodTable, truth } from './arguments.ts';

function numbersOf(values: Value | undefined, run: Run): number[] {
  const items = itemsArgument(values, run);
  run.spend(2 * items.length);
  return items
    .filter((item) => item !== null)
    .map(doubleArgument)
    .filter((number) => !Number.isNaN(number));
}

type Compute = (values: readonly number[], ...options: number[]) => number;

const meanOf: Compute = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Exponentially weighted: each value counts `alpha`, all before it the rest. */
const ewma: Compute = (values, alpha = 0) =>
  values.reduce((average, value, i) => (i === 0 ? value : value * alpha + average * (1 - alpha)), Number.NaN);

/** Level and trend, both exponentially weighted (Holt 1957); the level is the result. */
const holt: Compute = (values, alpha = 0, beta = 0) => {
  if (values.length === 0) return Number.NaN;
  let level = values[0]!;
  let trend = 0;
  for (const value of values.slice(1)) {
    const before = level;
    level = alpha * value + (1 - alpha) * (level + trend);
    trend = beta * (level - before) + (1 - beta) * trend;
  }
  return level;
};

/** Level, trend and season (Winters 1960): the forecast of the next value. */
function holtWinters(
  given: readonly number[],
  [alpha, beta, gamma]: readonly [number, number, number],
  period: number,
  isMultiplicative: boolean,
): number {
  if (given.length < 2 * period) {
    throw illegal(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) data-points to function.  Only [${given.length}] were provided.`,
    );
  }
  // Zeros cannot be divided by.
  const values = given.map((value) => value + (isMultiplicative ? 1e-10 : 0));
  const first = values.slice(0, period);
  let level = meanOf(first);
  let trend = first.reduce((sum, value, i) => sum + (values[i + period]! - value) / period, 0) / period;
  const seasons = first.map((value) => (level === 0 ? 0 : value / level));
  for (let i = period; i < values.length; i++) {
    const [value, season, before, rise] = [values[i]!, seasons[i - period]!, level, trend];
    const deseasoned = isMultiplicative ? value / season : value - season;
    level = alpha * deseasoned + (1 - alpha) * (before + rise);
    trend = beta * (level - before) + (1 - beta) * rise;
    const own = isMultiplicative ? value / (before + rise) : value - (before - rise);
    seasons.push(gamma * own + (1 - gamma) * season);
  }
  const season = seasons[values.length - period]!;
  return isMultiplicative ? (level + trend) * season : level + trend + season;
}

const over =
  (compute: Compute): MethodTable<undefined>[string] =>
  (_, [values, ...options], run) =>
    new Double(compute(numbersOf(values, run), ...options.map(doubleArgument)));

export const MOVING_STATICS: MethodTable<undefined> = {
  'max/1': over((values) => (values.length === 0 ? Number.NaN : Math.max(...values))),
  'min/1': over((values) => (values.length === 0 ? Number.NaN : Math.min(...values))),
  'sum/1': over((values) => values.reduce((sum, value) => sum + value, 0)),
  'unweightedAvg/1': over(meanOf),
  'stdDev/2': over((values, mean = 0) =>
    values.length === 0 ? Number.NaN : Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))),
  ),
  // The peer divides by one more than the sum of the weights.
  'linearWeightedAvg/1': over((values) => {
    const weights = 1 + (values.length * (values.length + 1)) / 2;
    const sum = values.reduce((total, value, i) => total + value * (i + 1), 0);
    return values.length === 0 ? Number.NaN : sum / weights;
  }),
  'ewma/2': over(ewma),
  'holt/3': over(holt),
  'holtWinters/6': (_, [values, alpha, beta, gamma, period, isMultiplicative], run) => {
    const size = intArgument(period);
    if (size < 1) throw illegal('[period] must be a positive, non-zero integer.');
    const weights = [alpha, beta, gamma].map(doubleArgument) as [number, number, number];
    return new Double(holtWinters(numbersOf(values, run), weights, size, truth(isMultiplicative ?? null)));
  },
};
