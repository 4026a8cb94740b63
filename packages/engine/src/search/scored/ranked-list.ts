// Ranks matches by score: the whole list by a radix sort, or only the part around a page by counting.

import type { ScoredList } from '../caches/scored-lists.ts';

/** Matches in score order, the best first, ties by insertion. */
export interface RankedList extends ScoredList {
  readonly isRanked: true;
}

/** Float32 bits as unsigned numbers that sort in descending order: the best score first. */
function descending(bits: number): number {
  return (bits >>> 31 ? bits : ~(bits | 0x80000000)) >>> 0;
}

function bitsOf(scores: Float32Array): Uint32Array {
  return new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
}

/** Sorts by score descending, stably: pairs given in insertion order keep it among ties. O(n), in steps. */
export function* rankByScore(
  positions: Float64Array,
  scores: Float32Array,
): Generator<void, RankedList, undefined> {
  const n = positions.length;
  if (n <= FEW_MATCHES) return rankFew(positions, scores);
  const keys = bitsOf(scores).map(descending);
  let from = new Uint32Array(n);
  let to = new Uint32Array(n);
  for (let i = 0; i < n; i++) from[i] = i;
  const counts = new Uint32Array(65_537);
  for (const shift of [0, 16]) {
    counts.fill(0);
    for (let i = 0; i < n; i++) counts[((keys[i]! >>> shift) & 0xffff) + 1]!++;
    for (let d = 1; d < counts.length; d++) counts[d]! += counts[d - 1]!;
    for (let i = 0; i < n; i++) to[counts[(keys[from[i]!]! >>> shift) & 0xffff]!++] = from[i]!;
    [from, to] = [to, from];
    yield;
  }
  const sortedPositions = new Float64Array(n);
  const sortedScores = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    sortedPositions[i] = positions[from[i]!]!;
    sortedScores[i] = scores[from[i]!]!;
  }
  return { positions: sortedPositions, scores: sortedScores, isRanked: true };
}

/** Up to so many matches are sorted by comparing: counting goes through all 65,536 digits twice. */
const FEW_MATCHES = 4_096;

/**
 * Sorts few matches: score key and place in the list are packed into one whole number below 2^44. O(n log n).
 */
function rankFew(positions: Float64Array, scores: Float32Array): RankedList {
  const n = positions.length;
  const bits = bitsOf(scores);
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) keys[i] = descending(bits[i]!) * FEW_MATCHES + i;
  keys.sort();
  const sorted = { positions: new Float64Array(n), scores: new Float32Array(n), isRanked: true as const };
  for (let i = 0; i < n; i++) {
    const from = keys[i]! % FEW_MATCHES;
    sorted.positions[i] = positions[from]!;
    sorted.scores[i] = scores[from]!;
  }
  return sorted;
}

/**
 * The entries [start, end) of the ranked list, without ranking all of it: matches are counted by the upper 16
 * bits of their scores, and only those around the page are ranked. O(n), in steps.
 */
export function* pickRange(
  { positions, scores }: ScoredList,
  start: number,
  end: number,
): Generator<void, ScoredList, undefined> {
  const bits = bitsOf(scores);
  const counts = new Uint32Array(65_536);
  for (let i = 0; i < bits.length; i++) counts[descending(bits[i]!) >>> 16]!++;
  yield;
  let [low, before] = [0, 0];
  while (low < 65_535 && before + counts[low]! <= start) before += counts[low++]!;
  let [high, until] = [low, before + counts[low]!];
  while (high < 65_535 && until < end) until += counts[++high]!;
  const near = { positions: new Float64Array(until - before), scores: new Float32Array(until - before) };
  let n = 0;
  for (let i = 0; i < bits.length; i++) {
    const key = descending(bits[i]!) >>> 16;
    if (key < low || key > high) continue;
    near.positions[n] = positions[i]!;
    near.scores[n++] = scores[i]!;
  }
  yield;
  const ranked = yield* rankByScore(near.positions, near.scores);
  return {
    positions: ranked.positions.subarray(start - before, end - before),
    scores: ranked.scores.subarray(start - before, end - before),
  };
}

/**
 * How many entries of a list come before a (score, position), with `inclusive` also the entry at it. Without
 * a position every entry of that score ties with it. O(log n).
 */
export function rankOfScore(
  list: RankedList,
  score: number,
  position: number | undefined,
  inclusive: boolean,
): number {
  let low = 0;
  let high = list.scores.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    const s = list.scores[mid]!;
    let c = s > score ? -1 : s < score ? 1 : 0;
    if (c === 0 && position !== undefined) c = list.positions[mid]! - position;
    if (inclusive ? c <= 0 : c < 0) low = mid + 1;
    else high = mid;
  }
  return low;
}
