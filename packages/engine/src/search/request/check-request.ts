// Checks a request before anything is searched: bounds of paging, and parts that exclude each other.

import type { SearchRequest } from '../../api.ts';
import { illegalArgument } from '../../errors.ts';
import { checkSliceCount } from '../../query/plan/index-slice.ts';
import type { IndexView } from '../../query/plan/index-view.ts';
import type { SearchLimits } from '../search-limits.ts';

/** Default size of a page. */
export const DEFAULT_SIZE = 10;

function tooLarge(limit: number, asked: number): Error {
  return illegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${limit}] but was [${asked}]. See the ` +
      'scroll api for a more efficient way to request large data sets. This limit can be set by changing the ' +
      '[index.max_result_window] index level setting.',
  );
}

/** Checks `from`, `size` and what goes with `search_after`. Throws the peer's errors. */
export function checkRequest(
  request: SearchRequest,
  views: readonly IndexView[],
  limits: SearchLimits,
): void {
  const { from = 0, size = DEFAULT_SIZE } = request;
  if (!Number.isInteger(from) || from < 0) {
    throw illegalArgument(`[from] parameter cannot be negative, found [${from}]`);
  }
  if (!Number.isInteger(size) || size < 0) {
    throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`);
  }
  if (size > limits.maxPageSize) throw tooLarge(limits.maxPageSize, size);
  for (const view of views) {
    if (request.slice !== undefined) checkSliceCount(view, request.slice, request.slice.walk);
    const window = view.settings['index.max_result_window'];
    if (window === undefined || request.ignoreWindow === true) continue;
    if (from + size > Number(window)) throw tooLarge(Number(window), from + size);
  }
  if (request.searchAfter !== undefined) {
    if (from > 0) throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used.');
    if (request.collapse !== undefined) {
      throw illegalArgument('cannot use `collapse` in conjunction with `search_after`');
    }
  }
}
