// Counts the visible matches of a chunk, without scores. The twin is score/count.ts.

import { and, clear, copy, countAnd, countAnd3, countEither, or, count as popcount } from './bits';
import { ANY, LEAF_ACCEPT, LEAF_DOCS, LEAF_LIVE, LEAF_VISIBLE, SCRATCH_BITS } from './layout';
import { listByLength } from './list-order';
import { AT, base, count, DENSE, END, LOWS, list, START, scratch, shape, UNTIL } from './lists';
import { isVisible } from './top';
import { listByBound } from './window';

let live: usize = 0;
let accept: usize = 0;
let visible: i32 = 0;
let whole: bool = true;

export function enterTally(leaf: usize): void {
  live = load<u32>(leaf, LEAF_LIVE);
  accept = load<u32>(leaf, LEAF_ACCEPT);
  visible = load<i32>(leaf, LEAF_VISIBLE);
  whole = visible === load<i32>(leaf, LEAF_DOCS);
}

/** Whether every document of the leaf is visible. */
export function isAllVisible(): bool {
  return whole && live === 0 && accept === 0;
}

/** Whether exactly the living documents of the leaf are visible. */
export function hasOnlyDeletions(): bool {
  return whole && accept === 0;
}

/** The bitmap of living documents of the chunk; 0 if all are alive. */
export function liveBits(): usize {
  return live === 0 ? 0 : live + (<usize>base >> 3);
}

/** Whether all lists of the chunk have bitmaps. REQUIRES: orderByLength. */
export function areDense(): bool {
  return load<u32>(listByLength(0), DENSE) !== 0;
}

/** Visible matches of the current chunk. */
export function countChunk(): i32 {
  if (base >= visible) return 0;
  if (shape === ANY && count > 1) return countAny();
  if (count === 1) return countOne(list(0));
  return countAll();
}

/** Bytes of the chunk's bitmap that may hold visible documents, in steps of 16. */
function chunkBytes(): usize {
  const left = visible - base;
  return left >= 65536 ? 8192 : (<usize>((left + 127) >>> 7)) << 4;
}

function countOne(c: usize): i32 {
  const dense: usize = load<u32>(c, DENSE);
  const start = load<i32>(c, START);
  const end = load<i32>(c, END);
  if (isAllVisible()) return end - start;
  if (dense !== 0) {
    const bytes = chunkBytes();
    if (whole && accept === 0) return countAnd(dense, live + (<usize>base >> 3), bytes);
    copy(scratch + SCRATCH_BITS, dense, bytes);
    return countVisibleBits(bytes);
  }
  const lows: usize = load<u32>(c, LOWS);
  let n = 0;
  if (whole && accept === 0) {
    const bits = live + (<usize>base >> 3);
    const until = lows + ((<usize>end) << 1);
    let low = lows + ((<usize>start) << 1);
    for (; low + 6 < until; low += 8) {
      n += hit(bits, <usize>load<u16>(low)) + hit(bits, <usize>load<u16>(low, 2));
      n += hit(bits, <usize>load<u16>(low, 4)) + hit(bits, <usize>load<u16>(low, 6));
    }
    for (; low < until; low += 2) n += hit(bits, <usize>load<u16>(low));
    return n;
  }
  for (let p = start; p < end; p++) {
    if (isVisible(base + <i32>load<u16>(lows + ((<usize>p) << 1)))) n++;
  }
  return n;
}

function hit(bits: usize, low: usize): i32 {
  return (<i32>load<u8>(bits + (low >> 3)) >>> (<i32>low & 7)) & 1;
}

