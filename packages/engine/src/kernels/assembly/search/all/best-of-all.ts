// The best documents of a conjunction or phrase, and their number. The shortest list of a chunk leads;
// documents that it shares with the second (intersect.ts) are looked up in the others. The twin is in
// score/prune.

import { PHRASE, SCRATCH_PAIRS } from '../layout';
import { listByLength } from '../list-order';
import {
  base,
  CODES,
  codeOf,
  count,
  find,
  list,
  lowOf,
  MAX_CODE,
  POSTING,
  scoreOf,
  scratch,
  shape,
  WEIGHT,
} from '../lists';
import { isVisible, limit, offer } from '../top';
import { intersect } from './intersect';
import { holdsPhrase, takePairs } from './phrase';

let counting: bool = false;
let found: i32 = 0;
let lead: usize = 0;
let second: usize = 0;
/** Weight of the leader; the most that the others can add: all of them, and those behind the second. */
let own: i32 = 0;
let others: i32 = 0;
let rest: i32 = 0;

/** Whether no document of the chunk can get in. */
export function isHopeless(): bool {
  let most = 0;
  for (let a = 0; a < count; a++) most += load<i32>(list(a), WEIGHT) * load<i32>(list(a), MAX_CODE);
  return most <= limit;
}

/** Searches one chunk. With `all` returns the number of visible matches. REQUIRES: orderByLength. */
export function bestOfAll(all: bool): i32 {
  counting = all;
  found = 0;
  lead = listByLength(0);
  second = listByLength(1);
  // A phrase is bounded by the lowest of its codes.
  own = shape === PHRASE ? 1 : load<i32>(lead, WEIGHT);
  others = rest = 0;
  for (let z = count - 1; z > 0 && shape !== PHRASE; z--) {
    rest = others;
    others += load<i32>(listByLength(z), WEIGHT) * load<i32>(listByLength(z), MAX_CODE);
  }
  intersect(lead, second);
  return found;
}

/** The largest code of the leader that cannot get in. */
export function leastCode(): i32 {
  return !counting && limit > others ? (limit - others) / own : 0;
}

/** Whether a block of the leader can be skipped, by its largest code. */
export function isPassed(block: usize): bool {
  return !counting && own * <i32>load<u8>(block) + others <= limit;
}

/** Takes documents that the leader and the second list share, as pairs of postings up to `end`. */
export function takeShared(end: usize): void {
  const pairs = scratch + SCRATCH_PAIRS;
  if (shape === PHRASE && count === 2) {
    takePairs(pairs, end);
    return;
  }
  const to = counting || shape === PHRASE ? end : keepHigh(pairs, end);
  for (let at = pairs; at < to; at += 8) {
    const p = load<i32>(at);
    meet(p, load<i32>(at, 4), lowOf(lead, p));
  }
}

/** Keeps the pairs whose bounds are above the limit, without a branch: it would be unpredictable. */
function keepHigh(pairs: usize, end: usize): usize {
  const codesOne: usize = load<u32>(lead, CODES);
  const codesTwo: usize = load<u32>(second, CODES);
  const weight = load<i32>(second, WEIGHT);
  const least = limit - rest;
  let kept = pairs;
  for (let at = pairs; at < end; at += 8) {
    const p = load<i32>(at);
    const q = load<i32>(at, 4);
    const bound = own * <i32>load<u8>(codesOne + <usize>p) + weight * <i32>load<u8>(codesTwo + <usize>q);
    store<i32>(kept, p);
    store<i32>(kept, q, 4);
    kept += (<usize>(bound > least)) << 3;
  }
  return kept;
}

/** Takes one shared document, by its postings in the leader and the second list. */
function meet(p: i32, q: i32, low: i32): void {
  if (shape === PHRASE) {
    found += holdsPhrase(lead, p, q, low, counting);
    return;
  }
  let bound = own * codeOf(lead, p) + load<i32>(second, WEIGHT) * codeOf(second, q) + rest;
  if (bound <= limit && !counting) return;
  const doc = base + low;
  if (!isVisible(doc)) return;
  for (let z = 2; z < count; z++) {
    const c = listByLength(z);
    const r = find(c, low);
    if (r < 0) return;
    store<i32>(c, r, POSTING);
    bound -= load<i32>(c, WEIGHT) * (load<i32>(c, MAX_CODE) - codeOf(c, r));
  }
  found++;
  if (bound <= limit) return;
  store<i32>(lead, p, POSTING);
  store<i32>(second, q, POSTING);
  let sum: f64 = 0;
  for (let a = 0; a < count; a++) sum += <f64>scoreOf(list(a), load<i32>(list(a), POSTING), doc);
  offer(<f64>(<f32>sum), doc);
}
