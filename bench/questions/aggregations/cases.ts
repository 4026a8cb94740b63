// The aggregations of the benchmark, each with the body that asks for it and a plain count over the documents. The names are those
// of the workloads big5 and nyc_taxis where they have the same question.

import { FIRST_MOMENT, SPAN_MS, sectionName } from '../../corpus/corpus.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The days of a filter, of 90 in all. */
const FILTERED_DAYS = 30;
const MOST_TERMS = 10;
const SIZES = [500, 1000, 2000, 4000, 8000] as const;

/** The values of a live document that aggregations read. */
export interface Values {
  readonly id: string;
  readonly section: string;
  readonly score: number;
  readonly date: number;
  readonly size: number;
}

/** A bucket as [key, documents, …] or a list of numbers: what an answer says, without its form. */
export type Said = readonly unknown[];

export interface AggregationCase {
  readonly name: string;
  /** The day at which the filter by date begins; undefined: all documents. */
  readonly isFiltered: boolean;
  readonly aggregation: object;
  said(answer: Answer): Said;
  counted(values: readonly Values[]): Said;
}

interface Bucket {
  readonly key: unknown;
  readonly doc_count: number;
  readonly inner?: Answer;
}

export interface Answer {
  readonly buckets?: readonly Bucket[];
  readonly value?: number;
  readonly count?: number;
  readonly min?: number;
  readonly max?: number;
  readonly sum?: number;
}

/** Days at which filters begin, for a number of requests that never ask the same twice. */
export function firstDays(count: number): number[] {
  const last = SPAN_MS / DAY - FILTERED_DAYS;
  return Array.from({ length: count }, (_, i) => (i * last) / count);
}

/** The search of a case; `day` is where its filter begins. */
export function aggregationBody({ isFiltered, aggregation }: AggregationCase, day: number): object {
  const [from, to] = windowOf(day);
  const query = isFiltered ? { query: { range: { gmt_modified: { gte: from, lt: to } } } } : {};
  return { size: 0, track_total_hits: false, ...query, aggs: { outer: aggregation } };
}

/** The documents that a case counts. */
export function valuesOf(
  { isFiltered }: AggregationCase,
  day: number,
  all: readonly Values[],
): readonly Values[] {
  const [from, to] = windowOf(day);
  return isFiltered ? all.filter(({ date }) => date >= from && date < to) : all;
}

function windowOf(day: number): [from: number, to: number] {
  const from = Math.round(FIRST_MOMENT + day * DAY);
  return [from, from + FILTERED_DAYS * DAY];
}

const section = { field: 'section' };
const date = { field: 'gmt_modified' };

const termsCase = (name: string, isFiltered: boolean): AggregationCase => ({
  name,
  isFiltered,
  aggregation: { terms: { ...section, size: MOST_TERMS } },
  said: bucketsOf,
  counted: (values) => most(countBy(values, (value) => value.section)).slice(0, MOST_TERMS),
});

const histogramCase = (name: string, interval: 'hour' | 'day', isFiltered: boolean): AggregationCase => ({
  name,
  isFiltered,
  aggregation: { date_histogram: { ...date, fixed_interval: interval === 'hour' ? '1h' : '1d' } },
  said: bucketsOf,
  counted: (values) => filled(values, interval === 'hour' ? HOUR : DAY),
});

const cardinalityCase = (name: string, field: 'section' | 'id'): AggregationCase => ({
  name,
  isFiltered: false,
  aggregation: { cardinality: { field } },
  said: ({ value }) => [value],
  counted: (values) => [new Set(values.map((one) => one[field])).size],
});

const statsCase = (name: string, isFiltered: boolean): AggregationCase => ({
  name,
  isFiltered,
  aggregation: { stats: { field: 'size' } },
  said: ({ count, min, max, sum }) => [count, min, max, sum],
  counted(values) {
    const sizes = values.map(({ size }) => size);
    const sum = sizes.reduce((a, b) => a + b, 0);
    const [min, max] = [sizes.reduce((a, b) => Math.min(a, b)), sizes.reduce((a, b) => Math.max(a, b))];
    return [sizes.length, min, max, sum];
  },
});

/** HyperLogLog of OpenSearch is off by some percent; all else is exact in both. */
export const APPROXIMATE: ReadonlySet<string> = new Set(['cardinality-agg-high']);

