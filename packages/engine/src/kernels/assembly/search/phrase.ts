// Which documents hold a phrase most often for their length? The twin of score/adjacent.ts: positions are read only
// where every code beats the limit, or where all are counted.
//
//   starts of "a b c"     a: 3 9 20     b - 1: 3 8 20     c - 2: 20        the leader's are asked for in the others

import { bestOfAll, orderByLength, ordered } from './all';
import { isSafe } from './codes';
import {
  FIELD_POSITION_OFFSETS,
  FIELD_POSITIONS,
  FIELD_POSITIONS_END,
  SCRATCH_SHARES,
  TERM_OFFSET,
} from './layout';

import {
  base,
  codeOf,
  count,
  END,
  FIELD,
  find,
  KNOWN,
  KNOWN_AT,
  LOWS,
  list,
  lowOf,
  MAX_CODE,
  normOf,
  POSTING,
  READ,
  START,
  STOOD,
  scratch,
  termRow,
  termScore,
} from './lists';
import { isVisible, limit, offer } from './top';

const ENDED: i32 = 0x7fffffff;

/** Documents of two terms are read so many at a time: first where their positions begin, which waits for memory. */
const MOST_SHARES: i32 = 64;
const SHARE_BYTES: usize = 32;

let shares: i32 = 0;
let held: i32 = 0;

/** Visible documents of the chunk that hold the phrase: those that came by the way, or all. */
export function bestOfPhrase(counting: bool): i32 {
  if (!counting) {
    for (let a = 0; a < count; a++) if (load<i32>(list(a), MAX_CODE) <= limit) return 0;
  }
  orderByLength();
  shares = held = 0;
  const found = bestOfAll(counting);
  readShares(counting);
  return found + held;
}

/** Takes a document that the two lists of a phrase share, by its postings there. */
export function share(lead: usize, posting: i32, second: i32, low: i32, counting: bool): void {
  const code = min(codeOf(lead, posting), codeOf(ordered(1), second));
  if ((!counting && code <= limit) || !isVisible(base + low)) return;
  const at = scratch + SCRATCH_SHARES + <usize>shares * SHARE_BYTES;
  store<i32>(at, posting);
  store<i32>(at, second, 4);
  store<i32>(at, low, 8);
  store<i32>(at, code, 12);
  if (++shares === MOST_SHARES) readShares(counting);
}

function readShares(counting: bool): void {
  const first = scratch + SCRATCH_SHARES;
  const end = first + <usize>shares * SHARE_BYTES;
  const one = ordered(0);
  const two = ordered(1);
  for (let at = first; at < end; at += SHARE_BYTES) {
    store<u32>(at, <u32>positionStart(one, load<i32>(at)), 16);
    store<u32>(at, <u32>positionStart(two, load<i32>(at, 4)), 20);
  }
  for (let at = first; at < end; at += SHARE_BYTES) {
    const canGetIn = load<i32>(at, 12) > limit;
    if (!canGetIn && !counting) continue;
    store<i32>(one, load<i32>(at), POSTING);
    store<i32>(two, load<i32>(at, 4), POSTING);
    const freq = frequency(!canGetIn, load<u32>(at, 16), load<u32>(at, 20));
    if (freq === 0) continue;
    held++;
    if (canGetIn) offerFreq(freq, base + load<i32>(at, 8));
  }
  shares = 0;
}

function offerFreq(freq: i32, doc: i32): void {
  offer(<f64>termScore(termRow(list(0)), freq, normOf(load<u32>(list(0), FIELD), doc)), doc);
}

/** The documents of the chunk that are in a bitmap of the leaf. */
export function fewOfPhrase(accept: usize, counting: bool): i32 {
  orderByLength();
  const lead = ordered(0);
  const lows: usize = load<u32>(lead, LOWS);
  const bits = accept + (<usize>base >> 3);
  const end = load<i32>(lead, END);
  let total = 0;
  for (let p = load<i32>(lead, START); p < end; p++) {
    const low = <usize>load<u16>(lows + ((<usize>p) << 1));
    if (((<i32>load<u8>(bits + (low >> 3)) >>> (<i32>low & 7)) & 1) !== 0)
      total += candidate(lead, p, counting);
  }
  return total;
}

/** A posting of the leader. */
function candidate(lead: usize, posting: i32, counting: bool): i32 {
  if (!counting && codeOf(lead, posting) <= limit) return 0;
  const low = lowOf(lead, posting);
  const q = find(ordered(1), low);
  return q < 0 ? 0 : holds(lead, posting, q, low, counting);
}

