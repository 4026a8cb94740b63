// How is a 32-bit float written? With the fewest digits that still name it among floats (0.1974805, not the
// 0.19748049974441528 that its double would take), as Java prints it and clients of the peer expect.

/** The double with the shortest decimal form that rounds to the float32. REQUIRES: x is a float32 value. */
export function shortestFloat(x: number): number {
  if (!Number.isFinite(x) || Number.isInteger(x)) return x;
  for (let digits = 6; digits < 9; digits++) {
    const y = Number(x.toPrecision(digits));
    if (Math.fround(y) === x) return y;
  }
  return Number(x.toPrecision(9));
}
