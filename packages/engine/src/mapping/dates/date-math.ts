// Evaluates date expressions: `now-1d/d`, `2020-01-01||+1M/d`. An anchor, then steps and roundings.

import { EngineError } from '../../errors.ts';
import { civilOf, DAY, daysInMonth, daysOf, weekdayOf } from './calendar.ts';
import { type DateFormat, dateFault } from './date-format.ts';
import type { Instant } from './pattern.ts';
import { toUtc, UTC, type Zone } from './zone.ts';

/** Bounds of expressions: far beyond need, far below trouble. */
const MAX_STEPS = 100;

/**
 * Evaluates an expression. `roundUp` gives the last millisecond of a rounded unit and of a partial date (for lte and
 * gt), else the first; `now` is called only if the text names it. Errors: parse_exception in OpenSearch's words.
 */
export function dateMath(
  text: string,
  format: DateFormat,
  now: () => number,
  roundUp: boolean,
  zone: Zone = UTC,
): Instant {
  if (text.startsWith('now')) return apply(text.slice(3), { ms: now(), nanos: 0 }, roundUp, zone);
  const bars = text.indexOf('||');
  const anchor = bars < 0 ? text : text.slice(0, bars);
  const steps = bars < 0 ? '' : text.slice(bars + 2);
  const at = format.read(anchor, zone, roundUp && steps === '');
  if (at === undefined) {
    const fault = dateFault(anchor, format.text);
    throw new EngineError('parse_exception', `${fault.message}: [${fault.message}]`, { causedBy: fault });
  }
  return steps === '' ? at : apply(steps, at, roundUp, zone);
}

function apply(steps: string, from: Instant, roundUp: boolean, zone: Zone): Instant {
  let { ms, nanos } = from;
  let count = 0;
  for (let i = 0; i < steps.length; ) {
    const c = steps[i++]!;
    if (++count > MAX_STEPS) throw fault('too many steps in date math', steps);
    if (c !== '/' && c !== '+' && c !== '-') throw fault('operator not supported for date math', steps);
    let amount = 1;
    const match = /^\d{1,10}/.exec(steps.slice(i, i + 11));
    if (match !== null) {
      amount = Number(match[0]);
      i += match[0].length;
    }
    if (c === '/' && amount !== 1) throw fault('rounding `/` can only be used on single unit types', steps);
    const unit = steps[i++];
    if (unit === undefined) throw fault('truncated date math', steps);
    if (!'yMwdhHms'.includes(unit)) {
      throw fault(`unit [${unit}] not supported for date math`, steps);
    }
    if (c !== '/') ms = add(ms, unit, c === '-' ? -amount : amount, zone);
    else {
      const start = floor(ms, unit, zone);
      ms = roundUp ? add(start, unit, 1, zone) - 1 : start;
      nanos = roundUp ? 999_999 : 0;
    }
    if (Math.abs(ms) > 8.64e15) throw fault('the date is out of range', steps);
  }
  return { ms, nanos };
}

function fault(why: string, steps: string): EngineError {
  return new EngineError('parse_exception', `${why} [${steps}]`);
}

const FIXED: Readonly<Record<string, number>> = { h: 3_600_000, H: 3_600_000, m: 60_000, s: 1000 };

/** Adds units in the zone's calendar; months keep the day where the month has it. */
function add(ms: number, unit: string, amount: number, zone: Zone): number {
  const fixed = FIXED[unit];
  if (fixed !== undefined) return ms + amount * fixed;
  const local = ms + zone.offsetAt(ms);
  const days = Math.floor(local / DAY);
  const time = local - days * DAY;
  if (unit === 'd' || unit === 'w') return toUtc(zone, local + amount * (unit === 'w' ? 7 : 1) * DAY);
  const { year, month, day } = civilOf(days);
  const months = year * 12 + month - 1 + amount * (unit === 'y' ? 12 : 1);
  const toYear = Math.floor(months / 12);
  const toMonth = months - toYear * 12 + 1;
  return toUtc(zone, daysOf(toYear, toMonth, Math.min(day, daysInMonth(toYear, toMonth))) * DAY + time);
}

/** The beginning of the unit that holds the moment, in the zone. */
function floor(ms: number, unit: string, zone: Zone): number {
  const offset = zone.offsetAt(ms);
  const local = ms + offset;
  const fixed = FIXED[unit];
  if (fixed !== undefined) return Math.floor(local / fixed) * fixed - offset;
  const days = Math.floor(local / DAY);
  if (unit === 'd') return toUtc(zone, days * DAY);
  if (unit === 'w') return toUtc(zone, (days - weekdayOf(days) + 1) * DAY);
  const { year, month } = civilOf(days);
  return toUtc(zone, daysOf(year, unit === 'y' ? 1 : month, 1) * DAY);
}
