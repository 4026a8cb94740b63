// Converts between the parts of a date and an instant.

import { civilOf, DAY, daysInMonth, daysOf, weekdayOf, weekOf, weekStart } from './calendar.ts';
import type { DateParts, FieldName, Instant, PatternPart } from './pattern.ts';
import { toUtc, type Zone } from './zone.ts';

/**
 * The instant of the parts read; undefined for a date that does not exist (30 February). Missing parts count as the first
 * of their kind (1970 for the year); with `roundUp` those of the time count as the last, as in OpenSearch.
 */
export function toInstant(found: DateParts, zone: Zone, roundUp: boolean): Instant | undefined {
  const year = found.year ?? 1970;
  let days: number;
  if (
    found.weekYear !== undefined &&
    (found.week !== undefined || found.year === undefined) &&
    found.month === undefined
  ) {
    const week = found.week ?? (roundUp ? 52 : 1);
    days =
      weekStart(found.weekYear, week) +
      (found.weekday ?? (roundUp && found.weekday === undefined ? 7 : 1)) -
      1;
  } else if (found.dayOfYear !== undefined) {
    days = daysOf(year, 1, 1) + found.dayOfYear - 1;
    if (civilOf(days).year !== year) return undefined;
  } else {
    const month = found.month ?? 1;
    const day = found.day ?? 1;
    if (day > daysInMonth(year, month)) return undefined;
    days = daysOf(year, month, day);
    if (found.weekday !== undefined && found.day !== undefined && weekdayOf(days) !== found.weekday)
      return undefined;
  }
  const hour =
    found.hour ?? (found.hour12 === undefined ? undefined : found.hour12 + (found.pm === true ? 12 : 0));
  const nanos = found.nanos ?? (roundUp ? 999_999_999 : 0);
  const time =
    found.milliOfDay ??
    (hour ?? (roundUp ? 23 : 0)) * 3_600_000 +
      (found.minute ?? (roundUp ? 59 : 0)) * 60_000 +
      (found.second ?? (roundUp ? 59 : 0)) * 1000 +
      Math.floor(nanos / 1e6);
  const local = days * DAY + time;
  if (Math.abs(local) > 8.64e15) return undefined;
  return { ms: toUtc(found.zone ?? zone, local), nanos: nanos % 1_000_000 };
}

/** Prints an instant, including optional parts. */
export function writeParts(parts: readonly PatternPart[], at: Instant, zone: Zone): string {
  const offset = zone.offsetAt(at.ms);
  const local = at.ms + offset;
  const days = Math.floor(local / DAY);
  // Whole milliseconds among the nanos: near the ends of longs, doubles are too coarse for them.
  const time = local - days * DAY + Math.floor(at.nanos / 1e6);
  const date = civilOf(days);
  const hour = Math.floor(time / 3_600_000);
  const nanos = (time % 1000) * 1e6 + (at.nanos % 1e6);
  const partOf = (field: FieldName): number => {
    switch (field) {
      case 'year':
        return date.year;
      case 'month':
        return date.month;
      case 'day':
        return date.day;
      case 'dayOfYear':
        return days - daysOf(date.year, 1, 1) + 1;
      case 'weekYear':
        return weekOf(days).year;
      case 'week':
        return weekOf(days).week;
      case 'weekday':
        return weekdayOf(days);
      case 'hour':
        return hour;
      case 'hour12':
        return hour % 12;
      case 'minute':
        return Math.floor(time / 60_000) % 60;
      case 'second':
        return Math.floor(time / 1000) % 60;
      case 'nanos':
        return nanos;
      case 'milliOfDay':
        return time;
    }
  };
  let out = '';
  for (const part of parts) {
    if (part.kind === 'literal') out += part.text;
    else if (part.kind === 'optional') out += writeParts(part.parts, at, zone);
    else if (part.kind === 'ampm') out += hour < 12 ? 'AM' : 'PM';
    else if (part.kind === 'names') out += part.names[partOf(part.field) - 1]!;
    else if (part.kind === 'fraction') out += fraction(nanos, part.min, part.print);
    else if (part.kind === 'zone') out += writeOffset(part.print, zone, offset);
    else {
      let value = partOf(part.field);
      if (part.base > 0) value = ((value % 100) + 100) % 100;
      if (part.field === 'hour' && part.high === 24 && value === 0) value = 24;
      if (part.field === 'hour12' && part.high === 12 && value === 0) value = 12;
      // Years beyond their digits have a sign.
      const plus = part.field === 'year' && part.pad === 4 && value > 9999 ? '+' : '';
      out += (value < 0 ? '-' : plus) + String(Math.abs(value)).padStart(part.pad, '0');
    }
  }
  return out;
}

/** Digits of a second: at least `min`, up to `max` where they are not zero. */
function fraction(nanos: number, min: number, max: number): string {
  if (nanos === 0) return '0'.repeat(min);
  let digits = String(nanos).padStart(9, '0').slice(0, max);
  while (digits.length > min && digits.endsWith('0')) digits = digits.slice(0, -1);
  return digits;
}

function writeOffset(print: 'Z' | 'colon' | 'plain' | 'name', zone: Zone, offset: number): string {
  if (print === 'name') return zone.name;
  if (offset === 0 && print === 'Z') return 'Z';
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  const hh = String(Math.floor(minutes / 60)).padStart(2, '0');
  const mm = String(minutes % 60).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hh}${print === 'plain' ? '' : ':'}${mm}`;
}
