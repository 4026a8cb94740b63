// Prints a number by a pattern like `#,##0.00`, as java.text.DecimalFormat in the root locale, half to
// even. Exponents (`0.###E0`) are refused.

import { illegalArgument } from '../../errors.ts';

/** Affixes around the digits, with quoted literals; a pattern for negative numbers may follow. */
const PATTERN =
  /^((?:'(?:[^']|'')*'|[^#0,.;'E]){0,40})([#,]*[0,]*)(?:(\.)(0*)(#*))?((?:'(?:[^']|'')*'|[^#0,.;'E]){0,40})(?:;(.*))?$/u;
/** The pattern for negative numbers: only its affixes count. */
const NEGATIVE =
  /^((?:'(?:[^']|'')*'|[^#0,.;'E]){0,40})[#0,]*(?:\.0*#*)?((?:'(?:[^']|'')*'|[^#0,.;'E]){0,40})$/u;
/** Longer patterns are refused: reading takes quadratic time. */
const LONGEST = 200;
/** Fraction digits that Java prints if a pattern does not limit them. */
const MOST_FRACTION = 340;
/** A tie of the shortest digits is decided with so many more digits. */
const FURTHER = 40;

interface Format {
  readonly positive: Affixes;
  readonly negative: Affixes;
  readonly leastWhole: number;
  readonly leastFraction: number;
  readonly mostFraction: number;
  /** Digits between two commas; 0 for none. */
  readonly group: number;
  /** A pattern that ends with the point always prints it. */
  readonly endsWithPoint: boolean;
  /** The number is multiplied by ten to this power. */
  readonly tens: number;
}

interface Affixes {
  readonly prefix: string;
  readonly suffix: string;
}

/** The empty pattern. */
const PLAIN: Format = {
  positive: { prefix: '', suffix: '' },
  negative: { prefix: '-', suffix: '' },
  leastWhole: 0,
  leastFraction: 0,
  mostFraction: MOST_FRACTION,
  group: 3,
  endsWithPoint: false,
  tens: 0,
};

/** A number by a pattern. Errors: illegal_argument_exception, naming the pattern. */
export function decimalFormat(value: number | bigint, pattern: string): string {
  const format = pattern === '' ? PLAIN : read(pattern);
  if (Number.isNaN(value)) return 'NaN';
  const isNegative = value < 0 || Object.is(value, -0);
  const { prefix, suffix } = isNegative ? format.negative : format.positive;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${prefix}∞${suffix}`;
  const [whole, behind] = digitsOf(isNegative ? -value : value, format);
  const fraction = behind.replace(/0+$/, '').padEnd(format.leastFraction, '0');
  let int = whole.replace(/^0+/, '').padStart(format.leastWhole, '0');
  if (int === '' && fraction === '') int = '0';
  const { group } = format;
  if (group > 0)
    for (let at = int.length - group; at > 0; at -= group) int = `${int.slice(0, at)},${int.slice(at)}`;
  return `${prefix}${int}${fraction !== '' || format.endsWithPoint ? '.' : ''}${fraction}${suffix}`;
}

/**
 * The number at the beginning of a text that a pattern printed; what follows it is not looked at. Errors:
 * illegal_argument_exception, naming the text.
 */
export function readDecimal(text: string, pattern: string): number {
  const { positive, negative, tens } = pattern === '' ? PLAIN : read(pattern);
  for (const [{ prefix, suffix }, sign] of [
    [positive, 1],
    [negative, -1],
  ] as const) {
    const digits = text.startsWith(prefix) ? /^[\d,]*(?:\.\d*)?/.exec(text.slice(prefix.length))![0] : '';
    if (!/\d/.test(digits) || !text.startsWith(suffix, prefix.length + digits.length)) continue;
    return (sign * Number(digits.replaceAll(',', ''))) / 10 ** tens;
  }
  throw illegalArgument(`Unparseable number: "${text}"`);
}

function read(pattern: string): Format {
  const match = pattern.length > LONGEST ? null : PATTERN.exec(pattern);
  const [, before = '', whole = '', point, must = '', may = '', after = '', behind] = match ?? [];
  const other = behind === undefined ? undefined : NEGATIVE.exec(behind);
  // A pattern without digits has affixes only.
  const isWhole = !whole.endsWith(',') && (whole !== '' || point !== undefined || behind === undefined);
  if (match === null || other === null || !isWhole) throw illegalArgument(`Malformed pattern "${pattern}"`);
  const positive = { prefix: unquoted(before), suffix: unquoted(after) };
  const zeros = [...whole].filter((c) => c === '0').length;
  // Negative numbers get a minus, unless their own pattern has other affixes.
  const [, negativeBefore = before, negativeAfter = after] = other ?? [];
  const isSame = negativeBefore === before && negativeAfter === after;
  // Of a pattern without any 0 but with a point, the # before the point counts as one, or else that behind
  // it.
  const isBare = zeros === 0 && must === '' && point !== undefined;
  const mostFraction = must.length + may.length;
  return {
    positive,
    negative: isSame
      ? { prefix: `-${positive.prefix}`, suffix: positive.suffix }
      : { prefix: unquoted(negativeBefore), suffix: unquoted(negativeAfter) },
    leastWhole: isBare && whole !== '' ? 1 : zeros,
    leastFraction: isBare && whole === '' && may !== '' ? 1 : must.length,
    mostFraction,
    group: whole.includes(',') ? whole.length - whole.lastIndexOf(',') - 1 : 0,
    endsWithPoint: point !== undefined && mostFraction === 0,
    tens: tensOf(before + after),
  };
}

const QUOTED = /'((?:[^']|'')*)'/g;

/** Two quotes stand for one, inside and outside of quoted text. */
function unquoted(affix: string): string {
  return affix.replace(QUOTED, (_, text: string) => (text === '' ? "'" : text.replaceAll("''", "'")));
}

function tensOf(affixes: string): number {
  const signs = affixes.replace(QUOTED, '');
  return signs.includes('%') ? 2 : signs.includes('‰') ? 3 : 0;
}

/** Digits before and behind the point, cut to the printed fraction. */
function digitsOf(size: number | bigint, { mostFraction, tens }: Format): readonly [string, string] {
  if (typeof size === 'bigint') return [String(size * 10n ** BigInt(tens)), ''];
  const value = size * 10 ** tens;
  if (Number.isInteger(value) && value < 2 ** 63) return [String(BigInt(value)), ''];
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  const all = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const whole = Math.max(point, 1);
  const fraction = all.slice(whole);
  return fraction.length <= mostFraction
    ? [all.slice(0, whole), fraction]
    : rounded(all, whole, mostFraction, value);
}

/** The shortest digits of a value rounded to `most` fraction digits, half to even. */
function rounded(all: string, whole: number, most: number, value: number): readonly [string, string] {
  const head = all.slice(0, whole + most);
  const rest = all.slice(whole + most);
  let isUp = rest[0]! >= '5';
  if (/^50*$/.test(rest)) {
    // A tie of the shortest digits need not be a tie of the number itself.
    const exact = value
      .toFixed(Math.min(100, most + FURTHER))
      .split('.')[1]!
      .slice(most);
    isUp = /^50*$/.test(exact) ? Number(head.at(-1)) % 2 === 1 : exact[0]! >= '5';
  }
  const sum = String(BigInt(head) + (isUp ? 1n : 0n)).padStart(head.length, '0');
  return [sum.slice(0, sum.length - most), most === 0 ? '' : sum.slice(-most)];
}
