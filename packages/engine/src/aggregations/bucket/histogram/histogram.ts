// `histogram`: intervals of one length.

import { EngineError, illegalArgument } from '../../../errors.ts';
import type { JsonValue } from '../../../json/value.ts';
import { readFloat } from '../../../mapping/types/floats.ts';
import type { AggregationKind } from '../../kind.ts';
import { type BucketOrder, readBucketOrder } from '../../request/bucket-order.ts';
import { Members } from '../../request/members.ts';
import { readValuesSpec, type ValuesSpec } from '../../request/values-spec.ts';
import { NumericSource } from '../../values/numeric-source.ts';
import { RangeSource } from '../../values/range-source.ts';
import { type HistogramBounds, HistogramBuckets, type HistogramShape } from './histogram-buckets.ts';

interface HistogramOptions {
  readonly values: ValuesSpec;
  readonly interval: number;
  readonly offset: number;
  readonly shape: HistogramShape;
}

/** The order of histograms that ask for none. */
export const BY_KEY: readonly BucketOrder[] = [{ by: '_key', descending: false }];

/** Reads bounds; `bound` reads a value of one. */
export function readBounds(
  members: Members,
  name: 'extended_bounds' | 'hard_bounds',
  bound: (value: JsonValue) => number,
): HistogramBounds | undefined {
  const body = members.object(name);
  if (body === undefined) return undefined;
  const own = new Members(name, body);
  const [min, max] = [own.any('min'), own.any('max')];
  own.end();
  const read = (value: JsonValue | undefined, none: number): number =>
    value === undefined || value === null ? none : bound(value);
  return { min: read(min, Number.NEGATIVE_INFINITY), max: read(max, Number.POSITIVE_INFINITY) };
}

/** Throws for bounds that contradict each other. */
export function checkBounds(
  { extended, hard }: Pick<HistogramShape, 'extended' | 'hard'>,
  name: string,
  text: (bound: number) => string = (bound) => bound.toFixed(1),
): void {
  if (extended !== undefined && extended.min > extended.max) {
    throw illegalArgument(
      `[extended_bounds.min][${text(extended.min)}] cannot be greater than [extended_bounds.max][${text(extended.max)}] for ` +
        `histogram aggregation [${name}]`,
    );
  }
  if (extended === undefined || hard === undefined) return;
  const isOutside =
    (Number.isFinite(hard.max) && extended.max > hard.max) ||
    (Number.isFinite(hard.min) && extended.min < hard.min);
  if (isOutside)
    throw illegalArgument(
      `Extended bounds have to be inside hard bounds, hard bounds: [${boundsText(hard)}], extended bounds: ` +
        `[${boundsText(extended)}]`,
    );
}

function boundsText({ min, max }: HistogramBounds): string {
  return `${Number.isFinite(min) ? min : ''}--${Number.isFinite(max) ? max : ''}`;
}

export const HISTOGRAM: AggregationKind<HistogramOptions> = {
  role: 'bucket',
  name: 'histogram',
  parse: (body, name) => {
    const members = new Members('histogram', body);
    const interval = members.number('interval') ?? 0;
    if (members.has('interval') && !(interval > 0))
      throw members.refused('interval', `[interval] must be >0 for histogram aggregation [${name}]`);
    const offset = members.number('offset') ?? 0;
    const order = readBucketOrder(members, BY_KEY);
    const keyed = members.flag('keyed') ?? false;
    const minDocCount = members.integer('min_doc_count') ?? 0;
    if (minDocCount < 0)
      throw members.refused(
        'min_doc_count',
        `[min_doc_count] must be greater than or equal to 0. Found [${minDocCount}] in [${name}]`,
      );
    const extended = readBounds(members, 'extended_bounds', readFloat);
    const hard = readBounds(members, 'hard_bounds', readFloat);
    try {
      checkBounds({ extended, hard }, name);
    } catch (error) {
      throw error instanceof EngineError ? new Members('double_bounds', body).unbuilt(error) : error;
    }
    const values = readValuesSpec(members);
    members.end();
    const shape = { typeName: 'histogram' as const, minDocCount, keyed, order, extended, hard };
    return { values, interval, offset, shape };
  },
  create: ({ values, interval, offset, shape }, place) => {
    if (interval === 0) throw illegalArgument('interval must be positive, got: 0.0');
    const intervals = {
      identity: `${interval} ${offset}`,
      floor: (value: number) => Math.floor((value - offset) / interval) * interval + offset,
      isWithin: (key: number, { min, max }: HistogramBounds) => key - offset >= min && key - offset <= max,
      next: (key: number) => Math.round((key - offset) / interval + 1) * interval + offset,
    };
    const source = RangeSource.has(values, place.context)
      ? new RangeSource(values, place.context, 'numeric')
      : new NumericSource(values, place.context, 'histogram');
    return new HistogramBuckets(shape, intervals, source, place);
  },
};
