// The k best documents so far, and the limit that a bound must beat. The twin of TopK and Survivors
// (score/): a heap with the worst on top (score descending, then position ascending), or, for up to 32
// results, a sorted array, which is cheaper than a heap that must be sorted in the end.

import {
  LEAF_ACCEPT,
  LEAF_LIVE,
  LEAF_PLACE,
  LEAF_UNIT,
  LEAF_VISIBLE,
  QUERY_CAPACITY,
  QUERY_HEAP,
  QUERY_SEED,
  QUERY_SIZE,
} from './layout';

const HIGHEST: f64 = 0x3fffffff;
/** Up to so many results are kept sorted. */
const FEW: i32 = 32;

let heap: usize = 0;
let size: i32 = 0;
export let capacity: i32 = 0;
let seed: f64 = 0;
let least: f64 = 0;
let unit: f64 = 1;
let live: usize = 0;
let accept: usize = 0;
let visible: i32 = 0;
let base: u64 = 0;
/** A limit known from bounds, before documents are scored. */
let assumedLimit: i32 = -1;

/** Documents with a bound up to this cannot get in; -1 while all can. */
export let limit: i32 = -1;

export function beginTop(q: usize): void {
  heap = load<u32>(q, QUERY_HEAP);
  size = load<i32>(q, QUERY_SIZE);
  capacity = load<i32>(q, QUERY_CAPACITY);
  seed = load<f64>(q, QUERY_SEED);
  least = leastNow();
}

/** Sorts the results, best first; the heap is not valid afterwards. */
export function sortTop(): void {
  if (capacity <= FEW) return;
  const all = size;
  while (size > 1) {
    const last = heap + ((<usize>--size) << 4);
    const score = load<f64>(last);
    const position = load<u64>(last, 8);
    v128.store(last, v128.load(heap));
    down(score, position);
  }
  size = all;
}

export function saveTop(q: usize): void {
  store<i32>(q, size, QUERY_SIZE);
}

/** Moves to a leaf. */
export function enterTop(leaf: usize): void {
  live = load<u32>(leaf, LEAF_LIVE);
  accept = load<u32>(leaf, LEAF_ACCEPT);
  visible = load<i32>(leaf, LEAF_VISIBLE);
  base = (<u64>load<u32>(leaf, LEAF_PLACE)) << 32;
  unit = load<f64>(leaf, LEAF_UNIT);
  assumedLimit = -1;
  raise();
}

/** Whether a score up to `bound` may get in. */
export function canGetIn(bound: f64): bool {
  return bound >= least;
}

export function isFull(): bool {
  return size === capacity;
}

/** Raises the limit: `capacity` documents of the leaf are known to score above this bound. */
export function assumeBound(bound: i32): void {
  if (bound > assumedLimit) assumedLimit = bound;
  if (bound > limit) limit = bound;
}

export function isVisible(doc: i32): bool {
  if (doc >= visible) return false;
  const at = (<usize>(doc >>> 5)) << 2;
  const shift = <u32>doc & 31;
  if (live !== 0 && ((load<u32>(live + at) >>> shift) & 1) === 0) return false;
  return accept === 0 || ((load<u32>(accept + at) >>> shift) & 1) !== 0;
}

function leastNow(): f64 {
  if (size < capacity) return seed;
  const worst = load<f64>(capacity <= FEW ? heap + ((<usize>(capacity - 1)) << 4) : heap);
  return worst > seed ? worst : seed;
}

function raise(): void {
  least = leastNow();
  limit = assumedLimit;
  if (least < 0) return;
  const bound = Math.floor(least / unit);
  limit = max(assumedLimit, <i32>(bound > HIGHEST ? HIGHEST : bound));
}

/** Takes the score of a visible document of the leaf. */
export function offer(score: f64, doc: i32): void {
  if (score < least) return;
  const position = base | <u64>(<u32>doc);
  if (capacity <= FEW) {
    insert(score, position);
    return;
  }
  if (size < capacity) {
    up(size++, score, position);
    if (size === capacity) raise();
    return;
  }
  const worst = load<f64>(heap);
  if (score < worst || (score === worst && position > load<u64>(heap, 8))) return;
  down(score, position);
  raise();
}

/** Inserts the pair into the sorted results. */
function insert(score: f64, position: u64): void {
  let at = heap + ((<usize>size) << 4);
  if (size < capacity) size++;
  else {
    at -= 16;
    const worst = load<f64>(at);
    if (score < worst || (score === worst && position > load<u64>(at, 8))) return;
  }
  for (; at > heap; at -= 16) {
    const before = load<f64>(at - 16);
    if (before > score || (before === score && load<u64>(at - 16, 8) < position)) break;
    v128.store(at, v128.load(at - 16));
  }
  store<f64>(at, score);
  store<u64>(at, position, 8);
  if (size === capacity) raise();
}

function put(place: i32, score: f64, position: u64): void {
  const at = heap + ((<usize>place) << 4);
  store<f64>(at, score);
  store<u64>(at, position, 8);
}

/** Puts the pair at hole `from` and lifts it while its parent is better. */
function up(from: i32, score: f64, position: u64): void {
  let i = from;
  while (i > 0) {
    const parent = (i - 1) >>> 1;
    const at = heap + ((<usize>parent) << 4);
    const s = load<f64>(at);
    const p = load<u64>(at, 8);
    if (s < score || (s === score && p > position)) break;
    put(i, s, p);
    i = parent;
  }
  put(i, score, position);
}

/** Replaces the top with the pair and sinks it. */
function down(score: f64, position: u64): void {
  let i = 0;
  while (true) {
    let child = 2 * i + 1;
    if (child >= size) break;
    let at = heap + ((<usize>child) << 4);
    if (child + 1 < size) {
      const a = load<f64>(at);
      const b = load<f64>(at, 16);
      if (b < a || (b === a && load<u64>(at, 24) > load<u64>(at, 8))) {
        child++;
        at += 16;
      }
    }
    const s = load<f64>(at);
    const p = load<u64>(at, 8);
    if (s > score || (s === score && p < position)) break;
    put(i, s, p);
    i = child;
  }
  put(i, score, position);
}
