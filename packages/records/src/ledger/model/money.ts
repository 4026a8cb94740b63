// Money as an exact number of minor units, never a float: "12.30" is 1230n in a currency of two decimals.

import { RecordsError } from '../../contracts/errors.ts';

/** The largest amount and balance: 2^63 - 1 minor units. */
export const MOST_MINOR: bigint = 2n ** 63n - 1n;

/** 19 digits are enough for 2^63; more would only cost time. */
const LONGEST = 40;

/** Digits, perhaps with decimals: no sign, blank, exponent, separator, nor a leading zero before another digit. */
const FORM = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** An amount whose form is right; whether its decimals fit is a matter of the currency. */
interface MoneyForm {
  readonly whole: string;
  readonly decimals: string;
}

/** Reads the form. Throws `invalid-money`. */
export function readMoneyForm(text: string, field = 'money'): MoneyForm {
  const match = text.length <= LONGEST ? FORM.exec(text) : null;
  if (match === null) throw invalid(field, wrongForm(text));
  return { whole: match[1]!, decimals: match[2] ?? '' };
}

/** Minor units of an amount above zero. Throws `invalid-money`. */
export function minorUnits(form: MoneyForm, digits: number, currency: string, field = 'money'): bigint {
  const { whole, decimals } = form;
  if (decimals.length > digits)
    throw invalid(
      field,
      `has ${decimals.length} decimals, and ${currency} has ${digits === 0 ? 'none' : digits}`,
    );
  const minor = BigInt(whole + decimals.padEnd(digits, '0'));
  if (minor === 0n) throw invalid(field, 'must be more than zero');
  if (minor > MOST_MINOR)
    throw invalid(field, `exceeds the largest amount, ${moneyText(MOST_MINOR, digits)} ${currency}`);
  return minor;
}

/** Minor units as a decimal with all digits of the currency: `12.30`, `-0.05`, `7`. */
export function moneyText(minor: bigint | number, digits: number): string {
  if (digits === 0) return String(minor);
  const negative = minor < 0;
  const text = String(negative ? -minor : minor).padStart(digits + 1, '0');
  return `${negative ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function wrongForm(text: string): string {
  if (text === '') return 'is empty';
  if (text.length > LONGEST) return `has ${text.length} characters, more than any amount needs`;
  if (text.startsWith('-')) return 'must be more than zero; swap from and to for the other direction';
  if (text.startsWith('+')) return 'must not have a sign';
  if (/\s/.test(text)) return 'must not contain blanks (in a query string, + is a blank)';
  if (text.includes(',')) return 'must use a point for decimals and no thousands separators';
  if (/^[0-9.]+e/i.test(text)) return 'must not have an exponent';
  if (/^0[0-9]/.test(text)) return 'must not have leading zeros';
  return 'must be digits, with optional decimals after a point, such as 12.30';
}

function invalid(field: string, what: string): RecordsError {
  return new RecordsError('invalid-money', `${field} ${what}.`, { field });
}
