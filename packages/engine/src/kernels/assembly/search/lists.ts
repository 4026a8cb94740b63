// The lists of a chunk: the groups of the query's terms in it, and look-ups in them. The twin is
// score/prune/posting-lists.ts. A list is a record of 64 bytes (prepare.ts):
//
//   start, end     postings of the group        block         address of its first block maximum
//   at, until      the next posting, and the end of the window

import {
  ALL,
  BITMAP_BYTES,
  CHUNK_BASE,
  CHUNK_COUNT,
  CHUNK_LISTS,
  CHUNK_POSTINGS,
  FIELD_EXCEPTION_COUNT,
  FIELD_EXCEPTIONS,
  FIELD_FREQS,
  FIELD_NORMS,
  QUERY_SCRATCH,
  QUERY_SHAPE,
  QUERY_TERM_ROWS,
  TERM_BYTES,
  TERM_INVERSES,
  TERM_WEIGHT,
} from './layout';

export const START: usize = 0;
export const END: usize = 4;
export const AT: usize = 8;
export const UNTIL: usize = 12;
export const BLOCK: usize = 16;
export const MAX_CODE: usize = 20;
export const WEIGHT: usize = 24;
/** The dense record, 0 without. */
export const DENSE: usize = 28;
export const TERM: usize = 32;
export const LOWS: usize = 36;
export const CODES: usize = 40;
export const FIELD: usize = 44;
/** For phrases: the posting of the current document. */
export const POSTING: usize = 56;
/** For phrases: where the cursor over positions reads, and its current start (shares the slot of `until`). */
export const READ_AT: usize = 60;
export const START_AT: usize = 12;

export let shape: i32 = 0;
/** Lists of the chunk, in the order of the query's terms. */
export let count: i32 = 0;
/** First document of the chunk. */
export let base: i32 = 0;
/** Postings of all lists. */
export let postings: i32 = 0;
export let scratch: usize = 0;
let lists: usize = 0;
let termRows: usize = 0;

export function beginLists(q: usize): void {
  shape = load<i32>(q, QUERY_SHAPE);
  termRows = load<u32>(q, QUERY_TERM_ROWS);
  scratch = load<u32>(q, QUERY_SCRATCH);
}

/** Moves to a chunk, by its row. */
export function enterLists(row: usize): void {
  lists = load<u32>(row, CHUNK_LISTS);
  count = load<i32>(row, CHUNK_COUNT);
  base = load<i32>(row, CHUNK_BASE);
  postings = load<i32>(row, CHUNK_POSTINGS);
  rewind();
}

/** Puts all lists before their first posting. */
export function rewind(): void {
  for (let a = 0; a < count; a++) {
    const c = list(a);
    store<i32>(c, load<i32>(c, START), AT);
  }
}

export function list(a: i32): usize {
  return lists + ((<usize>a) << 6);
}

export function termRow(c: usize): usize {
  return termRows + <usize>load<i32>(c, TERM) * TERM_BYTES;
}

/** First posting from `from` on, before `end`, whose document is not before x: looks near `from` first. */
export function gallop(lows: usize, from: i32, end: i32, x: i32): i32 {
  if (from >= end || <i32>load<u16>(lows + ((<usize>from) << 1)) >= x) return from;
  let at = from;
  let step = 1;
  while (at + step < end && <i32>load<u16>(lows + ((<usize>(at + step)) << 1)) < x) {
    at += step;
    step <<= 1;
  }
  let low = at + 1;
  let high = at + step < end ? at + step : end;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (<i32>load<u16>(lows + ((<usize>mid) << 1)) < x) low = mid + 1;
    else high = mid;
  }
  return low;
}

/**
 * The posting of a document of the chunk in a list, or -1. REQUIRES: documents are asked for in ascending
 * order.
 */
export function find(c: usize, low: i32): i32 {
  const dense: usize = load<u32>(c, DENSE);
  if (dense !== 0) return findDense(c, dense, low);
  const lows: usize = load<u32>(c, LOWS);
  const end = load<i32>(c, END);
  const p = gallop(lows, load<i32>(c, AT), end, low);
  store<i32>(c, p, AT);
  return p < end && <i32>load<u16>(lows + ((<usize>p) << 1)) === low ? p : -1;
}

function findDense(c: usize, dense: usize, low: i32): i32 {
  const word = load<u32>(dense + ((<usize>(low >>> 5)) << 2));
  const bit: u32 = 1 << (<u32>low & 31);
  if ((word & bit) === 0) return -1;
  const rank = <i32>load<u16>(dense + BITMAP_BYTES + ((<usize>(low >>> 5)) << 1));
  return load<i32>(c, START) + rank + <i32>popcnt<u32>(word & (bit - 1));
}