export const AGGREGATIONS: readonly AggregationCase[] = [
  termsCase('keyword-terms', false),
  termsCase('keyword-terms, filtered', true),
  {
    name: 'multi_terms-keyword, filtered',
    isFiltered: true,
    aggregation: { multi_terms: { terms: [section, { field: 'score' }], size: MOST_TERMS } },
    said: bucketsOf,
    counted(values) {
      const counts = countBy(values, ({ section, score }) => `${section}|${score.toFixed(1)}`);
      const pairs = [...counts].map(([key, count]): [string, number, string, number] => {
        const [name = '', score] = key.split('|');
        return [name, Number(score), key, count];
      });
      pairs.sort((a, b) => b[3] - a[3] || (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1]));
      return pairs.slice(0, MOST_TERMS).map(([name, score, , count]) => [[name, score], count]);
    },
  },
  histogramCase('date_histogram_hourly_agg', 'hour', false),
  histogramCase('date_histogram_hourly_agg, filtered', 'hour', true),
  histogramCase('date_histogram_daily_agg', 'day', false),
  histogramCase('date_histogram_daily_agg, filtered', 'day', true),
  {
    name: 'composite-terms',
    isFiltered: false,
    aggregation: {
      composite: { size: MOST_TERMS, sources: [{ s: { terms: section } }], after: { s: sectionName(29) } },
    },
    said: bucketsOf,
    counted: (values) =>
      ascending(countBy(values, (value) => value.section))
        .filter(([key]) => key > sectionName(29))
        .slice(0, MOST_TERMS)
        .map(([s, count]) => [{ s }, count]),
  },
  {
    name: 'composite-date_histogram-daily',
    isFiltered: false,
    aggregation: {
      composite: {
        size: MOST_TERMS,
        sources: [{ d: { date_histogram: { ...date, fixed_interval: '1d' } } }],
        after: { d: FIRST_MOMENT + 44 * DAY },
      },
    },
    said: bucketsOf,
    counted: (values) =>
      filled(values, DAY)
        .filter(([day]) => day > FIRST_MOMENT + 44 * DAY)
        .slice(0, MOST_TERMS)
        .map(([d, count]) => [{ d }, count]),
  },
  {
    name: 'range-agg-1',
    isFiltered: false,
    aggregation: {
      range: {
        field: 'size',
        ranges: SIZES.map((from, i) => ({
          key: String(from),
          from,
          ...(SIZES[i + 1] && { to: SIZES[i + 1] }),
        })),
      },
    },
    said: bucketsOf,
    counted: (values) =>
      SIZES.map((from, i) => [
        String(from),
        values.filter(({ size }) => size >= from && size < (SIZES[i + 1] ?? Number.POSITIVE_INFINITY)).length,
      ]),
  },
  cardinalityCase('cardinality-agg-low', 'section'),
  cardinalityCase('cardinality-agg-high', 'id'),
  statsCase('stats', false),
  statsCase('stats, filtered', true),
  {
    name: 'date_histogram_daily_agg over terms, filtered',
    isFiltered: true,
    aggregation: {
      date_histogram: { ...date, fixed_interval: '1d' },
      aggs: { inner: { terms: { ...section, size: 3 } } },
    },
    said: bucketsOf,
    counted: (values) => {
      const days = new Map<number, Values[]>();
      for (const value of values) {
        const day = Math.floor(value.date / DAY) * DAY;
        const those = days.get(day);
        if (those === undefined) days.set(day, [value]);
        else those.push(value);
      }
      return filled(values, DAY).map(([day, count]) => [
        day,
        count,
        most(countBy(days.get(day) ?? [], (value) => value.section)).slice(0, 3),
      ]);
    },
  },
];

function bucketsOf({ buckets = [] }: Answer): Said {
  return buckets.map(({ key, doc_count, inner }) =>
    inner === undefined ? [key, doc_count] : [key, doc_count, bucketsOf(inner)],
  );
}

function countBy(values: readonly Values[], keyOf: (value: Values) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    const key = keyOf(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function ascending(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The most frequent first, ties by key. */
function most(counts: ReadonlyMap<string, number>): [string, number][] {
  return ascending(counts).sort(([, a], [, b]) => b - a);
}

/** Buckets of dates from the first to the last, those without documents too. */
function filled(values: readonly Values[], interval: number): [number, number][] {
  const counts = new Map<number, number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { date } of values) {
    const key = Math.floor(date / interval) * interval;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    [first, last] = [Math.min(first, key), Math.max(last, key)];
  }
  const buckets: [number, number][] = [];
  for (let key = first; key <= last; key += interval) buckets.push([key, counts.get(key) ?? 0]);
  return buckets;
}
