// Expressions of numbers in an interval: `<7-123>` of Lucene's regular expressions, digit by digit. Bounds of
// one length fix the number of digits (`<07-12>`: two digits each), others allow any zeros before the number.

import { type Expressions, type Id, MANY } from './expression.ts';

function digits(e: Expressions, from: number, to: number): Id {
  return e.chars([48 + from, 48 + to]);
}

/** Numbers of exactly n digits between two texts of that length. */
function between(e: Expressions, low: string, high: string): Id {
  if (low === '') return e.empty;
  const a = low.charCodeAt(0) - 48;
  const b = high.charCodeAt(0) - 48;
  const n = low.length - 1;
  const nines = '9'.repeat(n);
  const zeros = '0'.repeat(n);
  if (a === b) return e.then(digits(e, a, a), between(e, low.slice(1), high.slice(1)));
  const parts = [
    e.then(digits(e, a, a), between(e, low.slice(1), nines)),
    e.then(digits(e, b, b), between(e, zeros, high.slice(1))),
  ];
  if (a + 1 < b) parts.push(e.then(digits(e, a + 1, b - 1), e.repeat(digits(e, 0, 9), n, n)));
  return e.or(parts);
}

/** Decimal numbers from low to high, both texts of digits, low not above high. */
export function interval(e: Expressions, low: string, high: string): Id {
  if (low.length === high.length) return between(e, low, high);
  const from = low.replace(/^0+(?=\d)/, '');
  const to = high.replace(/^0+(?=\d)/, '');
  const parts: Id[] = [];
  for (let n = from.length; n <= to.length; n++) {
    const least = n === from.length ? from : `1${'0'.repeat(n - 1)}`;
    parts.push(between(e, least, n === to.length ? to : '9'.repeat(n)));
  }
  return e.then(e.repeat(digits(e, 0, 0), 0, MANY), e.or(parts));
}
