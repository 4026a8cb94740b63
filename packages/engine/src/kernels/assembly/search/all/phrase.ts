// The documents that hold a phrase most often for their length. The twin is
// score/phrase/adjacent-phrase.ts.
// - Positions are read only where every code beats the limit, or where all matches are counted.
// - Of the documents that two terms share, most are rejected by their residues (residues.ts), then by
//   vectors (phrase-prefilter.ts); the rest is checked exactly.
// - Where many documents hold the phrase, candidates are collected and those with the highest codes read
//   first: their scores rule out the others. Where few do, or all are counted, they are read in order.

import { isSafe } from '../codes';
import {
  FIELD_POSITIONS_END,
  SCRATCH_BATCH,
  SCRATCH_HEADS,
  SCRATCH_KEPT,
  SCRATCH_SHARES,
  SHARE_BYTES,
  SHARE_CODE,
  SHARE_LOW,
  SHARE_NEXT,
  SHARE_START,
  TERM_OFFSET,
} from '../layout';
import { listByLength, orderByLength } from '../list-order';
import {
  base,
  CODES,
  codeOf,
  count,
  END,
  FIELD,
  find,
  LOWS,
  list,
  lowOf,
  MAX_CODE,
  normOf,
  POSTING,
  START,
  scratch,
  termRow,
  termScore,
} from '../lists';
import { isVisible, limit, offer } from '../top';
import { bestOfAll } from './best-of-all';
import { keepPossible } from './phrase-prefilter';
import { beginPositions, findStarts, frequency, positionStart } from './positions';
import { residuesOf, rotateBack, rotationOf, startsOf } from './residues';

/** Most collected documents, 16 bytes each, and most documents of a batch. */
const MOST_SHARES: i32 = 1024;
const MOST_READ: i32 = 32;

/** Collecting pays if an estimated so many documents of a chunk hold the phrase. */
const MANY: i32 = 16;

let all: bool = false;
/** Whether documents are read in order. */
let readsInOrder: bool = false;
let shares: i32 = 0;
let batch: i32 = 0;
let matches: i32 = 0;
/**
 * For two terms: their codes, residues and rotations; the distance of the second behind the first, and whether vectors may
 * read their positions.
 */
let codesOne: usize = 0;
let codesTwo: usize = 0;
let residuesOne: usize = 0;
let residuesTwo: usize = 0;
let turnOne: i32 = 0;
let turnTwo: i32 = 0;
let ahead: i32 = 0;
let byVectors: bool = false;

/**
 * The number of visible documents of the chunk that hold the phrase: all if `counting`, else those that were
 * read.
 */
export function bestOfPhrase(counting: bool): i32 {
  if (!counting) {
    for (let a = 0; a < count; a++) if (load<i32>(list(a), MAX_CODE) <= limit) return 0;
  }
  orderByLength();
  beginPositions();
  if (count > 2) return bestOfAll(counting);
  const one = listByLength(0);
  const two = listByLength(1);
  codesOne = load<u32>(one, CODES);
  codesTwo = load<u32>(two, CODES);
  residuesOne = residuesOf(one);
  residuesTwo = residuesOf(two);
  turnOne = rotationOf(one);
  turnTwo = rotationOf(two);
  ahead = load<i32>(termRow(two), TERM_OFFSET) - load<i32>(termRow(one), TERM_OFFSET);
  byVectors = isReadable(one) && isReadable(two);
  all = counting;
  readsInOrder = all || limit < 0;
  shares = batch = matches = 0;
  bestOfAll(counting);
  if (shares > 0) readShares();
  if (batch > 0) read();
  return matches;
}

function isReadable(c: usize): bool {
  return isSafe(load<u32>(load<u32>(c, FIELD), FIELD_POSITIONS_END));
}

/** Takes documents that the lists of two terms share, as pairs of postings. */
export function takePairs(pairs: usize, end: usize): void {
  const lows: usize = load<u32>(listByLength(0), LOWS);
  const to = keepPossiblePairs(pairs, end);
  for (let at = pairs; at < to; at += 8) {
    const one = load<i32>(at);
    take(one, load<i32>(at, 4), <i32>load<u16>(lows + ((<usize>one) << 1)));
  }
}

/**
 * Keeps the pairs whose codes are above the limit and whose residues allow the phrase. Unpredictable, so branch-free: rejected
 * pairs are written too, and overwritten.
 */
function keepPossiblePairs(pairs: usize, end: usize): usize {
  const least = all ? -1 : limit;
  const byResidues = residuesOne !== 0 && residuesTwo !== 0;
  let kept = pairs;
  for (let at = pairs; at < end; at += 8) {
    const one = load<i32>(at);
    const two = load<i32>(at, 4);
    const code = min(<i32>load<u8>(codesOne + <usize>one), <i32>load<u8>(codesTwo + <usize>two));
    let shared: i32 = 1;
    if (byResidues) {
      const a = rotateBack(<i32>load<u8>(residuesOne + <usize>one), turnOne);
      shared = a & rotateBack(<i32>load<u8>(residuesTwo + <usize>two), turnTwo) & 0xff;
    }
    store<i32>(kept, one);
    store<i32>(kept, two, 4);
    kept += (<usize>(i32(shared !== 0) & i32(code > least))) << 3;
  }
  return kept;
}

