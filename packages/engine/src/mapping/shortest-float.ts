// How is a 32-bit float written? With the fewest digits that still name it among floats (0.1974805, not the
// 0.19748049974441528 that its double would take), as Java prints it and clients of the peer expect.

/** Whole floats below are written as they are. */
const EXACT = 2 ** 24;
/** Floats below have fewer digits to name them by. */
const NORMAL = 2 ** -126;
/** Digits behind the first: no float that is in the middle between two of at most eight digits has as many. */
const MOST_EXACT = 60;
/** A float has no more. */
const MOST_DIGITS = 9;
const FEWEST_DIGITS = 6;
/** Powers of ten that doubles hold exactly: an integer divided by one is the double nearest to that decimal. */
const TENS: Float64Array = Float64Array.from({ length: 16 }, (_, n) => 10 ** n);
const BOUNDS = [0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;
/** A product so near to the middle between two integers may be rounded to the wrong one of them. */
const NEAR_HALF = 1e-5;

/** The double with the shortest decimal form that rounds to the float32. REQUIRES: x is a float32 value. */
export function shortestFloat(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || (size < EXACT && Number.isInteger(x))) return x;
  const short = size >= 1e-3 && size < 1e7 ? shortest(size) : undefined;
  if (short !== undefined) return x < 0 ? -short : short;
  for (let digits = size < NORMAL ? 2 : FEWEST_DIGITS; digits < MOST_DIGITS; digits++) {
    const y = rounded(x, digits);
    if (Math.fround(y) === x) return y;
  }
  return Number(x.toPrecision(MOST_DIGITS));
}

/** To so many digits. In the middle between two the even one, as Java does; `toPrecision` takes the larger. */
function rounded(x: number, digits: number): number {
  const up = Number(x.toPrecision(digits));
  const [mantissa = '', exponent = '0'] = Math.abs(x).toExponential(MOST_EXACT).split('e');
  const all = mantissa.replace('.', '');
  if (all[digits] !== '5' || !isZeros(all, digits + 1) || Number(all[digits - 1]) % 2 === 1) return up;
  const down = Number(`${all[0]}.${all.slice(1, digits)}e${exponent}`);
  return x < 0 ? -down : down;
}

function isZeros(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) if (text[at] !== '0') return false;
  return true;
}

/** The same by arithmetic alone, for what scores mostly are; undefined where that is not certain. REQUIRES: 0.001 <= x < 10^7. */
function shortest(x: number): number | undefined {
  // Digits before the point; zeros behind it count down.
  let whole = -2;
  for (const bound of BOUNDS) if (x >= bound) whole++;
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const ten = TENS[digits - whole]!;
    const scaled = x * ten;
    if (Math.abs(scaled - Math.floor(scaled) - 0.5) < NEAR_HALF) return undefined;
    const y = Math.round(scaled) / ten;
    if (Math.fround(y) === x) return y;
  }
  return undefined;
}
