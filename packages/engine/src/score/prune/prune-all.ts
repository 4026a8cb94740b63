// Prunes conjunctions. The shortest list of a chunk leads; what it shares with the next one is looked up in
// the others, as long as its codes and the best that the others could add beat the limit.

import { BLOCK_POSTINGS } from '../../segment/format.ts';
import { MOST_TERMS } from '../flat-query.ts';
import type { CandidateBounds } from '../lists/candidate-bounds.ts';
import type { ListIntersection } from '../lists/intersect-lists.ts';
import { orderByLength, type PostingLists } from '../lists/posting-lists.ts';

const order = new Int32Array(MOST_TERMS);
/** The posting of the document in each list. */
const posting = new Int32Array(MOST_TERMS);

/**
 * Prunes one chunk; bounds are sums of weight · code. Returns how many visible documents match where
 * `counting`.
 */
export function pruneAll(
  lists: PostingLists,
  candidates: CandidateBounds,
  shared: ListIntersection,
  counting: boolean,
): number {
  const { count, weight, maxCode } = lists;
  orderByLength(lists, order);
  const lead = order[0]!;
  const second = order[1]!;
  let rest = 0;
  for (let z = 2; z < count; z++) rest += weight[order[z]!]! * maxCode[order[z]!]!;
  const others = rest + weight[second]! * maxCode[second]!;
  const own = weight[lead]!;
  if (!counting && own * maxCode[lead]! + others <= candidates.limit) return 0;
  const { code, blockMax, lo } = lists.postings[lead]!;
  const codes = lists.postings[second]!.code;
  const other = weight[second]!;
  const end = lists.end[lead]!;
  let found = 0;
  let block = lists.block[lead]!;
  shared.begin(lead, second, counting || candidates.limit <= others);
  for (let from = lists.start[lead]!; from < end; from += BLOCK_POSTINGS, block++) {
    if (!counting && own * blockMax[block]! + others <= candidates.limit) continue;
    const to = Math.min(from + BLOCK_POSTINGS, end);
    const least = counting ? 0 : Math.max(0, Math.floor((candidates.limit - others) / own));
    const n = shared.intersectBlock(from, to, Math.min(least, 255));
    for (let i = 0; i < n; i++) {
      const p = shared.first[i]!;
      const q = shared.second[i]!;
      const bound = own * code[p]! + other * codes[q]! + rest;
      if (bound <= candidates.limit && !counting) continue;
      const low = lo[p]!;
      if (!candidates.isVisible(lists.base + low)) continue;
      posting[lead] = p;
      posting[second] = q;
      const exact = count === 2 ? bound : inOthers(lists, low, bound);
      if (exact < 0) continue;
      found++;
      if (exact > candidates.limit) offer(lists, candidates, lists.base + low);
    }
  }
  shared.end();
  return found;
}

/**
 * Looks a document up in the lists after the second, and replaces their largest codes by its own; -1 where
 * one lacks it.
 */
function inOthers(lists: PostingLists, low: number, sum: number): number {
  const { count, weight, maxCode, postings } = lists;
  let bound = sum;
  for (let z = 2; z < count; z++) {
    const a = order[z]!;
    const p = lists.find(a, low);
    if (p < 0) return -1;
    posting[a] = p;
    bound -= weight[a]! * (maxCode[a]! - postings[a]!.code[p]!);
  }
  return bound;
}

/** Scores a document by its postings. */
function offer(lists: PostingLists, candidates: CandidateBounds, doc: number): void {
  let sum = 0;
  for (let a = 0; a < lists.count; a++) sum += lists.scoreOf(a, posting[a]!, doc);
  candidates.offer(Math.fround(sum), doc);
}
