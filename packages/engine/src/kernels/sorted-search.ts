// Search in sorted runs, and comparing and hashing of bytes. Binary search when nothing is known;
// galloping when the answer is near: O(log distance) (Bentley and Yao, 1976), which intersecting a short
// run with a long one needs.

/** First index in [from, end) whose value is >= x, else end. */
export function lowerBound(
  a: Uint8Array | Uint16Array | Uint32Array | Float64Array,
  from: number,
  end: number,
  x: number,
): number {
  let low = from;
  let high = end;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (a[mid]! < x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** As `lowerBound` for 16-bit runs, galloping from `from`. */
export function gallop(a: Uint16Array, from: number, end: number, x: number): number {
  if (from >= end || a[from]! >= x) return from;
  let at = from;
  let step = 1;
  while (at + step < end && a[at + step]! < x) {
    at += step;
    step <<= 1;
  }
  let low = at + 1;
  let high = Math.min(at + step, end);
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (a[mid]! < x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** -1, 0 or 1 as bytes a[aStart … aEnd) sort before, with or after b[bStart … bEnd), unsigned. */
export function compareByteRanges(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const n = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < n; i++) {
    const d = a[aStart + i]! - b[bStart + i]!;
    if (d !== 0) return d < 0 ? -1 : 1;
  }
  const d = aEnd - aStart - (bEnd - bStart);
  return d === 0 ? 0 : d < 0 ? -1 : 1;
}

/** FNV-1a over bytes, unsigned 32 bits (Fowler, Noll and Vo); fold the high half in before masking. */
export function hashBytes(a: Uint8Array, start: number, end: number): number {
  let h = 0x811c9dc5 | 0;
  for (let i = start; i < end; i++) h = Math.imul(h ^ a[i]!, 16777619);
  return (h ^ (h >>> 15)) >>> 0;
}
