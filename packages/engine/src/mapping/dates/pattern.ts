// Reads dates by a pattern such as `yyyy-MM-dd HH:mm:ss` (java.time's letters). A pattern is compiled to
// parts; reading walks text and parts together and tries optional parts both ways within a bounded
// number of steps.

import { illegalArgument } from '../../errors.ts';
import { findZone, type Zone } from './zone.ts';

/** The parts of a date that were read. Missing ones are undefined, so that the caller can round up. */
export interface DateParts {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
  dayOfYear?: number | undefined;
  weekYear?: number | undefined;
  week?: number | undefined;
  weekday?: number | undefined;
  hour?: number | undefined;
  /** Hour of a 12-hour clock, 0 to 11, with `pm`. */
  hour12?: number | undefined;
  pm?: boolean | undefined;
  minute?: number | undefined;
  second?: number | undefined;
  nanos?: number | undefined;
  milliOfDay?: number | undefined;
  zone?: Zone | undefined;
}

/** An instant: milliseconds since 1970 and the nanoseconds (0 to 999,999) behind them. */
export interface Instant {
  ms: number;
  nanos: number;
}

/** Numeric parts. */
export type FieldName = Exclude<keyof DateParts, 'zone' | 'pm'>;

export type PatternPart =
  | { kind: 'literal'; text: string }
  | {
      kind: 'number';
      field: FieldName;
      min: number;
      max: number;
      low: number;
      high: number;
      signed: boolean;
      pad: number;
      base: number;
    }
  | { kind: 'fraction'; min: number; max: number; print: number }
  | { kind: 'names'; field: 'month' | 'weekday'; names: readonly string[] }
  | { kind: 'ampm' }
  | { kind: 'zone'; print: 'Z' | 'colon' | 'plain' | 'name' }
  | { kind: 'optional'; parts: PatternPart[] };

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const MAX_PATTERN = 200;
const MAX_STEPS = 20_000;

function number(field: FieldName, count: number, low: number, high: number, base = 0): PatternPart {
  // One letter reads any number of digits, more read exactly that many.
  return {
    kind: 'number',
    field,
    min: count,
    max: count === 1 ? 9 : count,
    low,
    high,
    signed: false,
    pad: count,
    base,
  };
}

/** Parts of a pattern. Errors name the letter, as java.time does. O(length). */
export function compilePattern(pattern: string): PatternPart[] {
  if (pattern.length > MAX_PATTERN) throw bad(pattern, 'Pattern is too long');
  const stack: PatternPart[][] = [[]];
  for (let i = 0; i < pattern.length; ) {
    const c = pattern[i]!;
    const parts = stack.at(-1)!;
    if (/[A-Za-z]/.test(c)) {
      let count = 1;
      while (pattern[i + count] === c) count++;
      parts.push(letter(pattern, c, count));
      i += count;
    } else if (c === "'") {
      let text = '';
      let j = i + 1;
      for (; ; j++) {
        if (j >= pattern.length)
          throw bad(pattern, `Pattern ends with an incomplete string literal: ${pattern}`);
        if (pattern[j] !== "'") text += pattern[j];
        else if (pattern[j + 1] === "'") {
          text += "'";
          j++;
        } else break;
      }
      parts.push({ kind: 'literal', text: j === i + 1 ? "'" : text });
      i = j + 1;
    } else if (c === '[') {
      stack.push([]);
      i++;
    } else if (c === ']') {
      if (stack.length === 1) throw bad(pattern, 'Pattern invalid as it contains ] without previous [');
      const inner = stack.pop()!;
      stack.at(-1)!.push({ kind: 'optional', parts: inner });
      i++;
    } else if (c === '{' || c === '}' || c === '#') {
      throw bad(pattern, `Pattern includes reserved character: '${c}'`);
    } else {
      parts.push({ kind: 'literal', text: c });
      i++;
    }
  }
  while (stack.length > 1) {
    const inner = stack.pop()!;
    stack.at(-1)!.push({ kind: 'optional', parts: inner });
  }
  return stack[0]!;
}

function bad(pattern: string, why: string): Error {
  return illegalArgument(`Invalid format: [${pattern}]: ${why}`);
}

