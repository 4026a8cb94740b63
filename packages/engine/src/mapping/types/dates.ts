// Date types: reads queries and prints values. Keys are milliseconds (date) or nanoseconds (date_nanos).

import { EngineError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { type DateFormat, dateFault, dateFormat } from '../dates/date-format.ts';
import { dateMath } from '../dates/date-math.ts';
import type { Instant } from '../dates/pattern.ts';
import { toUtc, UTC, type Zone, zoneOf } from '../dates/zone.ts';
import { isGiven, valueText } from './integers.ts';
import { longKey, longOf } from './sortable-key.ts';
import type { Key64, NumericType } from './type.ts';

const NANOS = 1_000_000n;
const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** The long that a field stores for an instant. */
export function dateLong(at: Instant, nanos: boolean): number | bigint {
  return nanos ? BigInt(at.ms) * NANOS + BigInt(at.nanos) : at.ms;
}

/** The instant of a stored long. */
function dateInstant(value: number | bigint, nanos: boolean): Instant {
  if (!nanos) return { ms: Number(value), nanos: 0 };
  const all = BigInt(value);
  const rest = ((all % NANOS) + NANOS) % NANOS;
  return { ms: Number((all - rest) / NANOS), nanos: Number(rest) };
}

/** Throws if an instant is out of range for nanoseconds. */
export function checkNanos(at: Instant, shown: string): void {
  if (at.ms < 0) {
    throw new EngineError(
      'illegal_argument_exception',
      `date[${shown}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`,
    );
  }
  if (at.ms > 9_223_372_036_854) {
    throw new EngineError(
      'illegal_argument_exception',
      `date[${shown}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
    );
  }
}

/** The query side of date and date_nanos. */
export function dateType(format: DateFormat, nanos: boolean): NumericType {
  const point = (value: JsonValue, options: { format?: string } | undefined, roundUp: boolean): bigint => {
    const chosen = options?.format === undefined ? format : dateFormat(options.format);
    return clamp(dateLong(dateMath(queryText(value), chosen, Date.now, roundUp), nanos));
  };
  return {
    parse: (value, options) => longKey(point(value, options, false)),
    range(bounds, now) {
      const chosen = bounds.format === undefined ? format : dateFormat(bounds.format);
      const zone = bounds.timeZone === undefined ? UTC : zoneOf(bounds.timeZone);
      const at = (value: JsonValue, roundUp: boolean): bigint =>
        BigInt(dateLong(boundAt(queryText(value), chosen, now, roundUp, zone), nanos));
      let min = MIN;
      let max = MAX;
      const raise = (to: bigint): void => {
        if (to > min) min = to;
      };
      const lower = (to: bigint): void => {
        if (to < max) max = to;
      };
      if (isGiven(bounds.gte)) raise(at(bounds.gte, false));
      const roundUp = bounds.roundsDown !== true;
      if (isGiven(bounds.gt)) raise(at(bounds.gt, roundUp) + 1n);
      if (isGiven(bounds.lte)) lower(at(bounds.lte, roundUp));
      if (isGiven(bounds.lt)) lower(at(bounds.lt, false) - 1n);
      return min > max ? undefined : { min: key(min), max: key(max) };
    },
    decode: longOf,
    format: (hi, lo, given) => {
      const chosen = given === undefined || given === 'use_field_mapping' ? format : dateFormat(given);
      return chosen.write(dateInstant(longOf(hi, lo), nanos));
    },
  };
}

/** A bound in a zone. The peer takes milliseconds since the epoch for a local time, too. */
function boundAt(text: string, format: DateFormat, now: () => number, roundUp: boolean, zone: Zone): Instant {
  const at = dateMath(text, format, now, roundUp, zone);
  if (zone === UTC || !/^-?[\d.]+$/.test(text)) return at;
  const isEpoch = at.ms === dateMath(text, format, now, roundUp).ms;
  return isEpoch ? { ...at, ms: toUtc(zone, at.ms) } : at;
}

function queryText(value: JsonValue): string {
  if (value !== null && typeof value === 'object') throw dateFault(valueText(value), '');
  return valueText(value);
}

function clamp(value: number | bigint): bigint {
  const v = BigInt(value);
  return v < MIN ? MIN : v > MAX ? MAX : v;
}

function key(value: bigint): Key64 {
  return longKey(clamp(value));
}
