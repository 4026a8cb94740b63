// Does a search look at the words of texts? A list of everything in some order does not, and documents that came a moment
// ago then need not be inverted for it: while documents pour in, that is nearly all that a page would wait for.

import type { Wanted } from '../tail/tail.ts';
import type { SearchRequest } from './request.ts';

/** What the search will ask of the tail. 'all' wherever there is a query that might need it. */
export function wantedOf({ query, postFilter, filters }: SearchRequest): Wanted {
  const isList = query === undefined || isMatchAll(query);
  return isList && postFilter === undefined && (filters === undefined || filters.size === 0)
    ? 'plain'
    : 'all';
}

function isMatchAll(query: object): boolean {
  const kinds = Object.keys(query);
  return kinds.length === 1 && kinds[0] === 'match_all';
}
