// Sources of intervals, and how they are put together. Intervals are minimal: of two that contain each other, only
// the inner one is given. An alternative inside a sequence could therefore hide a longer one that fits, so that
// combinations pull alternatives up to the top where their parts differ in length (Lucene: Disjunctions).

import { tooManyClauses } from '../../errors.ts';
import { DEFAULT_QUERY_LIMITS } from '../../limits.ts';
import type { OpenTerms, SpanReader, SpanSource } from '../../span-list.ts';
import {
  BlockReader,
  ExtendReader,
  FilterReader,
  type FilterRule,
  MaxGapsReader,
  MinimalOrReader,
  OffsetReader,
  OrderedIntervalReader,
  RepeatReader,
  UnorderedIntervalReader,
} from './interval-readers.ts';
import { termSpans } from './simple-spans.ts';

/** Finds intervals; equal keys mean equal sources. */
export interface IntervalSource extends SpanSource {
  /** Positions that an interval has at least. */
  readonly minExtent: number;
  /** The alternatives that it consists of; itself where it is none. */
  pullUp(): readonly IntervalSource[];
}

function source(
  key: string,
  minExtent: number,
  open: (terms: OpenTerms) => SpanReader,
  more: Partial<IntervalSource> = {},
): IntervalSource {
  const own: IntervalSource = { key, minExtent, open, pullUp: () => [own], ...more };
  return own;
}

/** No interval. */
export const NO_INTERVALS: IntervalSource = source('-', 0, () => new MinimalOrReader([]), {
  pullUp: () => [],
});

/** The places of any of some terms. */
export function termIntervals(path: string, terms: readonly Uint8Array[]): IntervalSource {
  const each = terms.map((bytes) => termSpans(path, [bytes]));
  if (each.length === 1) return source(each[0]!.key, 1, (open) => each[0]!.open(open));
  // One place counts once, also where several of the terms stand.
  return source(
    `[${each.map(({ key }) => key).join('')}]`,
    1,
    (open) => new MinimalOrReader(each.map((one) => one.open(open))),
  );
}

/** Any of some sources. */
export function anyOf(sources: readonly IntervalSource[]): IntervalSource {
  const byKey = new Map<string, IntervalSource>();
  for (const each of sources) for (const one of isOr(each) ? each.pullUp() : [each]) byKey.set(one.key, one);
  const list = [...byKey.values()];
  if (list.length === 1) return list[0]!;
  return source(
    `|(${[...byKey.keys()].sort().join('')})`,
    Math.min(Number.MAX_SAFE_INTEGER, ...list.map(({ minExtent }) => minExtent)),
    (open) => new MinimalOrReader(list.map((each) => each.open(open))),
    { pullUp: () => list },
  );
}

function isOr({ key }: IntervalSource): boolean {
  return key.startsWith('|(');
}

/** The alternatives of a source, those of one position together. */
function split(one: IntervalSource): readonly IntervalSource[] {
  const all = one.pullUp();
  const single = all.filter(({ minExtent }) => minExtent === 1);
  const longer = all.filter(({ minExtent }) => minExtent !== 1);
  return single.length > 0 ? [anyOf(single), ...longer] : longer;
}

/** Combines each choice of one alternative per source. */
function pullUpAll(
  sources: readonly IntervalSource[],
  combine: (list: readonly IntervalSource[]) => IntervalSource,
): readonly IntervalSource[] {
  let rows: (readonly IntervalSource[])[] = [[]];
  for (const one of sources) {
    const choices = split(one);
    const limit = DEFAULT_QUERY_LIMITS.maxClauses;
    if (rows.length * choices.length > limit) throw tooManyClauses(limit);
    rows = choices.flatMap((choice) => rows.map((row) => [...row, choice]));
  }
  return rows.map(combine);
}

function lengthOf(list: readonly IntervalSource[]): number {
  return list.reduce((sum, { minExtent }) => sum + minExtent, 0);
}

function keysOf(list: readonly IntervalSource[]): string {
  return list.map(({ key }) => key).join('');
}

/** Sources side by side, in order. */
export function block(sources: readonly IntervalSource[]): IntervalSource {
  const join = (list: readonly IntervalSource[]): IntervalSource =>
    source(
      `#(${keysOf(list)})`,
      lengthOf(list),
      (open) => new BlockReader(list.map((each) => each.open(open))),
    );
  return anyOf(pullUpAll(sources, join));
}

