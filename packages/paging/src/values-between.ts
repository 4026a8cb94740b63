// Values between two others, for a search that counts the items between them. About twenty candidates are
// spread in several ways, because the distribution of the data is unknown:
// - evenly by value (even data);
// - evenly by the bits of a double (data over many magnitudes);
// - by the next character where two texts begin to differ;
// - along the common prefixes of both texts (nested prefixes).

import { compareTupleValues } from './order.ts';
import type { TupleValue } from './tuple.ts';

type Value = Exclude<TupleValue, null>;

const EVENLY = 8;

/** Up to about 20 values v with low <= v < high, not sorted, perhaps with repetitions. REQUIRES: low < high. */
export function valuesBetween(low: Value, high: Value): Value[] {
  if (low instanceof Date && high instanceof Date)
    return integers(BigInt(low.getTime()), BigInt(high.getTime())).map((ms) => new Date(Number(ms)));
  if (typeof low === 'string' && typeof high === 'string')
    return digits(codePoints(low), codePoints(high), 0x10ffff).map(textOf);
  if (low instanceof Uint8Array && high instanceof Uint8Array)
    return digits([...low], [...high], 0xff).map((bytes) => Uint8Array.from(bytes));
  if (isNumber(low) && isNumber(high)) return numbers(low, high);
  // Booleans, and values of different kinds: the lower one is the only candidate.
  return [low];
}

function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function numbers(low: number | bigint, high: number | bigint): (number | bigint)[] {
  const whole = (x: number | bigint): boolean => typeof x === 'bigint' || Number.isSafeInteger(x);
  const found: (number | bigint)[] = [];
  if (whole(low) && whole(high)) {
    const plain = typeof low === 'number' && typeof high === 'number';
    found.push(...integers(BigInt(low), BigInt(high)).map((x) => (plain ? Number(x) : x)));
    return found;
  }
  const [x, y] = [Number(low), Number(high)];
  const span = y / EVENLY - x / EVENLY;
  if (Number.isFinite(span)) for (let i = 1; i < EVENLY; i++) found.push(x + span * i);
  found.push(...spread(bitsOf(x), bitsOf(y)).map(ofBits));
  return found.filter((v) => compareTupleValues(low, v) <= 0 && compareTupleValues(v, high) < 0);
}

/** Evenly, and at growing distances from both ends. */
function integers(low: bigint, high: bigint): bigint[] {
  const found = spread(low, high);
  const span = high - low;
  for (let bits = 1n; 1n << bits < span; bits += BigInt(Math.max(1, span.toString(2).length >> 2)))
    found.push(low + (1n << bits), high - (1n << bits));
  return found;
}

function spread(low: bigint, high: bigint): bigint[] {
  const span = high - low;
  return Array.from({ length: EVENLY }, (_, i) => low + (span * BigInt(i)) / BigInt(EVENLY));
}

const view = new DataView(new ArrayBuffer(8));

/** An integer that sorts as the double does: the bits of positive numbers, the negated magnitude of negative ones. */
function bitsOf(x: number): bigint {
  view.setFloat64(0, x === 0 ? 0 : x);
  const bits = view.getBigInt64(0);
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
}

function ofBits(bits: bigint): number {
  view.setBigUint64(0, bits < 0n ? BigInt.asUintN(64, -bits) | (1n << 63n) : bits);
  return view.getFloat64(0);
}

/** Candidates for texts and bytes: split at the first digit that differs, and along the beginnings of both. */
function digits(low: readonly number[], high: readonly number[], largest: number): number[][] {
  let same = 0;
  while (same < low.length && low[same] === high[same]) same++;
  const start = low.slice(0, same);
  const x = low[same] ?? 0;
  const y = high[same] ?? largest;
  const found: number[][] = [[...low]];
  const step = Math.max(1, (y - x) / (2 * EVENLY));
  for (let d = x; d <= y; d += step) found.push([...start, Math.floor(d)]);
  for (let i = 1; i <= EVENLY / 2; i++) {
    const along = (of: readonly number[]): number =>
      same + Math.ceil(((of.length - same) * i) / (EVENLY / 2 + 1));
    found.push(high.slice(0, along(high)), [...low.slice(0, along(low)), largest]);
  }
  return found;
}

function codePoints(text: string): number[] {
  return Array.from(text, (c) => c.codePointAt(0)!);
}

/** Surrogates cannot be encoded, so the last code point before them replaces them; U+0001 replaces U+0000. */
function textOf(points: readonly number[]): string {
  return points
    .map((p) => String.fromCodePoint(p === 0 ? 1 : p >= 0xd800 && p <= 0xdfff ? 0xd7ff : p))
    .join('');
}
