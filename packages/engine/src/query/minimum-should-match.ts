// Reads `minimum_should_match`: a count, a percentage, or conditions such as `2<-25% 9<-3` (more than 2
// clauses: all but 25 %; more than 9: all but 3). Negative figures say how many may be missing.

import { EngineError } from '../errors.ts';

const WHOLE = /^[+-]?\d{1,9}$/;

function whole(text: string): number {
  if (!WHOLE.test(text)) throw new EngineError('number_format_exception', `For input string: "${text}"`);
  return Number(text);
}

/** The least number of `clauses` that must match. Never negative; may be more than there are. */
export function minimumShouldMatch(clauses: number, spec: string): number {
  const text = spec.trim();
  if (!text.includes('<')) return simple(clauses, text);
  let result = clauses;
  for (const condition of text.replace(/ *< */g, '<').split(' ')) {
    if (condition === '') continue;
    const [bound = '', rest = ''] = condition.split('<');
    if (clauses <= whole(bound)) return result;
    result = simple(clauses, rest);
  }
  return result;
}

function simple(clauses: number, text: string): number {
  let result: number;
  if (text.includes('%')) {
    const part = Math.trunc(Math.fround(Math.fround(clauses * whole(text.slice(0, -1))) * Math.fround(0.01)));
    result = part < 0 || text.startsWith('-') ? clauses + part : part;
  } else {
    const n = whole(text);
    result = n < 0 ? clauses + n : n;
  }
  return Math.max(0, result);
}
