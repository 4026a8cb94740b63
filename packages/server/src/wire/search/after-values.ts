// Which values does a `search_after` have, as it stands in a body? Most are texts without escapes and whole numbers, by which a
// walk goes on: they are read here in one pass. All others, and what is wrong with them, are for the reader of all JSON.

import { type JsonValue, parseJson } from '@octavo/engine';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const SPACE = 0x20;
const LAST_PLAIN = 0x7e;
/** So many digits are exact in a double. */
const MOST_DIGITS = 15;
const WORDS: readonly (readonly [word: string, value: boolean | null])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
];

/** The values of an array of scalars; undefined where it is none, or empty. `text` has a character per byte. Throws as `parseJson`. */
export function afterOf(text: string): JsonValue[] | undefined {
  const simple = simpleValues(text);
  if (simple !== undefined) return simple;
  const after = parseJson(Buffer.from(text, 'latin1'));
  return Array.isArray(after) && after.length > 0 && after.every(isScalar) ? after : undefined;
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

/** The same of the plainest form, with one space behind a comma or none; undefined for every other. */
function simpleValues(text: string): JsonValue[] | undefined {
  const end = text.length - 1;
  if (end < 2 || text.charCodeAt(0) !== OPEN || text.charCodeAt(end) !== CLOSE) return undefined;
  const values: JsonValue[] = [];
  for (let at = 1; ; at++) {
    const first = text.charCodeAt(at);
    if (first === QUOTE) {
      const to = endOfText(text, at + 1, end);
      if (to < 0) return undefined;
      values.push(text.slice(at + 1, to));
      at = to + 1;
    } else if (first === MINUS || isDigit(first)) {
      const from = first === MINUS ? at + 1 : at;
      let to = from;
      let whole = 0;
      while (isDigit(text.charCodeAt(to))) whole = whole * 10 + text.charCodeAt(to++) - ZERO;
      const digits = to - from;
      if (digits === 0 || digits > MOST_DIGITS) return undefined;
      // No zeros in front, and none that is negative.
      if (text.charCodeAt(from) === ZERO && (digits > 1 || from > at)) return undefined;
      values.push(first === MINUS ? -whole : whole);
      at = to;
    } else {
      const found = WORDS.find(([word]) => text.startsWith(word, at));
      if (found === undefined) return undefined;
      values.push(found[1]);
      at += found[0].length;
    }
    if (at === end) return values;
    if (text.charCodeAt(at) !== COMMA) return undefined;
    if (text.charCodeAt(at + 1) === SPACE) at++;
  }
}

/** Where a text ends that begins at `from`; -1 where it has anything but plain characters. */
function endOfText(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit < SPACE || unit > LAST_PLAIN || unit === BACKSLASH) return -1;
  }
  return -1;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= ZERO + 9;
}
