// Chooses the interval of an `auto_date_histogram`, as the peer does: the finest unit of the calendar, and the least
// multiple of it, by which there are no more buckets than wanted.

import type { Zone } from '../../../mapping/dates/zone.ts';
import { type CalendarUnit, calendarRounding, type Rounding } from './rounding.ts';

/** A unit and the multiples in which it may be shown. */
interface AutoUnit {
  readonly rounding: Rounding;
  /** Its length in ms, roughly. */
  readonly length: number;
  readonly suffix: string;
  readonly multiples: readonly number[];
}

/** The intervals that are shown. */
export interface AutoIntervals {
  /** Where they start, ascending and without gaps. */
  readonly starts: readonly number[];
  /** As in `7d`. */
  readonly interval: string;
}

const DAY = 86_400_000;

type AutoUnitName = Exclude<CalendarUnit, 'week' | 'quarter'>;

const UNITS: readonly (Omit<AutoUnit, 'rounding'> & { readonly unit: AutoUnitName })[] = [
  { unit: 'second', length: 1_000, suffix: 's', multiples: [1, 5, 10, 30] },
  { unit: 'minute', length: 60_000, suffix: 'm', multiples: [1, 5, 10, 30] },
  { unit: 'hour', length: 3_600_000, suffix: 'h', multiples: [1, 3, 12] },
  { unit: 'day', length: DAY, suffix: 'd', multiples: [1, 7] },
  { unit: 'month', length: 30 * DAY, suffix: 'M', multiples: [1, 3] },
  { unit: 'year', length: 365 * DAY, suffix: 'y', multiples: [1, 5, 10, 20, 50, 100] },
];

/** The names of the units, finest first. */
export const AUTO_UNITS: readonly AutoUnitName[] = UNITS.map(({ unit }) => unit);

/** The units from the finest that is allowed. */
export function autoUnits(least: AutoUnitName, zone: Zone): AutoUnit[] {
  return UNITS.slice(AUTO_UNITS.indexOf(least)).map((unit) => ({
    ...unit,
    rounding: calendarRounding(unit.unit, zone, 0),
  }));
}

/** How many buckets one of these histograms may want, so that its unit cannot give more than `most`. */
export function autoCeiling(units: readonly AutoUnit[], most: number): number {
  return Math.floor(most / Math.max(1, ...units.slice(0, -1).map((unit) => unit.multiples.at(-1)!)));
}

/** Chooses intervals, of which there are about as many as wanted. */
export class AutoRounding {
  readonly #units: readonly AutoUnit[];
  readonly #wanted: number;

  constructor(units: readonly AutoUnit[], wanted: number) {
    this.#units = units;
    this.#wanted = wanted;
  }

  /**
   * The place of the finest unit whose largest interval, times the number wanted, covers both instants. Both are first rounded to the
   * unit, as by OpenSearch.
   */
  unitFor(min: number, max: number): number {
    const place = this.#units.findIndex(({ rounding, multiples, length }) => {
      const each = Math.floor((rounding.floor(max) - rounding.floor(min)) / this.#wanted);
      return each <= multiples.at(-1)! * length;
    });
    return place < 0 ? this.#units.length - 1 : place;
  }

  floor(unit: number, ms: number): number {
    return this.#units[unit]!.rounding.floor(ms);
  }

  /** The intervals that cover those of a unit that have documents, by their starts, ascending. */
  intervals(filled: readonly number[], from: number): AutoIntervals {
    let [starts, unit] = this.#coarsen(filled, from);
    if (starts.length > 0) {
      const exact = this.#exactUnit(starts[0]!, starts.at(-1)!, unit);
      [starts, unit] = this.#coarsen(this.#withEmpty(this.#rerounded(starts, exact), exact), exact);
    }
    const { multiples, suffix } = this.#units[unit]!;
    const multiple =
      starts.length <= this.#wanted
        ? 1
        : multiples.find((each) => Math.ceil(starts.length / each) <= this.#wanted);
    return {
      starts: starts.filter((_, i) => i % (multiple ?? 1) === 0),
      interval: `${multiple ?? 1}${suffix}`,
    };
  }

  /** Takes coarser units while there are too many intervals. */
  #coarsen(starts: readonly number[], from: number): [readonly number[], number] {
    let rounded = starts;
    let unit = from;
    while (unit < this.#units.length - 1 && rounded.length > this.#most(unit))
      rounded = this.#rerounded(rounded, ++unit);
    return [rounded, unit];
  }

  /** Intervals of a unit that can be merged to as many as wanted. */
  #most(unit: number): number {
    return this.#wanted * this.#units[unit]!.multiples.at(-1)!;
  }

  #rerounded(starts: readonly number[], unit: number): number[] {
    return [...new Set(starts.map((start) => this.floor(unit, start)))];
  }

  /** The unit by which the intervals from the first to the last, empty ones too, are not too many. */
  #exactUnit(first: number, last: number, from: number): number {
    let unit = from;
    if (from === this.#units.length - 1) return from;
    for (let next = from + 1; next < this.#units.length; next++) {
      unit = next - 1;
      if (Math.floor((last - first) / this.#units[next]!.length) < this.#most(next)) break;
      unit = next;
    }
    for (; unit < this.#units.length - 1; unit++) {
      const { rounding } = this.#units[unit]!;
      let count = 0;
      for (let start = first; start < last && count <= this.#most(unit); start = rounding.next(start))
        count++;
      if (count <= this.#most(unit)) break;
    }
    return unit;
  }

  #withEmpty(filled: readonly number[], unit: number): number[] {
    const { rounding } = this.#units[unit]!;
    const all: number[] = [];
    for (const start of filled) {
      const last = all.at(-1);
      if (last !== undefined)
        for (let empty = rounding.next(last); empty < start; empty = rounding.next(empty)) all.push(empty);
      all.push(start);
    }
    return all;
  }
}

/** The place of the interval that an instant falls into. O(log intervals). */
export function intervalOf({ starts }: AutoIntervals, ms: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >>> 1;
    if (starts[mid]! <= ms) low = mid;
    else high = mid - 1;
  }
  return low;
}
