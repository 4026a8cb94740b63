// The change feed as callers see it: the feed of the log with names of indices. Changes of deleted indices
// are left out.

import type { Change, ChangeBatch, ChangePosition } from '../api.ts';
import { illegalArgument } from '../errors.ts';
import type { FeedPage, FeedPosition } from '../log/feed/feed-page.ts';

const MAX_LIMIT = 10_000;

/** A validated request for changes. */
interface ChangesRequest {
  readonly after: FeedPosition;
  readonly limit: number;
}

/** Throws `illegal_argument_exception` on invalid numbers. */
export function parseChangesRequest(after: number | ChangePosition, limit = 1_000): ChangesRequest {
  const { commit, item } = typeof after === 'number' ? { commit: after } : after;
  if (!isCount(commit)) throw illegalArgument(`[after] must be the number of a commit, got [${commit}]`);
  if (item !== undefined && !isCount(item))
    throw illegalArgument(`[after.item] must be a whole number of at least 0, got [${item}]`);
  if (!isCount(limit) || limit < 1 || limit > MAX_LIMIT)
    throw illegalArgument(`[limit] must be between 1 and ${MAX_LIMIT}, got [${limit}]`);
  return { after: { commit, item: item ?? Number.POSITIVE_INFINITY }, limit };
}

/** Builds the batch of a page; `names` has the names of existing indices by number. */
export function toChangeBatch(
  page: FeedPage,
  published: number,
  completeFrom: number,
  names: ReadonlyMap<number, string>,
): ChangeBatch {
  const changes: Change[] = [];
  for (const { commit, indexNumber, kind, seqNo, version, id, type = '_doc' } of page.records) {
    const index = names.get(indexNumber);
    if (index !== undefined) changes.push({ commit, item: seqNo, index, id, type, kind, seqNo, version });
  }
  const { commit, item } = page.next;
  const isEnd = item === Number.POSITIVE_INFINITY;
  return {
    changes,
    next: isEnd ? { commit } : { commit, item },
    more: !isEnd || commit < published,
    completeFrom,
  };
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
