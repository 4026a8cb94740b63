// Where in these bytes is a value? Ranges of members and elements in JSON that the cluster has printed, so that what is
// passed on keeps every number as it was written.

import { RawJson } from '../../json/reply-value.ts';

/** A value: from its first byte to behind its last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** The members of the object at a place, by name; empty for other values. O(bytes). */
export function membersAt(bytes: Uint8Array, { start }: Range): Map<string, Range> {
  const out = new Map<string, Range>();
  let at = past(bytes, start);
  if (bytes[at] !== 0x7b) return out;
  at = past(bytes, at + 1);
  while (bytes[at] === QUOTE) {
    const nameEnd = valueEnd(bytes, at);
    const name = JSON.parse(Buffer.from(bytes.subarray(at, nameEnd)).toString('utf8')) as string;
    at = past(bytes, nameEnd);
    if (bytes[at] !== COLON) throw broken();
    const from = past(bytes, at + 1);
    const end = valueEnd(bytes, from);
    out.set(name, { start: from, end });
    at = past(bytes, end);
    if (bytes[at] === COMMA) at = past(bytes, at + 1);
  }
  if (bytes[at] !== 0x7d) throw broken();
  return out;
}

/** Behind the value of an object's first member, whatever stands there; undefined where there is none. O(bytes). */
export function firstMemberEnd(bytes: Uint8Array): number | undefined {
  let at = past(bytes, 0);
  if (bytes[at] !== 0x7b) return undefined;
  at = past(bytes, at + 1);
  if (bytes[at] !== QUOTE) return undefined;
  try {
    at = past(bytes, stringEnd(bytes, at));
    return bytes[at] === COLON ? valueEnd(bytes, past(bytes, at + 1)) : undefined;
  } catch {
    return undefined;
  }
}

/** The elements of the array at a place; none for other values. O(bytes). */
export function elementsAt(bytes: Uint8Array, { start }: Range): Range[] {
  const out: Range[] = [];
  let at = past(bytes, start);
  if (bytes[at] !== 0x5b) return out;
  at = past(bytes, at + 1);
  while (at < bytes.length && bytes[at] !== 0x5d) {
    const end = valueEnd(bytes, at);
    out.push({ start: at, end });
    at = past(bytes, end);
    if (bytes[at] === COMMA) at = past(bytes, at + 1);
  }
  if (bytes[at] !== 0x5d) throw broken();
  return out;
}

/** The whole of some bytes. */
export function wholeOf(bytes: Uint8Array): Range {
  return { start: 0, end: bytes.length };
}

/** A value, to be printed as it stands. */
export function rawAt(bytes: Uint8Array, { start, end }: Range): RawJson {
  return new RawJson(bytes.subarray(start, end));
}

/** All members of an object as they stand, in their order. */
export function rawMembers(bytes: Uint8Array, range: Range): Record<string, RawJson> {
  const out = Object.create(null) as Record<string, RawJson>;
  for (const [name, each] of membersAt(bytes, range)) out[name] = rawAt(bytes, each);
  return out;
}

/** Behind the value that begins at a place. */
function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (OPEN.has(byte)) depth++;
    else if (CLOSE.has(byte)) {
      // The end of what is around a number or a word.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && at > start && (byte === COMMA || byte <= 32)) return at;
    at++;
  }
  if (depth > 0 || at === start) throw broken();
  return at;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    if (bytes[at] === QUOTE) return at + 1;
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  throw broken();
}

/** The next byte that is not white space. */
function past(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at]! <= 32) at++;
  return at;
}

function broken(): Error {
  return new SyntaxError('the cluster sent what is no JSON');
}
