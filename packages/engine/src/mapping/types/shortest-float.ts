// Prints a 32-bit float with the fewest digits that identify it among floats (0.1974805, not its
// double's 0.19748049974441528), as Java does and clients of OpenSearch expect.

/** Whole floats below this are exact as they are. */
const EXACT = 2 ** 24;
/** Subnormal floats below this need fewer digits. */
const NORMAL = 2 ** -126;
/** No float needs more digits. */
const MOST_DIGITS = 9;
const FEWEST_DIGITS = 6;
/**
 * Powers of ten that doubles hold exactly: an integer divided by one is the double nearest to that decimal.
 */
const TENS: Float64Array = Float64Array.from({ length: 16 }, (_, n) => 10 ** n);
const BOUNDS = [0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6] as const;
/** A product this close to the middle between two integers may be rounded to the wrong one. */
const NEAR_HALF = 1e-5;

/**
 * The double of the shortest decimal that rounds to the float32, the nearest of those. REQUIRES: x is a
 * float32 value.
 */
export function shortestFloat(x: number): number {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || (size < EXACT && Number.isInteger(x))) return x;
  const short = (size >= 1e-3 && size < 1e7 ? shortest(size) : undefined) ?? exactly(size);
  return x < 0 ? -short : short;
}

const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);

/**
 * Exact version in integers, for cases that doubles cannot decide. Of two equally near decimals the even one is taken, as
 * Java does. REQUIRES: x > 0.
 */
function exactly(x: number): number {
  f32[0] = x;
  const [biased, fraction] = [u32[0]! >>> 23, u32[0]! & 0x7fffff];
  const mantissa = biased === 0 ? fraction : fraction + 2 ** 23;
  // Half the distance to each neighbour, in quarters of the last place: below a power of two floats are half
  // as far apart.
  const exponent = Math.max(biased, 1) - 152;
  const [below, above] = [fraction === 0 && biased > 1 ? 1n : 2n, 2n];
  const takesEnds = mantissa % 2 === 0;
  const whole = Number(x.toExponential().split('e')[1]);
  for (let digits = x < NORMAL ? 2 : FEWEST_DIGITS; ; digits++) {
    const places = digits - 1 - whole;
    const quarter = power(2n, exponent) * power(10n, places);
    const one = power(2n, -exponent) * power(10n, -places);
    const scaled = BigInt(mantissa) * 4n * quarter;
    const [down, rest] = [scaled / one, scaled % one];
    const reaches = (way: bigint, most: bigint): boolean => way < most || (takesEnds && way === most);
    const isDown = reaches(rest, below * quarter);
    const isUp = reaches(one - rest, above * quarter);
    if (!isDown && !isUp) continue;
    const isNearerUp = rest * 2n > one || (rest * 2n === one && down % 2n === 1n);
    return Number(`${isUp && (isNearerUp || !isDown) ? down + 1n : down}e${-places}`);
  }
}

/** The power, or 1 for a negative exponent (which belongs to the other side of the fraction). */
function power(base: bigint, exponent: number): bigint {
  return base ** BigInt(Math.max(0, exponent));
}

/**
 * Fast version in doubles, enough for most scores; undefined where it is not certain. REQUIRES: 0.001 <= x <
 * 10^7.
 */
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
