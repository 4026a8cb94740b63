// Which documents that hold all terms rank highest? The rarest list of a chunk leads; a posting of it is looked up in
// the others only while its code and the best that they could add beat the limit.

import { BLOCK_POSTINGS } from '../segment/format.ts';
import { MOST_TERMS } from './flat.ts';
import type { Lists } from './lists.ts';
import type { Survivors } from './survivors.ts';

const order = new Int32Array(MOST_TERMS);

/** Orders the lists of a chunk, the shortest first. */
export function byLength(lists: Lists, into: Int32Array): void {
  const { start, end } = lists;
  for (let a = 0; a < lists.count; a++) {
    const length = end[a]! - start[a]!;
    let k = a;
    for (; k > 0 && end[into[k - 1]!]! - start[into[k - 1]!]! > length; k--) into[k] = into[k - 1]!;
    into[k] = a;
  }
}

/** One chunk. Bounds are sums of weight · code. */
export function bestOfAll(lists: Lists, survivors: Survivors): void {
  byLength(lists, order);
  const { count, weight, maxCode } = lists;
  const lead = order[0]!;
  let others = 0;
  for (let z = 1; z < count; z++) others += weight[order[z]!]! * maxCode[order[z]!]!;
  const own = weight[lead]!;
  if (own * maxCode[lead]! + others <= survivors.limit) return;
  const { lo, code, blockMax } = lists.postings[lead]!;
  const end = lists.end[lead]!;
  let block = lists.block[lead]!;
  let least = Math.max(0, Math.floor((survivors.limit - others) / own));
  for (let from = lists.start[lead]!; from < end; from += BLOCK_POSTINGS, block++) {
    if (blockMax[block]! <= least) continue;
    const to = Math.min(from + BLOCK_POSTINGS, end);
    for (let p = from; p < to; p++) {
      if (code[p]! <= least) continue;
      if (!canGetIn(lists, survivors, lo[p]!, own * code[p]! + others)) continue;
      lists.offer(lo[p]!, survivors);
      least = Math.max(0, Math.floor((survivors.limit - others) / own));
    }
  }
}

/** Looks a document up in the other lists, and puts what they say in place of what they could. */
function canGetIn(lists: Lists, survivors: Survivors, low: number, most: number): boolean {
  const { count, weight, maxCode, postings } = lists;
  let bound = most;
  for (let z = 1; z < count; z++) {
    const a = order[z]!;
    const p = lists.find(a, low);
    if (p < 0) return false;
    bound -= weight[a]! * (maxCode[a]! - postings[a]!.code[p]!);
    if (bound <= survivors.limit) return false;
  }
  return true;
}