/** Several intervals of a source, one after the other. */
function repeat(one: IntervalSource, times: number): IntervalSource {
  if (times === 1) return one;
  return source(`${times}*${one.key}`, one.minExtent, (open) => new RepeatReader(one.open(open), times));
}

/** Sources in order, without overlaps. */
export function ordered(sources: readonly IntervalSource[]): IntervalSource {
  if (sources.length === 1) return sources[0]!;
  const groups: { one: IntervalSource; times: number }[] = [];
  for (const one of sources) {
    const last = groups.at(-1);
    if (last?.one.key === one.key) last.times++;
    else groups.push({ one, times: 1 });
  }
  const list = groups.map(({ one, times }) => repeat(one, times));
  return list.length === 1 ? list[0]! : orderedOf(list);
}

function orderedOf(list: readonly IntervalSource[]): IntervalSource {
  return source(
    `>(${keysOf(list)})`,
    lengthOf(list),
    (open) => new OrderedIntervalReader(list.map((each) => each.open(open))),
    { pullUp: () => pullUpAll(list, orderedOf) },
  );
}

/** Sources in any order, which may overlap. */
export function unordered(sources: readonly IntervalSource[]): IntervalSource {
  if (sources.length === 1) return sources[0]!;
  const groups = new Map<string, { one: IntervalSource; times: number }>();
  for (const one of sources) {
    const group = groups.get(one.key);
    if (group === undefined) groups.set(one.key, { one, times: 1 });
    else group.times++;
  }
  const list = [...groups.values()].map(({ one, times }) => repeat(one, times));
  return list.length === 1 ? list[0]! : unorderedOf(list);
}

function unorderedOf(list: readonly IntervalSource[]): IntervalSource {
  return source(
    `&(${keysOf(list)})`,
    lengthOf(list),
    (open) => new UnorderedIntervalReader(list.map((each) => each.open(open))),
    { pullUp: () => pullUpAll(list, unorderedOf) },
  );
}

/** Two sources in any order, without overlaps. */
export function unorderedApart(a: IntervalSource, b: IntervalSource): IntervalSource {
  return anyOf([ordered([a, b]), ordered([b, a])]);
}

/** Intervals with at most so many positions between their parts. */
export function maxGaps(inner: IntervalSource, most: number): IntervalSource {
  const limited = (one: IntervalSource): IntervalSource =>
    source(`g${most}(${one.key})`, one.minExtent, (open) => new MaxGapsReader(one.open(open), most));
  return anyOf(inner.pullUp().map(limited));
}

/** Intervals made longer. */
export function extend(inner: IntervalSource, before: number, after: number): IntervalSource {
  if (before === 0 && after === 0) return inner;
  return source(
    `e${before},${after}(${inner.key})`,
    before + inner.minExtent + after,
    (open) => new ExtendReader(inner.open(open), before, after),
    { pullUp: () => inner.pullUp().map((one) => extend(one, before, after)) },
  );
}

function filtered(a: IntervalSource, b: IntervalSource, rule: FilterRule): IntervalSource {
  return source(
    `${rule}(${a.key}${b.key})`,
    a.minExtent,
    (open) => new FilterReader(a.open(open), b.open(open), rule),
  );
}

/** How intervals of a source are picked by those of another one. */
export type IntervalFilter =
  | 'after'
  | 'before'
  | 'contained_by'
  | 'containing'
  | 'not_contained_by'
  | 'not_containing'
  | 'not_overlapping'
  | 'overlapping';

/** Intervals of `a` that stand in a relation to some of `b`. */
export function filterIntervals(
  a: IntervalSource,
  b: IntervalSource,
  filter: IntervalFilter,
): IntervalSource {
  switch (filter) {
    case 'containing':
    case 'not_containing':
      return anyOf(split(a).map((one) => filtered(one, b, filter)));
    case 'contained_by':
    case 'not_contained_by':
      return anyOf(split(b).map((one) => filtered(a, one, filter)));
    case 'overlapping': {
      const own = filtered(a, b, filter);
      return { ...own, pullUp: () => pullUpAll([a, b], ([x, y]) => filtered(x!, y!, filter)) };
    }
    case 'not_overlapping':
      return filtered(a, b, filter);
    case 'before':
    case 'after': {
      const isBefore = filter === 'before';
      const place = source(`${filter}(${b.key})`, 1, (open) => new OffsetReader(b.open(open), isBefore));
      const endless = Number.MAX_SAFE_INTEGER;
      const around = extend(place, isBefore ? endless : 0, isBefore ? 0 : endless);
      return filterIntervals(a, around, 'contained_by');
    }
  }
}
