// Which of the names there are does `a,b*` mean?

import { fitsAny } from '../../patterns/wildcard.ts';

/** Those of `names` that fit an expression of names and patterns; all of them when it is missing. Sorted. */
export function namesFitting(names: Iterable<string>, expression: string | undefined): string[] {
  const all = [...names].sort();
  if (expression === undefined || expression === '_all') return all;
  const patterns = expression.split(',');
  return all.filter((name) => fitsAny(patterns, name));
}
