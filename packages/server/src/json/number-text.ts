// Prints floating point numbers as the peer does, which is as Java does: always with a point, with `E` from
// 10^7 on and below 10^-3. Clients and tests compare scores as text, so the score `1` has to be `1.0`.

import { type JsonWriter, javaDouble, shortestFloat } from '@octavo/engine';

/**
 * A double or a float in a reply: `1` is printed as `1.0`, a float with the fewest digits that read back as
 * the same float.
 */
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
 * Writes a double into bytes. Most doubles have a few decimals: if the quotient of an integer by 10,000 equals the number, it has fewer
 * than 16 digits, and no shorter text reads back as the number.
 */
export function putDouble(value: number, out: JsonWriter): void {
  const scaled = Math.round(value * 10_000);
  if (value >= 1e-3 && value < 1e7 && scaled / 10_000 === value) out.tenThousandths(scaled);
  else out.ascii(javaText(value, String(Math.abs(value))));
}

/** A 32-bit floating point number, such as a score; also a double that has the fewest digits of a float already. */
export function float(value: number): Real {
  return new Real(javaText(value, floatDigits(Math.abs(value))));
}

/** The shortest decimal that reads back as the same float; nine digits if the value is not a float. */
function floatDigits(value: number): string {
  const nearest = Math.fround(value);
  const short = shortestFloat(nearest);
  return String(short === value || nearest === value ? short : Number(value.toPrecision(9)));
}

/** As Java prints it; what JSON has no number for is a string. */
function javaText(value: number, magnitude: string): string {
  const text = javaDouble(value, magnitude);
  return Number.isFinite(value) ? text : `"${text}"`;
}
