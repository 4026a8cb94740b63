// Applies a flat patch to a source without parsing the source into a tree. Members of the patch replace
// members of the source in place or are appended; every other byte stays as it is. Patches with objects or
// arrays, or with more than 16 members, are merged as trees (partial-update.ts).

import { KeyTable } from '../../json/key-table.ts';
import { numberValue } from '../../json/parse.ts';
import { findClosingQuote } from '../../json/plain-bytes.ts';
import { ARRAY_START, END, KEY, NUMBER, OBJECT_START, Scanner, STRING } from '../../json/scanner.ts';

const QUOTE = 34;
const COMMA = 44;
/** Patches with more members are merged as trees. */
const MAX_MEMBERS = 16;

/** A member of the current patch; the objects are reused for every patch. */
interface Member {
  /** Number of its key in the table that both scanners share. */
  key: number;
  token: number;
  escaped: boolean;
  value: number | bigint | undefined;
  /** Positions in the patch: the key with its quotes, and the value. */
  keyStart: number;
  start: number;
  stop: number;
  /**
   * Bytes [from, to) of the source that its value replaces; both -1 if it is appended, both 0 if it is
   * unchanged.
   */
  from: number;
  to: number;
}

const members = Array.from(
  { length: MAX_MEMBERS },
  (): Member => ({
    key: -1,
    token: END,
    escaped: false,
    value: undefined,
    keyStart: 0,
    start: 0,
    stop: 0,
    from: 0,
    to: 0,
  }),
);
let count = 0;
/** The members that replace something, in the order of the source. */
const edits: Member[] = [];
/**
 * Position of the closing brace of the source, if a member is appended; and whether the source has no
 * members.
 */
let closing = 0;
let isEmpty = false;

const keys = new KeyTable();
const patchScanner = new Scanner(keys);
const sourceScanner = new Scanner(keys);

/** The patch changes nothing. */
export const UNCHANGED = 0;
/** The patch has to be merged as a tree. */
export const UNFIT = -1;
/** The result does not fit. */
export const TOO_LARGE = -2;

/**
 * The source with the patch applied, valid until the next call; undefined if nothing changes, 'unfit' if it
 * has to be merged as a tree. Throws json_parse_exception for the patch. O(bytes). REQUIRES: the source is a
 * JSON object, checked when it was accepted.
 */
export function spliceSource(source: Uint8Array, patch: Uint8Array): Uint8Array | undefined | 'unfit' {
  const length = compareAll(source, patch);
  if (length === UNCHANGED) return undefined;
  if (length === UNFIT) return 'unfit';
  const out = length <= scratch.length ? scratch.subarray(0, length) : Buffer.allocUnsafe(length);
  put(source, patch, out, 0);
  return out;
}

const scratch = Buffer.allocUnsafeSlow(64 << 10);

/**
 * Writes the result to `out` from `at` on; returns its length (at least 2), or UNCHANGED, UNFIT or TOO_LARGE.
 */
export function spliceInto(source: Uint8Array, patch: Uint8Array, out: Uint8Array, at: number): number {
  const length = compareAll(source, patch);
  if (length <= 0) return length;
  if (at + length > out.length) return TOO_LARGE;
  put(source, patch, out, at);
  return length;
}

/** Finds what the patch changes: the length of the result, UNCHANGED or UNFIT. */
function compareAll(source: Uint8Array, patch: Uint8Array): number {
  // Reset both before the first key is read: a reset may clear the shared key table.
  sourceScanner.reset(source, 0, source.length);
  patchScanner.reset(patch, 0, patch.length);
  if (!readPatch()) return UNFIT;
  const scanner = sourceScanner;
  if (scanner.next() !== OBJECT_START) return UNFIT;
  edits.length = 0;
  isEmpty = true;
  let missing = count;
  closing = 0;
  let length = source.length;
  // Stop as soon as every member of the patch is found.
  while (missing > 0 && scanner.next() === KEY) {
    isEmpty = false;
    const member = memberOf(scanner.key);
    if (member === undefined) {
      skipValue(scanner);
      continue;
    }
    scanner.next();
    missing--;
    const same = compare(member, patch);
    if (same === undefined) return UNFIT;
    const from = scanner.token === STRING ? scanner.start - 1 : scanner.start;
    scanner.skip();
    member.from = member.to = 0;
    if (same) continue;
    member.from = from;
    member.to = scanner.position;
    length += member.stop - member.start - (member.to - from);
    edits.push(member);
  }
  if (missing === 0) return edits.length === 0 ? UNCHANGED : length;
  closing = scanner.start;
  if (scanner.next() !== END) return UNFIT;
  for (let i = 0; i < count; i++) {
    const { from, keyStart, stop } = members[i]!;
    if (from < 0) length += 1 + stop - keyStart;
  }
  return isEmpty ? length - 1 : length;
}