/** 1 where a visible document that the two shortest lists share, by its postings there, holds the phrase. */
export function holds(lead: usize, posting: i32, second: i32, low: i32, counting: bool): i32 {
  let code = min(codeOf(lead, posting), codeOf(ordered(1), second));
  if (!counting && code <= limit) return 0;
  const doc = base + low;
  if (!isVisible(doc)) return 0;
  store<i32>(lead, posting, POSTING);
  store<i32>(ordered(1), second, POSTING);
  for (let z = 2; z < count; z++) {
    const c = ordered(z);
    const p = find(c, low);
    if (p < 0) return 0;
    store<i32>(c, p, POSTING);
    code = min(code, codeOf(c, p));
    if (!counting && code <= limit) return 0;
  }
  const canGetIn = code > limit;
  const freq = frequency(!canGetIn, positionStart(lead, posting), positionStart(ordered(1), second));
  if (freq === 0) return 0;
  if (canGetIn) offerFreq(freq, doc);
  return 1;
}

let repeated: bool = false;

/**
 * How often the phrase occurs; only whether it does where `once`. `one` and `two` are where the positions of the two
 * shortest lists begin.
 */
function frequency(once: bool, one: usize, two: usize): i32 {
  repeated = false;
  const n = count === 2 ? pairs(once, one, two) : occurrences(0, once);
  if (n === 0 || once || !repeated) return n;
  // Where a term stands twice on one place, which list leads decides what counts: the one of fewest positions.
  let fewest = 0;
  let least = positionsOf(ordered(0));
  for (let a = 0; a < count; a++) {
    const own = positionsOf(list(a));
    if (own < least || a === 0) {
      least = own;
      fewest = a;
    }
  }
  for (let z = 0; z < count; z++) if (ordered(z) === list(fewest)) return occurrences(z, false);
  return n;
}

/** A position read from two bytes or less: its distance, its length and whether it is the last, or 0 where it is longer. */
function short(at: usize): u32 {
  const two = <u32>load<u16>(at);
  if ((two & 0x80) === 0) return (two & 0x3f) | (1 << 16) | ((two & 0x40) << 18);
  if ((two & 0x8000) !== 0) return 0;
  return (two & 0x7f) | ((two & 0x3f00) >>> 1) | (2 << 16) | ((two & 0x4000) << 10);
}

/** Whether the position that is read at a place is the one before it again. */
function isRepeated(at: usize): bool {
  return (load<u8>(at) & 0xbf) === 0;
}

/** The same for two terms, which most phrases have: both are read in step. */
function pairs(once: bool, startA: usize, startB: usize): i32 {
  const a = ordered(0);
  const b = ordered(1);
  if (!isSafe(load<u32>(load<u32>(a, FIELD), FIELD_POSITIONS_END))) return occurrences(0, once);
  if (!isSafe(load<u32>(load<u32>(b, FIELD), FIELD_POSITIONS_END))) return occurrences(0, once);
  let atA = startA;
  let atB = startB;
  const ahead = load<i32>(termRow(b), TERM_OFFSET) - load<i32>(termRow(a), TERM_OFFSET);
  let one = short(atA);
  let two = short(atB);
  if (one === 0 || two === 0) return occurrences(0, once);
  let left = <i32>(one & 0xffff) + ahead;
  let right = <i32>(two & 0xffff);
  let n = 0;
  while (true) {
    while (right < left) {
      if (two >>> 24 !== 0) return n;
      atB += <usize>((two >>> 16) & 3);
      two = short(atB);
      if ((two & 0xffff) === 0) return occurrences(0, once);
      right += <i32>(two & 0xffff);
    }
    if (right === left) {
      n++;
      if (once) return n;
      if (two >>> 24 === 0 && isRepeated(atB + <usize>((two >>> 16) & 3))) break;
    }
    if (one >>> 24 !== 0) return n;
    atA += <usize>((one >>> 16) & 3);
    one = short(atA);
    if ((one & 0xffff) === 0) break;
    left += <i32>(one & 0xffff);
  }
  // A long distance, or two tokens on one place: the general way tells.
  return occurrences(0, once);
}

/** Goes over the starts of one list and asks for each in the others. */
function occurrences(lead: i32, once: bool): i32 {
  for (let z = 0; z < count; z++) rewind(ordered(z));
  const c = ordered(lead);
  let n = 0;
  while (true) {
    const start = advance(c);
    if (start === ENDED) return n;
    if (start < 0) continue;
    let all = true;
    for (let z = 0; z < count && all; z++) {
      if (z === lead) continue;
      const other = ordered(z);
      let own = load<i32>(other, STOOD);
      while (own < start) own = advance(other);
      if (own === ENDED) return n;
      all = own === start;
    }
    if (!all) continue;
    n++;
    if (once) return n;
    for (let z = 0; z < count; z++) {
      const at: usize = load<u32>(ordered(z), READ);
      if (at !== 0 && isRepeated(at)) repeated = true;
    }
  }
}

