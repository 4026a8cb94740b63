// Time zones: fixed offsets by arithmetic, named zones by the platform's tables.

import { illegalArgument } from '../../errors.ts';
import { flatText } from '../../memory/flat-text.ts';
import { DAY } from './calendar.ts';

/** A time zone: milliseconds to add to UTC. */
export interface Zone {
  readonly name: string;
  offsetAt(utc: number): number;
}

export const UTC: Zone = { name: 'Z', offsetAt: () => 0 };

/** A zone at a fixed distance from UTC. */
function fixedZone(name: string, offset: number): Zone {
  return offset === 0 ? UTC : { name, offsetAt: () => offset };
}

/** Milliseconds of `Z`, `+01:00`, `+0100`, `+01`, `+01:00:00`; undefined when the text is none of them. */
export function offsetOf(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0;
  const match = /^([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/.exec(text);
  if (match === null) return undefined;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? 0);
  const seconds = Number(match[4] ?? 0);
  if (hours > 18 || minutes > 59 || seconds > 59) return undefined;
  return (match[1] === '-' ? -1 : 1) * (hours * 3_600_000 + minutes * 60_000 + seconds * 1000);
}

const named = new Map<string, Zone | undefined>();
const MAX_NAMES = 1000;
/** Days whose offsets a zone keeps: more than a hundred years, 2 MB. */
const MAX_DAYS = 40_000;
/** Other texts are no zone names and are not cached. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** A zone by offset or name (`Europe/Berlin`, `UTC`, `GMT+2`); undefined when there is none. */
export function findZone(text: string): Zone | undefined {
  const offset = offsetOf(text.replace(/^(?:UTC|GMT|UT)(?=[+-])/, ''));
  if (offset !== undefined) return fixedZone(text, offset);
  if (!NAME.test(text)) return undefined;
  if (!named.has(text)) {
    if (named.size >= MAX_NAMES) named.clear();
    named.set(flatText(text), namedZone(text));
  }
  return named.get(text);
}

/** As findZone, or an error that names the zone. */
export function zoneOf(text: string): Zone {
  const zone = findZone(text);
  if (zone === undefined) throw illegalArgument(`Unknown time-zone ID: ${text}`);
  return zone;
}

function namedZone(name: string): Zone | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    });
  } catch {
    return undefined;
  }
  const offsets = new Map<number, number>();
  /** Offsets of days on which they do not change; NaN for the others. */
  const days = new Map<number, number>();
  const offsetAt = (utc: number): number => {
    const day = Math.floor(utc / DAY);
    let whole = days.get(day);
    if (whole === undefined) {
      const first = offsetInSlot(day * DAY);
      whole = first === offsetInSlot((day + 1) * DAY - 1) ? first : Number.NaN;
      if (days.size >= MAX_DAYS) days.clear();
      days.set(day, whole);
    }
    return Number.isNaN(whole) ? offsetInSlot(utc) : whole;
  };
  const offsetInSlot = (utc: number): number => {
    // Offsets change at whole quarters of an hour.
    const slot = Math.floor(utc / 900_000);
    let offset = offsets.get(slot);
    if (offset === undefined) {
      const at = Math.max(-8.6e15, Math.min(8.6e15, slot * 900_000));
      const part: Record<string, string> = {};
      for (const { type, value } of format.formatToParts(at)) part[type] = value;
      const year = part['era'] === 'BC' ? 1 - Number(part['year']) : Number(part['year']);
      const local = new Date(0);
      local.setUTCFullYear(year, Number(part['month']) - 1, Number(part['day']));
      local.setUTCHours(Number(part['hour']), Number(part['minute']), Number(part['second']));
      offset = local.getTime() - Math.floor(at / 1000) * 1000;
      if (offsets.size >= 4096) offsets.clear();
      offsets.set(slot, offset);
    }
    return offset;
  };
  return { name, offsetAt };
}

/**
 * The instant at which clocks in the zone show `local` (milliseconds as if UTC); in a gap, the moment after
 * it.
 */
export function toUtc(zone: Zone, local: number): number {
  const early = local - zone.offsetAt(local - 86_400_000);
  if (early + zone.offsetAt(early) === local) return early;
  const late = local - zone.offsetAt(local + 86_400_000);
  return late + zone.offsetAt(late) === local ? late : early;
}
