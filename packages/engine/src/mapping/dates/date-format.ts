// Date formats: one or more alternatives, separated by `||`, each a name, an epoch or a pattern.

import { EngineError, illegalArgument } from '../../errors.ts';
import { daysInMonth, daysOf } from './calendar.ts';
import { toInstant, writeParts } from './instant.ts';
import { NAMED } from './named-formats.ts';
import { compilePattern, type DateParts, type Instant, type PatternPart, readParts } from './pattern.ts';
import { findZone, offsetOf, UTC, type Zone } from './zone.ts';

/** A compiled format. */
export interface DateFormat {
  /** The format as it was sent. */
  readonly text: string;
  /**
   * Reads text; undefined if no alternative matches. `roundUp`: missing parts count as the last of their
   * kind.
   */
  read(text: string, zone: Zone, roundUp: boolean): Instant | undefined;
  /** Writes by the first alternative. */
  write(at: Instant, zone?: Zone): string;
}

export const DEFAULT_FORMAT = 'strict_date_optional_time||epoch_millis';
const cache = new Map<string, DateFormat>();
const MAX_CACHED = 500;
/** Longer ones are compiled each time. */
const MAX_LENGTH = 500;

/** Compiles `a||b||c`. Errors: illegal_argument_exception naming the format. */
export function dateFormat(text: string): DateFormat {
  const known = cache.get(text);
  if (known !== undefined) return known;
  if (text === '') throw illegalArgument('No date pattern provided');
  const made = combine(
    text,
    text.split('||').map((one) => {
      if (one === '')
        throw illegalArgument(`Cannot have empty element in multi date format pattern: ${text}`);
      return single(one);
    }),
  );
  if (text.length > MAX_LENGTH) return made;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, made);
  return made;
}