/** As `find`, for documents in any order. The binary search has no unpredictable branch. */
export function findAny(c: usize, low: i32): i32 {
  const dense: usize = load<u32>(c, DENSE);
  if (dense !== 0) return findDense(c, dense, low);
  const lows: usize = load<u32>(c, LOWS);
  let at = load<i32>(c, START);
  let left = load<i32>(c, END) - at;
  while (left > 1) {
    const half = left >>> 1;
    at = select(at + half, at, <i32>load<u16>(lows + ((<usize>(at + half)) << 1)) <= low);
    left -= half;
  }
  return <i32>load<u16>(lows + ((<usize>at) << 1)) === low ? at : -1;
}

/** The first posting, from `at` on, that is not before a document of the chunk. */
export function seek(c: usize, low: i32): i32 {
  if (low >= 65536) return load<i32>(c, END);
  const dense: usize = load<u32>(c, DENSE);
  if (dense !== 0 && (low & 31) === 0) {
    return load<i32>(c, START) + <i32>load<u16>(dense + BITMAP_BYTES + ((<usize>(low >>> 5)) << 1));
  }
  return gallop(load<u32>(c, LOWS), load<i32>(c, AT), load<i32>(c, END), low);
}

/** The largest code of postings [p, end): of the blocks that hold them. REQUIRES: p < end. */
export function maxOfBlocks(c: usize, p: i32, end: i32): i32 {
  const start = load<i32>(c, START);
  const blocks: usize = load<u32>(c, BLOCK);
  const last = blocks + <usize>((end - 1 - start) >>> 7);
  let largest: u32 = 0;
  for (let b = blocks + <usize>((p - start) >>> 7); b <= last; b++) {
    const own = <u32>load<u8>(b);
    if (own > largest) largest = own;
  }
  return <i32>largest;
}

/** The largest code that a list may have between two documents, both included; 0 where it has none. */
export function maxCodeIn(c: usize, from: i32, to: i32): i32 {
  const p = seek(c, from & ~31);
  const end = seek(c, (to | 31) + 1);
  return p >= end ? 0 : maxOfBlocks(c, p, end);
}

export function lowOf(c: usize, posting: i32): i32 {
  return <i32>load<u16>(<usize>load<u32>(c, LOWS) + ((<usize>posting) << 1));
}

export function codeOf(c: usize, posting: i32): i32 {
  return <i32>load<u8>(<usize>load<u32>(c, CODES) + <usize>posting);
}

export function exception(field: usize, posting: i32): i32 {
  const pairs: usize = load<u32>(field, FIELD_EXCEPTIONS);
  let low = 0;
  let high = load<i32>(field, FIELD_EXCEPTION_COUNT);
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (load<i32>(pairs + ((<usize>mid) << 3)) < posting) low = mid + 1;
    else high = mid;
  }
  return load<i32>(pairs + ((<usize>low) << 3), 4);
}

export function normOf(field: usize, doc: i32): usize {
  const norms: usize = load<u32>(field, FIELD_NORMS);
  return norms === 0 ? 1 : <usize>load<u8>(norms + <usize>doc);
}

/** BM25 as Lucene computes it, in float32 throughout. */
export function termScore(row: usize, freq: i32, norm: usize): f32 {
  const weight = load<f32>(row, TERM_WEIGHT);
  const inverse = load<f32>(<usize>load<u32>(row, TERM_INVERSES) + (norm << 2));
  return weight - weight / (<f32>1 + <f32>freq * inverse);
}

/** Score of one posting. */
export function scoreOf(c: usize, posting: i32, doc: i32): f32 {
  const norm = normOf(load<u32>(c, FIELD), doc);
  return termScore(termRow(c), freqOf(c, posting, norm), norm);
}

/** Frequency of the term in a document with such a norm. */
export function freqOf(c: usize, posting: i32, norm: usize): i32 {
  const field: usize = load<u32>(c, FIELD);
  const code = <usize>codeOf(c, posting);
  const freq = <i32>load<u8>(<usize>load<u32>(field, FIELD_FREQS) + (norm << 8) + code);
  return freq === 0 ? exception(field, posting) : freq;
}

/**
 * Score of a document of the chunk, summed in the order of the exhaustive search; -1 if it does not match.
 */
export function score(low: i32): f64 {
  const doc = base + low;
  let sum: f64 = 0;
  let found = 0;
  for (let a = 0; a < count; a++) {
    const c = list(a);
    const posting = find(c, low);
    if (posting < 0) continue;
    sum += <f64>scoreOf(c, posting, doc);
    found++;
  }
  return found === 0 || (shape === ALL && found < count) ? -1 : sum;
}
