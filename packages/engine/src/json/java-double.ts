// Prints floating point numbers as Java does: always with a point, with `E` from 10^7 on and below 10^-3.

/** The text of a number; `magnitude` is what `String` makes of its absolute value. NaN and infinities are words. */
export function javaDouble(value: number, magnitude: string = String(Math.abs(value))): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const absolute = Math.abs(value);
  if (absolute !== 0 && (absolute < 1e-3 || absolute >= 1e7)) return sign + scientific(magnitude);
  return sign + (magnitude.includes('.') ? magnitude : `${magnitude}.0`);
}

/** `12345678` → `1.2345678E7`; takes what `String(number)` prints, with or without exponent. */
function scientific(magnitude: string): string {
  const [mantissa = '', exponentText = '0'] = magnitude.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '') || '0';
  const leadingZeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) + 1 : 0;
  const exponent = Number(exponentText) + (whole === '0' ? -leadingZeros : whole.length - 1);
  return `${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
}
