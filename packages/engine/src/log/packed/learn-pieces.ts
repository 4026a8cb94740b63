// Learns pieces: short strings that spell words without a code. Learnt in rounds: the pieces a text is cut
// into, and pairs of neighbours, are counted, and the most useful of both cut it in the next round (after
// FSST: Boncz, Neumann and Leis, 2020).

import { PIECE_MAX } from './code.ts';
import { RunCounts } from './run-counts.ts';
import { findPiece, makeDictionary, type WordDictionary } from './word-dictionary.ts';

/** Rounds of learning; lengths double with each of the first three. */
const ROUNDS = 4;

/** More than there are ever candidates. */
const RANKS = 2 ** 22;

/** A string of the sample, with its expected count in another sample of that size. */
export interface WordCandidate {
  readonly at: number;
  readonly length: number;
  readonly count: number;
  /** Bytes it takes without a code. */
  readonly spelled: number;
}

/**
 * At most `room` pieces of these ranges of the sample ([start, end) pairs), which are one part in `share` of
 * all the bytes that pieces are used for. Pieces are learnt from every other range and counted in the rest,
 * which excludes pieces that recur by chance. O(bytes of the ranges).
 */
export function learnPieces(
  sample: Uint8Array,
  ranges: readonly number[],
  share: number,
  room: number,
): WordCandidate[] {
  let pieces: WordCandidate[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const isTrial = round === ROUNDS;
    const entries = Uint32Array.from(pieces, ({ at, length }) => (at << 6) | length);
    const dictionary = makeDictionary(sample, entries);
    const counts = new RunCounts(sample);
    for (let r = isTrial ? 2 : 0; r < ranges.length; r += 4)
      cut(dictionary, sample, ranges[r]!, ranges[r + 1]!, counts, !isTrial);
    pieces = best(counts, isTrial ? share * 2 : 1, room);
  }
  return pieces;
}

/** Counts the pieces a range is cut into and, with `pairs`, pairs of neighbours. */
function cut(
  dictionary: WordDictionary,
  sample: Uint8Array,
  start: number,
  end: number,
  counts: RunCounts,
  pairs: boolean,
): void {
  let before = 0;
  for (let p = start; p < end; ) {
    const found = findPiece(dictionary, sample, p, end);
    const length = found < 0 ? 1 : found & 0xff;
    counts.add(p, length);
    if (pairs && before > 0 && before + length <= PIECE_MAX) counts.add(p - before, before + length);
    before = length;
    p += length;
  }
}

/** The candidates that save most. */
function best({ places, lengths, counts, size }: RunCounts, scale: number, room: number): WordCandidate[] {
  const all: WordCandidate[] = [];
  for (let n = 0; n < size; n++) {
    const length = lengths[n]!;
    const count = counts[n]! * scale;
    if (counts[n]! > 1) all.push({ at: places[n]!, length, count, spelled: length + 0.8 });
  }
  return mostFirst(all, savedBy).slice(0, room);
}

/** Sorts by value, highest first; stable. */
export function mostFirst(
  all: readonly WordCandidate[],
  value: (one: WordCandidate) => number,
): WordCandidate[] {
  const keys = Float64Array.from(all, (one, i) => i - Math.round(value(one) * 16) * RANKS);
  return Array.from(keys.sort(), (key) => all[((key % RANKS) + RANKS) % RANKS]!);
}

/** For short pieces the count decides: they may get one-byte codes. */
function savedBy({ count, spelled, length }: WordCandidate): number {
  return count * Math.max(spelled - 2, length * 0.2);
}
