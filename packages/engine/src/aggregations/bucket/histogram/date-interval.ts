// Intervals of dates as requests name them: units of the calendar, or lengths.

import { illegalArgument } from '../../../errors.ts';
import { fixedLength } from '../../../mapping/dates/fixed-length.ts';
import type { Members } from '../../request/members.ts';
import type { CalendarUnit } from './rounding.ts';

/** A length in ms, or a unit of the calendar. */
export type DateInterval = number | CalendarUnit;

const UNITS: Readonly<Record<string, CalendarUnit>> = {
  ...{ second: 'second', '1s': 'second', minute: 'minute', '1m': 'minute', hour: 'hour', '1h': 'hour' },
  ...{ day: 'day', '1d': 'day', week: 'week', '1w': 'week', month: 'month', '1M': 'month' },
  ...{ quarter: 'quarter', '1q': 'quarter', year: 'year', '1y': 'year' },
};

/** Reads `calendar_interval`, `fixed_interval` or `interval`; undefined without any. */
export function readDateInterval(members: Members): DateInterval | undefined {
  const calendar = members.text('calendar_interval');
  const fixed = members.text('fixed_interval');
  const either = members.text('interval');
  if (fixed !== undefined && calendar !== undefined)
    throw members.refused(
      'fixed_interval',
      'Cannot use [fixed_interval] with [calendar_interval] configuration option.',
    );
  if (either !== undefined && (fixed !== undefined || calendar !== undefined))
    throw members.refused(
      'interval',
      'Cannot use [interval] with [fixed_interval] or [calendar_interval] configuration options.',
    );
  if (calendar !== undefined) {
    const unit = Object.hasOwn(UNITS, calendar) ? UNITS[calendar] : undefined;
    if (unit !== undefined) return unit;
    throw members.failed(
      'calendar_interval',
      illegalArgument(`The supplied interval [${calendar}] could not be parsed as a calendar interval.`),
    );
  }
  if (fixed !== undefined) return positiveLength(members, 'fixed_interval', fixed);
  if (either === undefined) return undefined;
  if (Object.hasOwn(UNITS, either)) return UNITS[either]!;
  if (/^\d+$/.test(either)) return Number(either);
  return positiveLength(members, 'interval', either);
}

function positiveLength(members: Members, name: string, text: string): number {
  const length = fixedLength(text);
  if (length === undefined || /[wH]\s*$/.test(text)) {
    throw members.failed(
      name,
      illegalArgument(
        `failed to parse setting [date_histogram.fixedInterval] with value [${text}] as a time value: unit is missing or unrecognized`,
      ),
    );
  }
  if (length >= 1) return length;
  throw members.failed(name, illegalArgument('Zero or negative time interval not supported'));
}
