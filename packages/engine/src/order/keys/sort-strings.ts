// Sorts byte strings: by radix on the 8 bytes after their common prefix, then by comparing what is still
// tied. Half a million ids take about 30 ms; comparing them as JavaScript strings takes over a second.

import { compareByteRanges } from '../../kernels/sorted-search.ts';
import { identity, type Permutation, radixSort, shortSort } from './radix-sort.ts';

/** Byte strings laid end to end: string i is `bytes[starts[i] … starts[i + 1])`. */
export interface Strings {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly count: number;
}

/** Up to so many strings are sorted by comparing. */
const SHORT = 1_024;

/** -1, 0 or 1 as string a sorts before, with or after string b, bytewise. */
function compareStrings(s: Strings, a: number, b: number): number {
  return compareByteRanges(s.bytes, s.starts[a]!, s.starts[a + 1]!, s.bytes, s.starts[b]!, s.starts[b + 1]!);
}

/** Lays separate byte strings end to end. */
export function concatStrings(parts: readonly Uint8Array[]): Strings {
  const starts = new Uint32Array(parts.length + 1);
  let size = 0;
  for (let i = 0; i < parts.length; i++) {
    starts[i] = size;
    size += parts[i]!.length;
  }
  starts[parts.length] = size;
  const bytes = new Uint8Array(size);
  for (let i = 0; i < parts.length; i++) bytes.set(parts[i]!, starts[i]!);
  return { bytes, starts, count: parts.length };
}

function commonPrefix(s: Strings): number {
  let prefix = s.count > 0 ? s.starts[1]! - s.starts[0]! : 0;
  const first = s.starts[0]!;
  for (let i = 1; i < s.count && prefix > 0; i++) {
    const start = s.starts[i]!;
    const length = Math.min(prefix, s.starts[i + 1]! - start);
    let k = 0;
    while (k < length && s.bytes[start + k] === s.bytes[first + k]) k++;
    prefix = k;
  }
  return prefix;
}

/** Four bytes from `at` on as a big-endian number; bytes at and beyond `end` count as zero. */
function word(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end) {
    return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  }
  let x = 0;
  for (let k = 0; k < 4; k++) x = (x << 8) | (at + k < end ? bytes[at + k]! : 0);
  return x >>> 0;
}

/**
 * The strings in ascending byte order; equal ones stay in the order of their numbers. Yields between passes.
 */
export function* sortStrings(s: Strings): Generator<void, Uint32Array, undefined> {
  const p = identity(s.count);
  if (s.count <= SHORT) {
    shortSort(p, (a, b) => compareStrings(s, a, b));
    return p.current;
  }
  const prefix = commonPrefix(s);
  yield;
  const high = new Uint32Array(s.count);
  const low = new Uint32Array(s.count);
  for (let i = 0; i < s.count; i++) {
    const at = s.starts[i]! + prefix;
    const end = s.starts[i + 1]!;
    high[i] = word(s.bytes, at, end);
    low[i] = word(s.bytes, at + 4, end);
    if (i % 65_536 === 65_535) yield;
  }
  yield;
  yield* radixSort(p, low, false);
  yield* radixSort(p, high, false);
  yield* settleTies(p, s, high, low);
  return p.current;
}

/**
 * Sorts every run of equal 8-byte prefixes by what follows (and by length: zero padding hides a trailing
 * NUL).
 */
function* settleTies(
  p: Permutation,
  s: Strings,
  high: Uint32Array,
  low: Uint32Array,
): Generator<void, void, undefined> {
  const docs = p.current;
  let sinceYield = 0;
  for (let i = 1; i < docs.length; i++) {
    const h = high[docs[i - 1]!];
    const l = low[docs[i - 1]!];
    if (high[docs[i]!] !== h || low[docs[i]!] !== l) continue;
    let end = i + 1;
    while (end < docs.length && high[docs[end]!] === h && low[docs[end]!] === l) end++;
    docs.subarray(i - 1, end).sort((a, b) => compareStrings(s, a, b) || a - b);
    sinceYield += end - i;
    if (sinceYield > 4_096) {
      sinceYield = 0;
      yield;
    }
    i = end;
  }
}
