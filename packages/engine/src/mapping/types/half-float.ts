// Rounding to half_float: IEEE 754 binary16, ties to even.

/** The nearest half-precision value; infinite beyond 65,519. */
export function toHalf(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const size = Math.abs(value);
  // Halves between 2^e and 2^(e+1) are 2^(e-10) apart; below 2^-14 they are 2^-24 apart.
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const step = 2 ** (exponent - 10);
  const scaled = size / step;
  let whole = Math.floor(scaled);
  const rest = scaled - whole;
  if (rest > 0.5 || (rest === 0.5 && whole % 2 === 1)) whole++;
  const rounded = whole * step;
  return rounded > 65504 ? Math.sign(value) * Number.POSITIVE_INFINITY : Math.sign(value) * rounded;
}

/** The half next to a half, upwards or downwards. */
export function nextHalf(value: number, up: boolean): number {
  if (value === 0) return up ? 2 ** -24 : -(2 ** -24);
  const size = Math.abs(value);
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(size))) - 10);
  const away = up === value > 0;
  // Towards zero from a power of two the step is half as large.
  const towards = size === 2 ** Math.floor(Math.log2(size)) && size > 2 ** -14 ? step / 2 : step;
  const next = Math.sign(value) * (away ? size + step : size - towards);
  return Math.abs(next) > 65504 ? Math.sign(next) * Number.POSITIVE_INFINITY : next;
}
