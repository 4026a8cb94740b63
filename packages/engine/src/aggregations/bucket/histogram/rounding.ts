// Rounds instants down to the start of their interval: fixed lengths, or units of the calendar in a time zone.
// The last roundings are kept by quarter of an hour, the finest step of the offsets of zones.

import { civilOf, DAY, daysOf, weekdayOf } from '../../../mapping/dates/calendar.ts';
import { toUtc, UTC, type Zone } from '../../../mapping/dates/zone.ts';

/** Units of the calendar. */
export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** An interval of dates. */
export interface Rounding {
  /** The start of the interval of an instant, in ms of UTC. */
  floor(ms: number): number;
  /** The start of the interval behind the one that starts at `start`. */
  next(start: number): number;
}

const QUARTER_HOUR = 900_000;
const KEPT = 16_384;

const LENGTHS: Partial<Record<CalendarUnit, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };
const MONTHS: Partial<Record<CalendarUnit, number>> = { month: 1, quarter: 3, year: 12 };

/** Units of the calendar. */
export function calendarRounding(unit: CalendarUnit, zone: Zone, offset: number): Rounding {
  const length = LENGTHS[unit];
  if (length !== undefined) {
    const floor = length === LENGTHS.hour ? localFloor(length, zone) : plainFloor(length);
    return withOffset({ floor, next: (start) => start + length }, offset);
  }
  const floorLocal = (days: number): number => {
    if (unit === 'day') return days;
    if (unit === 'week') return days - weekdayOf(days) + 1;
    const { year, month } = civilOf(days);
    return daysOf(year, month - ((month - 1) % MONTHS[unit]!), 1);
  };
  const nextLocal = (days: number): number => {
    if (unit === 'day') return days + 1;
    if (unit === 'week') return days + 7;
    const { year, month } = civilOf(days);
    const months = year * 12 + month - 1 + MONTHS[unit]!;
    return daysOf(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1);
  };
  const localDays = (ms: number): number => Math.floor((ms + zone.offsetAt(ms)) / DAY);
  const start = (ms: number): number => toUtc(zone, floorLocal(localDays(ms)) * DAY);
  return withOffset(
    {
      floor: zone === UTC ? start : memoized(start),
      next: (from) => toUtc(zone, nextLocal(localDays(from)) * DAY),
    },
    offset,
  );
}

/** Intervals of one length. */
export function fixedRounding(length: number, zone: Zone, offset: number): Rounding {
  const floor = zone === UTC ? plainFloor(length) : localFloor(length, zone);
  return withOffset(
    {
      floor,
      // Behind a change of the clocks, local intervals are shorter or longer.
      next: (start) => (zone === UTC ? start + length : floor(start + length + length / 2)),
    },
    offset,
  );
}

function plainFloor(length: number): (ms: number) => number {
  return (ms) => Math.floor(ms / length) * length;
}

/** Rounds by local time. In the hour that a change of clocks repeats, both passes have intervals of their own. */
function localFloor(length: number, zone: Zone): (ms: number) => number {
  if (zone === UTC) return plainFloor(length);
  return (ms) => {
    const offset = zone.offsetAt(ms);
    const local = Math.floor((ms + offset) / length) * length;
    const start = local - offset;
    if (zone.offsetAt(start) === offset) return start;
    const other = toUtc(zone, local);
    return other <= ms ? other : start;
  };
}

function withOffset({ floor, next }: Rounding, offset: number): Rounding {
  if (offset === 0) return { floor, next };
  return { floor: (ms) => floor(ms - offset) + offset, next: (start) => next(start - offset) + offset };
}

function memoized(floor: (ms: number) => number): (ms: number) => number {
  const slots = new Float64Array(KEPT).fill(Number.NaN);
  const starts = new Float64Array(KEPT);
  return (ms) => {
    const slot = Math.floor(ms / QUARTER_HOUR);
    const at = ((slot % KEPT) + KEPT) % KEPT;
    if (slots[at] !== slot) {
      slots[at] = slot;
      starts[at] = floor(slot * QUARTER_HOUR);
    }
    return starts[at]!;
  };
}