/** Documents in any of the lists. */
function countAny(): i32 {
  const bytes = chunkBytes();
  const one: usize = load<u32>(list(0), DENSE);
  const other: usize = load<u32>(list(1), DENSE);
  if (count === 2 && one !== 0 && other !== 0 && live !== 0 && hasOnlyDeletions()) {
    return countEither(one, other, liveBits(), bytes);
  }
  const bits = scratch + SCRATCH_BITS;
  let empty = true;
  for (let a = 0; a < count; a++) {
    const own: usize = load<u32>(list(a), DENSE);
    if (own === 0) continue;
    if (empty) copy(bits, own, bytes);
    else or(bits, own, bytes);
    empty = false;
  }
  if (empty) clear(bits, bytes);
  for (let a = 0; a < count; a++) {
    const c = list(a);
    if (load<u32>(c, DENSE) === 0) scatter(c, load<i32>(c, START), load<i32>(c, END), bits);
  }
  return countVisibleBits(bytes);
}

/** Sets the bits of some postings of a list; that of document 0 is at `bits`. */
function scatter(c: usize, start: i32, end: i32, bits: usize): void {
  const lows: usize = load<u32>(c, LOWS);
  const until = lows + ((<usize>end) << 1);
  for (let at = lows + ((<usize>start) << 1); at < until; at += 2) {
    const low = <usize>load<u16>(at);
    const word = bits + ((low >> 5) << 2);
    store<u32>(word, load<u32>(word) | (1 << (<u32>low & 31)));
  }
}

/** Living documents from … to-1 in any of the m lists of the window, which stand at its start. */
export function countWindow(m: i32, from: i32, to: i32): i32 {
  const bytes = (<usize>((to - from + 127) >>> 7)) << 4;
  const skip = <usize>from >> 3;
  const bits = scratch + SCRATCH_BITS;
  const first: usize = load<u32>(listByBound(0), DENSE);
  if (m === 2 && first !== 0 && live !== 0) {
    const other: usize = load<u32>(listByBound(1), DENSE);
    if (other !== 0) return countEither(first + skip, other + skip, liveBits() + skip, bytes);
  }
  let empty = true;
  for (let z = 0; z < m; z++) {
    const dense: usize = load<u32>(listByBound(z), DENSE);
    if (dense === 0) continue;
    if (empty) copy(bits, dense + skip, bytes);
    else or(bits, dense + skip, bytes);
    empty = false;
  }
  if (empty) clear(bits, bytes);
  for (let z = 0; z < m; z++) {
    const c = listByBound(z);
    if (load<u32>(c, DENSE) === 0) scatter(c, load<i32>(c, AT), load<i32>(c, UNTIL), bits - skip);
  }
  return live === 0 ? popcount(bits, bytes) : countAnd(bits, liveBits() + skip, bytes);
}

/** Documents in all of the lists. REQUIRES: areDense. */
function countAll(): i32 {
  const bytes = chunkBytes();
  const bits = scratch + SCRATCH_BITS;
  const first: usize = load<u32>(listByLength(0), DENSE);
  const second: usize = load<u32>(listByLength(1), DENSE);
  if (count === 2 && whole && accept === 0) {
    const at = <usize>base >> 3;
    return live === 0 ? countAnd(first, second, bytes) : countAnd3(first, second, live + at, bytes);
  }
  copy(bits, first, bytes);
  for (let z = 1; z < count; z++) and(bits, load<u32>(listByLength(z), DENSE), bytes);
  return countVisibleBits(bytes);
}

/** Number of visible documents in the scratch bitmap, which is overwritten. */
function countVisibleBits(bytes: usize): i32 {
  const bits = scratch + SCRATCH_BITS;
  const left = visible - base;
  if (!whole && left < 65536) {
    const word = bits + ((<usize>(left >>> 5)) << 2);
    store<u32>(word, load<u32>(word) & ((1 << (<u32>left & 31)) - 1));
    for (let at = word + 4; at < bits + bytes; at += 4) store<u32>(at, 0);
  }
  if (accept !== 0) and(bits, accept + (<usize>base >> 3), bytes);
  return live === 0 ? popcount(bits, bytes) : countAnd(bits, live + (<usize>base >> 3), bytes);
}
