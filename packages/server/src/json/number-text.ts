// How does the peer print floating point numbers? As Java does: always with a point, with `E` from 10^7 on and below
// 10^-3. Clients and tests compare scores as text, so `1` where a score is meant has to be `1.0`.

import { type JsonWriter, shortestFloat } from '@octavo/engine';

/** A double or a float in a reply: `1` is printed as `1.0`, a float with as few digits as name it among the floats. */
export class Real {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A 64-bit floating point number. */
export function double(value: number): Real {
  return new Real(javaText(value, String(Math.abs(value))));
}

/**
 * The same into bytes. Most doubles are a few digits behind a point: the quotient of two integers that gives the very number
 * has fewer than 16 digits, and no shorter text has that number.
 */
export function putDouble(value: number, out: JsonWriter): void {
  const scaled = Math.round(value * 10_000);
  if (value >= 1e-3 && value < 1e7 && scaled / 10_000 === value) out.tenThousandths(scaled);
  else out.ascii(javaText(value, String(Math.abs(value))));
}

/** A 32-bit floating point number, such as a score: as it is, or with as few digits as name it already. */
export function float(value: number): Real {
  return new Real(javaText(value, floatDigits(Math.abs(value))));
}

/** The shortest decimal that reads back as the same float; of what is neither, nine digits. */
function floatDigits(value: number): string {
  const nearest = Math.fround(value);
  const short = shortestFloat(nearest);
  return String(short === value || nearest === value ? short : Number(value.toPrecision(9)));
}

function javaText(value: number, magnitude: string): string {
  if (Number.isNaN(value)) return '"NaN"';
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"';
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