function combine(text: string, formats: DateFormat[]): DateFormat {
  if (formats.length === 1) return { ...formats[0]!, text };
  return {
    text,
    read(value, zone, roundUp) {
      for (const format of formats) {
        const found = format.read(value, zone, roundUp);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    write: (at, zone) => formats[0]!.write(at, zone),
  };
}

function single(text: string): DateFormat {
  // A leading 8 marks java.time patterns in old versions of Elasticsearch.
  const name = text.startsWith('8') ? text.slice(1) : text;
  switch (name) {
    case 'epoch_millis':
      return epoch(text, 1, 6);
    case 'epoch_second':
      return epoch(text, 1000, 9);
    case 'epoch_micros':
      return epoch(text, 0.001, 3);
    case 'strict_date_optional_time':
    case 'strict_date_optional_time_nanos':
    case 'strictDateOptionalTime':
    case 'strictDateOptionalTimeNanos':
    case 'rfc3339_lenient':
      return iso(text, true, name.toLowerCase().includes('nanos'));
    case 'date_optional_time':
    case 'dateOptionalTime':
    case 'iso8601':
      return iso(text, name === 'iso8601', false);
    default:
  }
  const patterns = NAMED.get(name) ?? NAMED.get(name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
  if (patterns !== undefined)
    return ofParts(text, patterns.map(compilePattern), !/^(?:strict|basic)/.test(name));
  return ofParts(text, [compilePattern(name)], false);
}

/** Several patterns, read in turn; the first one writes. Lenient: numbers may have fewer digits. */
function ofParts(text: string, lists: PatternPart[][], lenient: boolean): DateFormat {
  const readers = lenient ? lists.map((parts) => parts.map(loosen)) : lists;
  return {
    text,
    read(value, zone, roundUp) {
      for (const parts of readers) {
        const found = readParts(parts, value);
        if (found !== undefined) return toInstant(found, zone, roundUp);
      }
      return undefined;
    },
    write: (at, zone = UTC) => writeParts(lists[0]!, at, zone),
  };
}

function loosen(part: PatternPart): PatternPart {
  if (part.kind === 'optional') return { kind: 'optional', parts: part.parts.map(loosen) };
  if (part.kind === 'fraction') return { ...part, min: 1, max: 9 };
  return part.kind === 'number' ? { ...part, min: 1 } : part;
}

/** So many digits are exact in a double. */
const SAFE_DIGITS = 15;

function epoch(text: string, unit: number, digits: number): DateFormat {
  return {
    text,
    read(value) {
      const plain = unit < 1 ? -1 : plainDigits(value);
      if (plain >= 0) return Number.isSafeInteger(plain * unit) ? { ms: plain * unit, nanos: 0 } : undefined;
      const match = /^(-?)(\d{1,19})(?:\.(\d{1,9}))?$/.exec(value);
      if (match === null || (match[3]?.length ?? 0) > digits) return undefined;
      const fraction = Number((match[3] ?? '').padEnd(9, '0'));
      let ms = Number(match[2]) * unit;
      let nanos = 0;
      if (unit === 1000) {
        ms += Math.floor(fraction / 1e6);
        nanos = fraction % 1e6;
      } else if (unit === 1) nanos = Math.floor(fraction / 1000);
      else {
        const micros = Number(match[2]);
        ms = Math.floor(micros / 1000);
        nanos = (micros % 1000) * 1000 + Math.floor(fraction / 1e6);
      }
      if (!Number.isSafeInteger(ms)) return undefined;
      if (match[1] === '-')
        return nanos === 0 ? { ms: -ms, nanos: 0 } : { ms: -ms - 1, nanos: 1_000_000 - nanos };
      return { ms, nanos };
    },
    write(at) {
      if (unit === 1000) {
        // Before 1970 the fraction counts away from zero as well.
        const negative = at.ms < 0;
        const all = BigInt(at.ms) * 1_000_000n + BigInt(at.nanos);
        const size = negative ? -all : all;
        const fraction = size % 1_000_000_000n;
        const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
        return `${negative ? '-' : ''}${size / 1_000_000_000n}${digits}`;
      }
      if (unit !== 1) return String(at.ms * 1000 + Math.floor(at.nanos / 1000));
      // The last millisecond of a long is no double: it has the rest in its nanoseconds.
      const ms = BigInt(at.ms) + BigInt(Math.floor(at.nanos / 1_000_000));
      const nanos = at.nanos % 1_000_000;
      return nanos === 0 ? String(ms) : `${ms}.${String(nanos).padStart(6, '0').replace(/0+$/, '')}`;
    },
  };
}

/** The value of a text of digits only, as nearly all epoch times are written; -1 for other texts. */
function plainDigits(text: string): number {
  if (text.length === 0 || text.length > SAFE_DIGITS) return -1;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

const ISO_PRINT = compilePattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
const ISO_NANOS: PatternPart[] = ISO_PRINT.map((part) =>
  part.kind === 'fraction' ? { ...part, max: 9, print: 9 } : part,
);

function iso(text: string, strict: boolean, nanos: boolean): DateFormat {
  return {
    text,
    read: (value, zone, roundUp) => readIso(value, zone, roundUp, strict),
    write: (at, zone = UTC) => writeParts(nanos ? ISO_NANOS : ISO_PRINT, at, zone),
  };
}

/**
 * Reads `yyyy[-MM[-dd[THH[:mm[:ss[.fraction]]][zone]]]]`, hand-written because nearly every document uses it.
 */
function readIso(text: string, zone: Zone, roundUp: boolean, strict: boolean): Instant | undefined {
  let at = 0;
  const found: DateParts = {};
  const digits = (min: number, max: number): number => {
    let value = 0;
    const from = at;
    for (; at < text.length && at - from < max; at++) {
      const c = text.charCodeAt(at) - 48;
      if (c < 0 || c > 9) break;
      value = value * 10 + c;
    }
    return at - from < min ? -1 : value;
  };
  const least = strict ? 2 : 1;
  const negative = text.charCodeAt(0) === 45;
  if (negative || text.charCodeAt(0) === 43) at++;
  const year = digits(strict ? 4 : 1, at > 0 ? 9 : strict ? 4 : 9);
  if (year < 0) return undefined;
  found.year = negative ? -year : year;
  if (at < text.length && text[at] === '-') {
    at++;
    if ((found.month = digits(least, 2)) < 1 || found.month > 12) return undefined;
    if (at < text.length && text[at] === '-') {
      at++;
      if ((found.day = digits(least, 2)) < 1 || found.day > daysInMonth(found.year, found.month))
        return undefined;
    }
  }
  if (at < text.length) {
    if (text[at] !== 'T' || (strict && found.day === undefined)) return undefined;
    at++;
    if (at < text.length) {
      if ((found.hour = digits(least, 2)) < 0 || found.hour > 23) return undefined;
      if (text[at] === ':') {
        at++;
        if ((found.minute = digits(least, 2)) < 0 || found.minute > 59) return undefined;
        if (text[at] === ':') {
          at++;
          if ((found.second = digits(least, 2)) < 0 || found.second > 59) return undefined;
          if (text[at] === '.' || text[at] === ',') {
            const from = ++at;
            const value = digits(1, 9);
            if (value < 0) return undefined;
            found.nanos = value * 10 ** (9 - (at - from));
          }
        }
      }
      if (at < text.length) {
        const rest = text.slice(at);
        const offset = offsetOf(rest);
        if (offset === undefined) {
          found.zone = findZone(rest);
          if (found.zone === undefined) return undefined;
        } else {
          if (!roundUp || found.nanos !== undefined) return exact(found, offset, roundUp);
          found.zone = findZone(rest);
        }
      }
    }
  }
  if (!roundUp && zone === UTC && found.zone === undefined) return exact(found, 0, false);
  return toInstant(found, zone, roundUp);
}

/** Fast path for a complete date at a known offset. */
function exact(found: DateParts, offset: number, roundUp: boolean): Instant | undefined {
  const nanos = found.nanos ?? (roundUp ? 999_999_999 : 0);
  const ms =
    daysOf(found.year!, found.month ?? 1, found.day ?? 1) * 86_400_000 +
    (found.hour ?? 0) * 3_600_000 +
    (found.minute ?? 0) * 60_000 +
    (found.second ?? 0) * 1000 +
    Math.floor(nanos / 1e6);
  return Math.abs(ms) > 8.64e15 ? undefined : { ms: ms - offset, nanos: nanos % 1e6 };
}

/** The error for text that matches no format. */
export function dateFault(text: string, format: string): EngineError {
  return new EngineError(
    'illegal_argument_exception',
    `failed to parse date field [${text}] with format [${format}]`,
    {
      causedBy: new EngineError('date_time_parse_exception', 'Failed to parse with all enclosed parsers'),
    },
  );
}
