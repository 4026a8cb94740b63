// Rounds a decimal text to the nearest float. Reading it as a double first would round twice: a double
// in the middle between two floats no longer says on which side the decimal was. Only in that case the
// decimal is examined again.

/** The largest float: 2^128 would be the next. */
const LARGEST = 2 ** 128 - 2 ** 104;
/**
 * The middle between two floats has no more digits; of longer decimals only matters whether a digit beyond is
 * not zero.
 */
const MOST_DIGITS = 200;
const DECIMAL = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?/;

const f64 = new Float64Array(1);
const bits = new BigUint64Array(f64.buffer);
const f32 = new Float32Array(1);
const i32 = new Int32Array(f32.buffer);

/** The float next to a float, upwards or downwards, as Java's Math.nextUp and nextDown have it. */
export function nextFloat(value: number, up: boolean): number {
  if (!Number.isFinite(value)) return up === value > 0 ? value : Math.sign(value) * LARGEST;
  f32[0] = value;
  if (value === 0) i32[0] = up ? 1 : 0x80000001 | 0;
  else i32[0]! += up === value > 0 ? 1 : -1;
  return f32[0]!;
}

/**
 * The float nearest to a decimal, of two as near the even one; infinite beyond the largest. `double` is the one nearest to it.
 * REQUIRES: text begins with digits, perhaps a sign, a point and an exponent.
 */
export function nearestFloat(text: string, double: number): number {
  const near = Math.fround(double);
  if (near === double || !Number.isFinite(double)) return near;
  const other = nextFloat(near, double > near);
  // Values round to infinity from the middle between the largest float and 2^128 on.
  const [a, b] = [near, other].map((each) => (Number.isFinite(each) ? each : Math.sign(each) * 2 ** 128));
  if (Math.abs(double - a!) !== Math.abs(double - b!)) return near;
  const side = compare(text, double);
  return side !== 0 && side > 0 === b! > a! ? other : near;
}

/** Compares a decimal with the double that it reads as: negative, 0 or positive. */
function compare(text: string, double: number): number {
  const [, sign, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text)!;
  const all = (whole + fraction).replace(/^0+/, '');
  const digits =
    all.length > MOST_DIGITS
      ? `${all.slice(0, MOST_DIGITS)}${/[1-9]/.test(all.slice(MOST_DIGITS)) ? 1 : 0}`
      : all;
  const tens = Number(exponent) - fraction.length + all.length - digits.length;
  f64[0] = Math.abs(double);
  const biased = Number(bits[0]! >> 52n);
  const mantissa = (bits[0]! & (2n ** 52n - 1n)) | (biased === 0 ? 0n : 2n ** 52n);
  const twos = Math.max(biased, 1) - 1075;
  const left = BigInt(digits) * power(10n, tens) * power(2n, -twos);
  const right = mantissa * power(10n, -tens) * power(2n, twos);
  const way = left > right ? 1 : left < right ? -1 : 0;
  return sign === '-' ? -way : way;
}

/** The power, or 1 for a negative exponent (which belongs to the other side of the comparison). */
function power(base: bigint, exponent: number): bigint {
  return base ** BigInt(Math.max(0, exponent));
}