function letter(pattern: string, c: string, count: number): PatternPart {
  switch (c) {
    case 'y':
    case 'u':
    case 'Y':
    case 'x': {
      if (c === 'x')
        return { kind: 'zone', print: count === 1 || count === 2 || count === 4 ? 'plain' : 'colon' };
      const field = c === 'Y' ? 'weekYear' : 'year';
      if (count === 2) return number(field, 2, 0, 99, 2000);
      return {
        kind: 'number',
        field,
        min: count,
        max: Math.max(count, 9),
        low: -999999999,
        high: 999999999,
        signed: true,
        pad: count,
        base: 0,
      };
    }
    case 'M':
    case 'L':
      if (count > 2)
        return {
          kind: 'names',
          field: 'month',
          names: count === 3 ? MONTHS.map((name) => name.slice(0, 3)) : MONTHS,
        };
      return number('month', count, 1, 12);
    case 'd':
      return number('day', count, 1, 31);
    case 'D':
      return number('dayOfYear', count, 1, 366);
    case 'w':
      return number('week', count, 1, 53);
    case 'e':
    case 'c':
      if (count > 2)
        return {
          kind: 'names',
          field: 'weekday',
          names: count === 3 ? WEEKDAYS.map((name) => name.slice(0, 3)) : WEEKDAYS,
        };
      return number('weekday', count, 1, 7);
    case 'E':
      return {
        kind: 'names',
        field: 'weekday',
        names: count < 4 ? WEEKDAYS.map((name) => name.slice(0, 3)) : WEEKDAYS,
      };
    case 'H':
      return number('hour', count, 0, 23);
    case 'k':
      return number('hour', count, 1, 24);
    case 'K':
      return number('hour12', count, 0, 11);
    case 'h':
      return number('hour12', count, 1, 12);
    case 'm':
      return number('minute', count, 0, 59);
    case 's':
      return number('second', count, 0, 59);
    case 'S':
      return { kind: 'fraction', min: count, max: count, print: count };
    case 'n':
      return { ...number('nanos', 1, 0, 999999999), pad: count } as PatternPart;
    case 'A':
      return { ...number('milliOfDay', 1, 0, 86399999), pad: count } as PatternPart;
    case 'a':
      return { kind: 'ampm' };
    case 'Z':
      return { kind: 'zone', print: count > 3 ? 'colon' : 'plain' };
    case 'X':
      return { kind: 'zone', print: 'Z' };
    case 'O':
      return { kind: 'zone', print: 'colon' };
    case 'z':
    case 'v':
    case 'V':
      return { kind: 'zone', print: 'name' };
    default:
      throw bad(pattern, `Unknown pattern letter: ${c}`);
  }
}

/** Reads the whole text; undefined if it does not match. Bounded work for every pattern. */
export function readParts(parts: readonly PatternPart[], text: string): DateParts | undefined {
  const reader = new Reader(text);
  return reader.run(parts, 0, 0, undefined) ? reader.found : undefined;
}

/** The continuation behind an optional part. */
interface Rest {
  parts: readonly PatternPart[];
  index: number;
  next: Rest | undefined;
}

class Reader {
  found: DateParts = {};
  readonly #text: string;
  #steps = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(parts: readonly PatternPart[], index: number, at: number, rest: Rest | undefined): boolean {
    if (++this.#steps > MAX_STEPS) return false;
    const part = parts[index];
    if (part === undefined) {
      if (rest !== undefined) return this.run(rest.parts, rest.index, at, rest.next);
      return at === this.#text.length;
    }
    if (part.kind === 'optional') {
      const before = { ...this.found };
      if (this.run(part.parts, 0, at, { parts, index: index + 1, next: rest })) return true;
      this.found = before;
      return this.run(parts, index + 1, at, rest);
    }
    if (part.kind === 'number' || part.kind === 'fraction') return this.#digits(part, parts, index, at, rest);
    const end = this.#word(part, at);
    return end >= 0 && this.run(parts, index + 1, end, rest);
  }

  #digits(
    part: PatternPart & { kind: 'number' | 'fraction' },
    parts: readonly PatternPart[],
    index: number,
    at: number,
    rest: Rest | undefined,
  ): boolean {
    const text = this.#text;
    let from = at;
    let sign = 1;
    if (part.kind === 'number' && part.signed && (text[from] === '-' || text[from] === '+')) {
      sign = text[from] === '-' ? -1 : 1;
      from++;
    }
    let end = from;
    while (
      end < text.length &&
      end - from < part.max &&
      text.charCodeAt(end) >= 48 &&
      text.charCodeAt(end) <= 57
    )
      end++;
    // Adjacent numbers (yyyyMMdd): a greedy first number gives digits back until the rest fits.
    for (; end - from >= part.min; end--) {
      const digits = text.slice(from, end);
      if (part.kind === 'fraction') this.found.nanos = Number(digits.padEnd(9, '0'));
      else {
        const value = sign * Number(digits) + part.base;
        if (value < part.low + part.base || value > part.high + part.base) continue;
        if (part.field === 'hour' && part.high === 24) this.found.hour = value % 24;
        else if (part.field === 'hour12') this.found.hour12 = value % 12;
        else this.found[part.field] = value;
      }
      if (this.run(parts, index + 1, end, rest)) return true;
    }
    return false;
  }

  /** Position behind a literal, name or zone at `at`, or -1. */
  #word(part: PatternPart, at: number): number {
    const text = this.#text;
    if (part.kind === 'literal') return text.startsWith(part.text, at) ? at + part.text.length : -1;
    if (part.kind === 'ampm') {
      const half = text.slice(at, at + 2).toUpperCase();
      if (half !== 'AM' && half !== 'PM') return -1;
      this.found.pm = half === 'PM';
      return at + 2;
    }
    if (part.kind === 'names') {
      const index = part.names.findIndex((name) => text.startsWith(name, at));
      if (index < 0) return -1;
      this.found[part.field] = index + 1;
      return at + part.names[index]!.length;
    }
    const match =
      /^(?:Z|z|(?:UTC|GMT|UT)?[+-]\d{1,2}(?::?\d{2}(?::?\d{2})?)?|[A-Za-z][A-Za-z0-9_/]*(?:[+-]\d{1,2})?)/.exec(
        text.slice(at, at + 64),
      );
    const zone = match === null ? undefined : findZone(match[0]);
    if (zone === undefined) return -1;
    this.found.zone = zone;
    return at + match![0].length;
  }
}
