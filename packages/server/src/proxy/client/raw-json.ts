// Finds members and elements in JSON that the cluster printed, as byte ranges. Values are passed on as bytes,
// so that every number keeps its spelling.

import { RawJson } from '../../json/reply-value.ts';

/** A value: from its first byte to the byte after its last. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** The members of the object at a range, by name; empty for other values. O(bytes). */
export function membersAt(bytes: Uint8Array, { start }: JsonRange): Map<string, JsonRange> {
  const out = new Map<string, JsonRange>();
  let at = skipSpace(bytes, start);
  if (bytes[at] !== 0x7b) return out;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] === QUOTE) {
    const nameEnd = valueEnd(bytes, at);
    const name = JSON.parse(Buffer.from(bytes.subarray(at, nameEnd)).toString('utf8')) as string;
    at = skipSpace(bytes, nameEnd);
    if (bytes[at] !== COLON) throw malformed();
    const from = skipSpace(bytes, at + 1);
    const end = valueEnd(bytes, from);
    out.set(name, { start: from, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  if (bytes[at] !== 0x7d) throw malformed();
  return out;
}

/**
 * The end of the value of an object's first member, whatever follows it. Undefined if there is none.
 * O(bytes).
 */
export function firstMemberEnd(bytes: Uint8Array): number | undefined {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== 0x7b) return undefined;
  at = skipSpace(bytes, at + 1);
  if (bytes[at] !== QUOTE) return undefined;
  try {
    at = skipSpace(bytes, stringEnd(bytes, at));
    return bytes[at] === COLON ? valueEnd(bytes, skipSpace(bytes, at + 1)) : undefined;
  } catch {
    return undefined;
  }
}

/** The elements of the array at a range; none for other values. O(bytes). */
export function elementsAt(bytes: Uint8Array, { start }: JsonRange): JsonRange[] {
  const out: JsonRange[] = [];
  let at = skipSpace(bytes, start);
  if (bytes[at] !== 0x5b) return out;
  at = skipSpace(bytes, at + 1);
  while (at < bytes.length && bytes[at] !== 0x5d) {
    const end = valueEnd(bytes, at);
    out.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  if (bytes[at] !== 0x5d) throw malformed();
  return out;
}

export function wholeRange(bytes: Uint8Array): JsonRange {
  return { start: 0, end: bytes.length };
}

/** The value at a range, to be printed unchanged. */
export function rawJsonAt(bytes: Uint8Array, { start, end }: JsonRange): RawJson {
  return new RawJson(bytes.subarray(start, end));
}

/** All members of an object, unchanged and in their order. */
export function rawMembers(bytes: Uint8Array, range: JsonRange): Record<string, RawJson> {
  const out = Object.create(null) as Record<string, RawJson>;
  for (const [name, each] of membersAt(bytes, range)) out[name] = rawJsonAt(bytes, each);
  return out;
}

/** The end of the value that starts at `start`. */
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
      // The end of the container of a number or literal.
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && at > start && (byte === COMMA || byte <= 32)) return at;
    at++;
  }
  if (depth > 0 || at === start) throw malformed();
  return at;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    if (bytes[at] === QUOTE) return at + 1;
    at += bytes[at] === BACKSLASH ? 2 : 1;
  }
  throw malformed();
}

/** The next byte that is not white space. */
function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at]! <= 32) at++;
  return at;
}

function malformed(): Error {
  return new SyntaxError('the cluster sent malformed JSON');
}
