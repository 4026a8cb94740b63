// Which of the names there are does `a,b*` mean?

import { matchesAnyWildcard } from '../../patterns/wildcard.ts';

/** Those of `names` that fit an expression of names and patterns; all of them when it is missing. Sorted. */
export function namesFitting(names: Iterable<string>, expression: string | undefined): string[] {
  const all = [...names].sort();
  if (expression === undefined || expression === '_all') return all;
  const patterns = expression.split(',');
  return all.filter((name) => matchesAnyWildcard(patterns, name));
}
