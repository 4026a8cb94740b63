// Counts how often a phrase occurs in a document, from the positions of its terms. Also finds where the
// positions of a posting begin: an offset per 16 postings, a byte for the eighth, and the ends between
// counted by vectors.
//
//   starts of "a b c"     a: 3 9 20     b - 1: 3 8 20     c - 2: 20        the leader's starts are looked up in the others

import { isSafe } from '../codes';
import {
  FIELD_POSITION_HALVES,
  FIELD_POSITION_OFFSETS,
  FIELD_POSITIONS,
  FIELD_POSITIONS_END,
  SCRATCH_PLACES,
  SCRATCH_SHARE,
  SHARE_BYTES,
  SHARE_START,
  TERM_OFFSET,
} from '../layout';
import { listByLength } from '../list-order';
import { count, FIELD, list, POSTING, READ_AT, START_AT, scratch, termRow } from '../lists';
import { endsOf } from './phrase-prefilter';

const ENDED: i32 = 0x7fffffff;

let repeated: bool = false;

/**
 * How often the phrase occurs; with `once` only whether it does. `one` and `two`: where the positions of the two shortest
 * lists begin.
 */
export function frequency(once: bool, one: usize, two: usize): i32 {
  repeated = false;
  const n = count === 2 ? pairs(once, one, two) : occurrences(0, once);
  if (n === 0 || once || !repeated) return n;
  // If a term occurs twice at one position, the count depends on the leading list: the one with the fewest
  // positions.
  let fewest = 0;
  let least = positionsOf(listByLength(0));
  for (let a = 0; a < count; a++) {
    const own = positionsOf(list(a));
    if (own < least || a === 0) {
      least = own;
      fewest = a;
    }
  }
  for (let z = 0; z < count; z++) if (listByLength(z) === list(fewest)) return occurrences(z, false);
  return n;
}

/** Reads a position of one or two bytes: distance, length, and whether it is the last; 0 if it is longer. */
function short(at: usize): u32 {
  const two = <u32>load<u16>(at);
  if ((two & 0x80) === 0) return (two & 0x3f) | (1 << 16) | ((two & 0x40) << 18);
  if ((two & 0x8000) !== 0) return 0;
  return (two & 0x7f) | ((two & 0x3f00) >>> 1) | (2 << 16) | ((two & 0x4000) << 10);
}

/** Whether the next position equals the one before. */
function isRepeated(at: usize): bool {
  return (load<u8>(at) & 0xbf) === 0;
}

/** `frequency` for two terms, as most phrases have: both are read in step. */
function pairs(once: bool, startA: usize, startB: usize): i32 {
  const a = listByLength(0);
  const b = listByLength(1);
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
  // A long distance, or two tokens at one position: use the general way.
  return occurrences(0, once);
}

/** Walks over the starts of one list and looks up each in the others. */
function occurrences(lead: i32, once: bool): i32 {
  for (let z = 0; z < count; z++) rewind(listByLength(z));
  const c = listByLength(lead);
  let n = 0;
  while (true) {
    const start = advance(c);
    if (start === ENDED) return n;
    if (start < 0) continue;
    let all = true;
    for (let z = 0; z < count && all; z++) {
      if (z === lead) continue;
      const other = listByLength(z);
      let own = load<i32>(other, START_AT);
      while (own < start) own = advance(other);
      if (own === ENDED) return n;
      all = own === start;
    }
    if (!all) continue;
    n++;
    if (once) return n;
    for (let z = 0; z < count; z++) {
      const at: usize = load<u32>(listByLength(z), READ_AT);
      if (at !== 0 && isRepeated(at)) repeated = true;
    }
  }
}

/** Puts the cursor of a list before its first position. */
function rewind(c: usize): void {
  store<u32>(c, <u32>positionStart(c, load<i32>(c, POSTING)), READ_AT);
  store<i32>(c, -1 - load<i32>(termRow(c), TERM_OFFSET), START_AT);
}

/** The next start of a list: a position less the term's place in the phrase. ENDED behind the last. */
function advance(c: usize): i32 {
  let at: usize = load<u32>(c, READ_AT);
  const before = load<i32>(c, START_AT);
  if (at === 0) {
    store<i32>(c, ENDED, START_AT);
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
  // Before the first position the cursor stands one before the lowest start.
  const isFirst = before === -1 - offset;
  if (distance === 0 && !isFirst) repeated = true;
  const start = (isFirst ? -offset : before) + <i32>distance;
  store<i32>(c, start, START_AT);
  store<u32>(c, (byte & 0x40) !== 0 ? 0 : <u32>at, READ_AT);
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

/** Where the positions of the list's posting begin. */
export function positionStart(c: usize, posting: i32): usize {
  const share = scratch + SCRATCH_SHARE;
  store<i32>(share, posting);
  findStarts(share, share + SHARE_BYTES, c, 0);
  return load<u32>(share, SHARE_START);
}

/**
 * Finds where the positions of a list begin, by its posting in each of the documents from `first` to before `end`. Each
 * posting ends with a byte that has the two highest bits 01: those of an eight are counted.
 */
export function findStarts(first: usize, end: usize, c: usize, term: usize): void {
  const field: usize = load<u32>(c, FIELD);
  const positions: usize = load<u32>(field, FIELD_POSITIONS);
  const offsets: usize = load<u32>(field, FIELD_POSITION_OFFSETS);
  const halves: usize = load<u32>(field, FIELD_POSITION_HALVES);
  const places = scratch + SCRATCH_PLACES;
  const safe = isSafe(load<u32>(field, FIELD_POSITIONS_END));
  for (let share = first; share < end; share += SHARE_BYTES) {
    const posting = load<i32>(share + term);
    const sixteen = <usize>(posting >>> 4);
    let at = positions + <usize>load<u32>(offsets + (sixteen << 2));
    let skip = posting & 15;
    if (halves !== 0) {
      const half = <usize>load<u8>(halves + sixteen) & -(<usize>(posting >>> 3) & 1);
      at += half;
      skip -= select(8, 0, half !== 0);
    }
    if (!safe) {
      while (skip > 0) if ((load<u8>(at++) & 0xc0) === 0x40) skip--;
      store<u32>(share + term, <u32>at, SHARE_START);
      continue;
    }
    let mask = <u32>i8x16.bitmask(endsOf(v128.load(at)));
    while (<i32>popcnt<u32>(mask) < skip) {
      at += 16;
      skip -= <i32>popcnt<u32>(mask);
      mask = <u32>i8x16.bitmask(endsOf(v128.load(at)));
    }
    const low = <i32>popcnt<u32>(mask & 0xff);
    const behind = skip > low;
    mask = select<u32>(mask >>> 8, mask & 0xff, behind);
    skip -= select(low, 0, behind);
    at += select<usize>(8, 0, behind);
    at += <usize>load<u8>(places + <usize>(mask * 9 + skip));
    store<u32>(share + term, <u32>at, SHARE_START);
  }
}

/** Writes, once, the table: for each byte and n from 0 to 8, the number of bits up to the n-th set one. */
export function beginPositions(): void {
  const places = scratch + SCRATCH_PLACES;
  if (load<u8>(places, 10) !== 0) return;
  for (let byte: u32 = 0; byte < 256; byte++) {
    let n = 0;
    for (let bit: u32 = 0; bit < 8; bit++)
      if (((byte >>> bit) & 1) !== 0) store<u8>(places + <usize>(byte * 9 + ++n), bit + 1);
  }
}