/** Puts the cursor of a list before its first position. */
function rewind(c: usize): void {
  store<u32>(c, <u32>positionStart(c, load<i32>(c, POSTING)), READ);
  store<i32>(c, -1 - load<i32>(termRow(c), TERM_OFFSET), STOOD);
}

/** The next start of a list: a position less the term's place in the phrase. ENDED behind the last. */
function advance(c: usize): i32 {
  let at: usize = load<u32>(c, READ);
  const before = load<i32>(c, STOOD);
  if (at === 0) {
    store<i32>(c, ENDED, STOOD);
    return ENDED;
  }
  let byte = <u32>load<u8>(at++);
  let shift: u32 = 0;
  let distance: u32 = 0;
  while (byte >= 0x80) {
    distance |= (byte & 0x7f) << shift;
    shift += 7;
    byte = <u32>load<u8>(at++);
  }
  distance |= (byte & 0x3f) << shift;
  const offset = load<i32>(termRow(c), TERM_OFFSET);
  // Before the first position a cursor stands one before the lowest start.
  const isFirst = before === -1 - offset;
  if (distance === 0 && !isFirst) repeated = true;
  const start = (isFirst ? -offset : before) + <i32>distance;
  store<i32>(c, start, STOOD);
  store<u32>(c, (byte & 0x40) !== 0 ? 0 : <u32>at, READ);
  return start;
}

/** How many positions the document has in a list. */
function positionsOf(c: usize): i32 {
  rewind(c);
  let n = -1;
  do n++;
  while (advance(c) !== ENDED);
  return n;
}

/** Where the positions of the list's posting begin: looked for from the last one on where that is nearer. */
function positionStart(c: usize, posting: i32): usize {
  const field: usize = load<u32>(c, FIELD);
  const known = load<i32>(c, KNOWN);
  let skip = posting & 15;
  let at: usize;
  if (known >= posting - skip && known <= posting) {
    at = load<u32>(c, KNOWN_AT);
    skip = posting - known;
  } else {
    at = <usize>load<u32>(field, FIELD_POSITIONS);
    at += <usize>load<u32>(<usize>load<u32>(field, FIELD_POSITION_OFFSETS) + ((<usize>(posting >>> 4)) << 2));
  }
  at = skipPostings(at, skip, load<u32>(field, FIELD_POSITIONS_END));
  store<i32>(c, posting, KNOWN);
  store<u32>(c, <u32>at, KNOWN_AT);
  return at;
}

/** Passes over the positions of some postings: each ends with a byte that has the two highest bits 01. */
function skipPostings(from: usize, postings: i32, end: usize): usize {
  let at = from;
  let skip = postings;
  while (skip > 0 && at + 32 <= end) {
    const mask = lasts(at) | (lasts(at + 16) << 16);
    const found = <i32>popcnt<u32>(mask);
    if (found >= skip) return at + nthBit(mask, skip) + 1;
    skip -= found;
    at += 32;
  }
  while (skip > 0) if ((load<u8>(at++) & 0xc0) === 0x40) skip--;
  return at;
}

/** A bit for each of sixteen bytes that ends a posting. */
function lasts(at: usize): u32 {
  return <u32>i8x16.bitmask(i8x16.eq(v128.and(v128.load(at), i8x16.splat(<i8>0xc0)), i8x16.splat(0x40)));
}

/** The place of the n-th set bit, n from 1. By halves, without a branch that could be guessed wrong. */
function nthBit(mask: u32, n: i32): usize {
  let bits = mask;
  let left = n;
  let place = 0;
  let low = <i32>popcnt<u32>(bits & 0xffff);
  let above = left > low;
  left -= select(low, 0, above);
  place += select(16, 0, above);
  bits = select(bits >>> 16, bits, above);
  low = <i32>popcnt<u32>(bits & 0xff);
  above = left > low;
  left -= select(low, 0, above);
  place += select(8, 0, above);
  bits = select(bits >>> 8, bits, above);
  low = <i32>popcnt<u32>(bits & 0xf);
  above = left > low;
  left -= select(low, 0, above);
  place += select(4, 0, above);
  bits = select(bits >>> 4, bits, above);
  low = <i32>popcnt<u32>(bits & 3);
  above = left > low;
  left -= select(low, 0, above);
  place += select(2, 0, above);
  bits = select(bits >>> 2, bits, above);
  return <usize>(place + <i32>(left > <i32>(bits & 1)));
}