function memberOf(key: number): Member | undefined {
  for (let i = 0; i < count; i++) if (members[i]!.key === key) return members[i];
  return undefined;
}

/**
 * Skips the value of the key just read. It was checked when it was accepted, so a string is skipped to its
 * closing quote.
 */
function skipValue(scanner: Scanner): void {
  const { bytes, position } = scanner;
  const stop = bytes[position] === QUOTE ? findClosingQuote(bytes, position + 1) : -1;
  if (stop >= 0) scanner.skipTo(stop + 1);
  else {
    scanner.next();
    scanner.skipChecked();
  }
}

/** Reads the members of the patch; false where one is an object or an array, or they are many. */
function readPatch(): boolean {
  const scanner = patchScanner;
  count = 0;
  if (scanner.next() !== OBJECT_START) return false;
  while (scanner.next() === KEY) {
    if (count === MAX_MEMBERS) return false;
    const member = members[count++]!;
    member.key = scanner.key;
    member.keyStart = scanner.start - 1;
    const token = scanner.next();
    if (token === OBJECT_START || token === ARRAY_START) return false;
    const quote = token === STRING ? 1 : 0;
    member.token = token;
    member.escaped = token === STRING && scanner.escaped;
    // Also refuses numbers beyond the range of a double.
    member.value = token === NUMBER ? numberValue(scanner) : undefined;
    member.start = scanner.start - quote;
    member.stop = scanner.stop + quote;
    member.from = member.to = -1;
  }
  return scanner.next() === END;
}

/**
 * Whether the current value of the source equals that of the member; undefined if bytes cannot decide
 * (escapes).
 */
function compare(member: Member, patch: Uint8Array): boolean | undefined {
  const scanner = sourceScanner;
  if (scanner.token !== member.token) return false;
  if (member.token !== NUMBER && member.token !== STRING) return true;
  const quote = member.token === STRING ? 1 : 0;
  const { bytes, start, stop } = scanner;
  const first = member.start + quote;
  const length = stop - start;
  let same = length === member.stop - quote - first;
  for (let i = 0; same && i < length; i++) same = bytes[start + i] === patch[first + i];
  if (same) return true;
  if (quote === 0) return numberValue(scanner) === member.value;
  return member.escaped || scanner.escaped ? undefined : false;
}

/** Writes the result to `out` from `at` on. */
function put(source: Uint8Array, patch: Uint8Array, out: Uint8Array, at: number): void {
  let to = at;
  let done = 0;
  for (const member of edits) {
    to = copy(source, done, member.from, out, to);
    to = copy(patch, member.start, member.stop, out, to);
    done = member.to;
  }
  if (closing > 0) {
    to = copy(source, done, closing, out, to);
    done = closing;
    let first = isEmpty;
    for (let i = 0; i < count; i++) {
      const { from, keyStart, stop } = members[i]!;
      if (from >= 0) continue;
      if (!first) out[to++] = COMMA;
      first = false;
      to = copy(patch, keyStart, stop, out, to);
    }
  }
  copy(source, done, source.length, out, to);
}

/** Copies bytes [from, to) to `out` at `at`; returns the place behind them. */
function copy(bytes: Uint8Array, from: number, to: number, out: Uint8Array, at: number): number {
  if (to - from > LOOP_BYTES) out.set(bytes.subarray(from, to), at);
  else for (let i = from, j = at; i < to; i++, j++) out[j] = bytes[i]!;
  return at + to - from;
}

/** Up to so many bytes are copied in a loop: creating a view costs more. */
const LOOP_BYTES = 32;
