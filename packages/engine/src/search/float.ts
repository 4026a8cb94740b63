// How is a 32-bit float written? With the fewest digits that still name it among floats (0.1974805, not the
// 0.19748049974441528 that its double would take), as Java prints it and clients of the peer expect.

/** Whole floats below are written as they are. */
const EXACT = 2 ** 24;
/** Floats below have fewer digits to name them by. */
const NORMAL = 2 ** -126;

/** The double with the shortest decimal form that rounds to the float32. REQUIRES: x is a float32 value. */
export function shortestFloat(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || (size < EXACT && Number.isInteger(x))) return x;
  for (let digits = size < NORMAL ? 2 : 6; digits < 9; digits++) {
    const y = Number(x.toPrecision(digits));
    if (Math.fround(y) === x) return y;
  }
  return Number(x.toPrecision(9));
}
