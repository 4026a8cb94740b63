// What comes after the first few hundred hits in score order? The whole list, scored once and kept for a while: 12
// bytes a match, in a bounded cache, so that deep pages and walks in score order do not score again and again.

/** All matches of a search in score order, ties by insertion. */
export interface RankedList {
  /** place · 2^32 + document, best first. */
  readonly positions: Float64Array;
  readonly scores: Float32Array;
}

/** Position of a document among all leaves of a search. */
export function positionOf(place: number, doc: number): number {
  return place * 4_294_967_296 + doc;
}

export function placeOf(position: number): number {
  return Math.floor(position / 4_294_967_296);
}

export function docOf(position: number): number {
  return position % 4_294_967_296;
}

/** Float32 bits as unsigned numbers that sort the other way round: the best score first. */
function descendingBits(scores: Float32Array): Uint32Array {
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length).slice();
  for (let i = 0; i < bits.length; i++) {
    const b = bits[i]!;
    bits[i] = b >>> 31 ? b : ~(b | 0x80000000);
  }
  return bits;
}

/** Sorts by score descending, stably: pairs given in insertion order keep it among ties. O(n), in steps. */
export function* rank(positions: Float64Array, scores: Float32Array): Generator<void, RankedList, undefined> {
  const n = positions.length;
  const keys = descendingBits(scores);
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
  return { positions: sortedPositions, scores: sortedScores };
}

/**
 * How many entries of a list come before a (score, position), or before and with it. Without a position every entry of
 * that score ties with it. O(log n).
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