function take(one: i32, two: i32, low: i32): void {
  const code = min(<i32>load<u8>(codesOne + <usize>one), <i32>load<u8>(codesTwo + <usize>two));
  if (!all && code <= limit) return;
  if (readsInOrder) {
    put(scratch + SCRATCH_BATCH + <usize>batch * SHARE_BYTES, one, two, low, code);
    batch++;
    if (batch < MOST_READ) return;
    read();
    const lead = listByLength(0);
    const start = load<i32>(lead, START);
    readsInOrder = all || matches * (load<i32>(lead, END) - start) < MANY * (one - start);
  } else {
    const at = scratch + SCRATCH_SHARES + ((<usize>shares) << 4);
    const head = scratch + SCRATCH_HEADS + ((<usize>(code >>> 3)) << 1);
    put(at, one, two, low, code);
    store<u16>(at, load<u16>(head), SHARE_NEXT);
    shares++;
    store<u16>(head, shares);
    if (shares === MOST_SHARES) readShares();
  }
}

function put(at: usize, one: i32, two: i32, low: i32, code: i32): void {
  store<i32>(at, one);
  store<i32>(at, two, 4);
  store<i32>(at, low, SHARE_LOW);
  store<u16>(at, code, SHARE_CODE);
}

/**
 * Reads the collected documents, the highest codes first: in buckets of eight codes, so that few branches are
 * mispredicted.
 */
function readShares(): void {
  shares = 0;
  const entries = scratch + SCRATCH_SHARES - 16;
  for (let eight = 31; eight >= 0; eight--) {
    const head = scratch + SCRATCH_HEADS + ((<usize>eight) << 1);
    let place = <usize>load<u16>(head);
    store<u16>(head, 0);
    while (place !== 0) {
      const at = entries + (place << 4);
      place = <usize>load<u16>(at, SHARE_NEXT);
      v128.store(scratch + SCRATCH_BATCH + <usize>batch * SHARE_BYTES, v128.load(at));
      batch += <i32>(<i32>load<u16>(at, SHARE_CODE) > limit);
      if (batch === MOST_READ) read();
    }
  }
  if (batch > 0) read();
}

/** Reads the batch. */
function read(): void {
  const first = scratch + SCRATCH_BATCH;
  const end = first + <usize>batch * SHARE_BYTES;
  const one = listByLength(0);
  const two = listByLength(1);
  batch = 0;
  findStarts(first, end, one, 0);
  findStarts(first, end, two, 4);
  if (!byVectors) {
    for (let at = first; at < end; at += SHARE_BYTES) readShare(one, two, at);
    return;
  }
  const kept = scratch + SCRATCH_KEPT;
  const last = keepPossible(first, end, i8x16.splat(<i8>ahead), kept);
  for (let at = kept; at < last; at += 4) readShare(one, two, load<u32>(at));
}

function readShare(one: usize, two: usize, share: usize): void {
  const canGetIn = <i32>load<u16>(share, SHARE_CODE) > limit;
  const doc = base + load<i32>(share, SHARE_LOW);
  if ((!canGetIn && !all) || !isVisible(doc)) return;
  store<i32>(one, load<i32>(share), POSTING);
  store<i32>(two, load<i32>(share, 4), POSTING);
  const freq = frequency(!canGetIn, load<u32>(share, SHARE_START), load<u32>(share, SHARE_START + 4));
  if (freq === 0) return;
  matches++;
  if (canGetIn) offerFreq(freq, doc);
}

function offerFreq(freq: i32, doc: i32): void {
  offer(<f64>termScore(termRow(list(0)), freq, normOf(load<u32>(list(0), FIELD), doc)), doc);
}

/** Searches the documents of the chunk that are in a bitmap of the leaf. */
export function restrictedPhrase(accept: usize, counting: bool): i32 {
  orderByLength();
  beginPositions();
  const lead = listByLength(0);
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
  const q = find(listByLength(1), low);
  return q < 0 ? 0 : holdsPhrase(lead, posting, q, low, counting);
}

/** 1 if a visible document that the two shortest lists share, by its postings there, holds the phrase. */
export function holdsPhrase(lead: usize, posting: i32, second: i32, low: i32, counting: bool): i32 {
  let code = min(codeOf(lead, posting), codeOf(listByLength(1), second));
  if (!counting && code <= limit) return 0;
  let starts = startsOf(lead, posting) & startsOf(listByLength(1), second);
  if (starts === 0) return 0;
  const doc = base + low;
  if (!isVisible(doc)) return 0;
  store<i32>(lead, posting, POSTING);
  store<i32>(listByLength(1), second, POSTING);
  for (let z = 2; z < count; z++) {
    const c = listByLength(z);
    const p = find(c, low);
    if (p < 0) return 0;
    store<i32>(c, p, POSTING);
    code = min(code, codeOf(c, p));
    if (!counting && code <= limit) return 0;
    starts &= startsOf(c, p);
    if (starts === 0) return 0;
  }
  const canGetIn = code > limit;
  const freq = frequency(!canGetIn, positionStart(lead, posting), positionStart(listByLength(1), second));
  if (freq === 0) return 0;
  if (canGetIn) offerFreq(freq, doc);
  return 1;
}
