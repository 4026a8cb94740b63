// Where in a search body does it say where the page begins? The values of `from`, `page`, `search_after` and of
// tokens at the top are cut out; what is left is the same text for all pages of a list, so that it is read once.

/** Members whose values differ from page to page. */
export const HOLES = ['from', 'page', 'search_after', 'next_token', 'prev_token'] as const;

export type Hole = (typeof HOLES)[number];

/** A body without its holes, and the raw JSON of what stood in them. */
export interface Cut {
  readonly rest: string;
  readonly values: Partial<Record<Hole, string>>;
  /** Where the last of the values began; 0 where there is none. */
  readonly at: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;
/** Tab, line feed, carriage return and space. */
const SPACE: readonly number[] = [9, 10, 13, 32];

/**
 * Cuts the holes out of a body; undefined for what does not look like an object with plain keys. Says nothing about the
 * rest being valid: texts with the same rest are equally valid, as long as the values are. O(text).
 */
export function cutHoles(text: string): Cut | undefined {
  const values: Partial<Record<Hole, string>> = {};
  let rest = '';
  let copied = 0;
  let last = 0;
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== OPEN) return undefined;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = stringEnd(text, at);
    const key = text.slice(at + 1, keyEnd - 1);
    if (key.includes('\\')) return undefined;
    at = skipSpace(text, keyEnd);
    if (text[at] !== ':') return undefined;
    const start = skipSpace(text, at + 1);
    const end = valueEnd(text, start);
    if (isHole(key)) {
      if (values[key] !== undefined) return undefined;
      values[key] = text.slice(start, spaceBefore(text, end));
      rest += text.slice(copied, start);
      last = start;
      copied = end;
    }
    if (text.charCodeAt(end) === CLOSE) return { rest: rest + text.slice(copied), values, at: last };
    if (text.charCodeAt(end) !== COMMA) return undefined;
    at = skipSpace(text, end + 1);
  }
  return undefined;
}

function isHole(key: string): key is Hole {
  return (HOLES as readonly string[]).includes(key);
}

/** Behind the string that begins at `at`; the end of the text where it has no end. */
function stringEnd(text: string, at: number): number {
  let end = at + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) return end + 1;
    if (code === BACKSLASH) end++;
  }
  return end;
}

/** The comma or bracket that ends a value at this level. */
function valueEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === OPEN || code === OPEN_LIST) depth++;
    else if (code === CLOSE || code === CLOSE_LIST) {
      if (depth-- === 0) return at;
    } else if (code === COMMA && depth === 0) return at;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** Where white space begins that ends at `to`: only what JSON allows there, for the value is not read again. */
function spaceBefore(text: string, to: number): number {
  let at = to;
  while (SPACE.includes(text.charCodeAt(at - 1))) at--;
  return at;
}
