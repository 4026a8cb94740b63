// Which documents that hold all terms rank highest? The rarest list of a chunk leads; a posting of it is looked up in
// the others only while its code and the best that they could add beat the limit.

import { BLOCK_POSTINGS } from '../segment/format.ts';
import { MOST_TERMS } from './flat.ts';
import type { Lists } from './lists.ts';
import type { Survivors } from './survivors.ts';

const order = new Int32Array(MOST_TERMS);
/** Largest code of each list around the block of the leading one. */
const most = new Int32Array(MOST_TERMS);
/** The posting of the document in each list. */
const posting = new Int32Array(MOST_TERMS);

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
  for (let from = lists.start[lead]!; from < end; from += BLOCK_POSTINGS, block++) {
    const largest = own * blockMax[block]!;
    if (largest + others <= survivors.limit) continue;
    const to = Math.min(from + BLOCK_POSTINGS, end);
    const here = boundOthers(lists, lo[from]!, lo[to - 1]!);
    if (here === 0 || largest + here <= survivors.limit) continue;
    let least = Math.max(0, Math.floor((survivors.limit - here) / own));
    for (let p = from; p < to; p++) {
      if (code[p]! <= least) continue;
      if (!canGetIn(lists, survivors, lo[p]!, own * code[p]! + here)) continue;
      posting[lead] = p;
      offer(lists, survivors, lists.base + lo[p]!);
      least = Math.max(0, Math.floor((survivors.limit - here) / own));
    }
  }
}

/** The most that the other lists can add to documents between two; 0 where one of them has none there. */
function boundOthers(lists: Lists, from: number, to: number): number {
  let sum = 0;
  for (let z = 1; z < lists.count; z++) {
    const a = order[z]!;
    const code = lists.maxCodeIn(a, from, to);
    if (code === 0) return 0;
    most[z] = code;
    sum += lists.weight[a]! * code;
  }
  return sum;
}

/** Looks a document up in the other lists, and puts what they say in place of what they could. */
function canGetIn(lists: Lists, survivors: Survivors, low: number, sum: number): boolean {
  const { count, weight, postings } = lists;
  let bound = sum;
  for (let z = 1; z < count; z++) {
    const a = order[z]!;
    const p = lists.find(a, low);
    if (p < 0) return false;
    posting[a] = p;
    bound -= weight[a]! * (most[z]! - postings[a]!.code[p]!);
    if (bound <= survivors.limit) return false;
  }
  return true;
}

/** Scores a document by its postings. */
function offer(lists: Lists, survivors: Survivors, doc: number): void {
  if (!survivors.isVisible(doc)) return;
  let sum = 0;
  for (let a = 0; a < lists.count; a++) sum += lists.scoreOf(a, posting[a]!, doc);
  survivors.offer(Math.fround(sum), doc);
}
