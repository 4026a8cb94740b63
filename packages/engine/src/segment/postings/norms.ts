// The length of a field in one byte, as Lucene's SmallFloat.intToByte4: exact up to 39, then four
// significant bits. Equal bytes keep scores equal to those of OpenSearch.

function longToInt4(i: number): number {
  const bits = i < 0x80000000 ? 32 - Math.clz32(i) : 33;
  if (bits < 4) return i;
  const shift = bits - 4;
  return (Math.floor(i / 2 ** shift) & 7) | ((shift + 1) << 3);
}

function int4ToLong(i: number): number {
  const shift = (i >>> 3) - 1;
  return shift < 0 ? i & 7 : ((i & 7) | 8) * 2 ** shift;
}

const MAX_INT4 = longToInt4(0x7fffffff);
const FREE_VALUES = 255 - MAX_INT4;

/** Byte of a length. REQUIRES: 0 <= length < 2^31. */
export function normOf(length: number): number {
  return length < FREE_VALUES ? length : FREE_VALUES + longToInt4(length - FREE_VALUES);
}

/** Length that a byte stands for (SmallFloat.byte4ToInt). */
export function lengthOf(norm: number): number {
  return norm < FREE_VALUES ? norm : FREE_VALUES + int4ToLong(norm - FREE_VALUES);
}

/** lengthOf for all 256 bytes. */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, norm) => lengthOf(norm));
