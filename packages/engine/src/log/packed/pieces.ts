// Which short strings spell the words that no vocabulary knows? Learnt in rounds: what a text is cut into, and what two
// neighbours are together, are counted, and the most useful of both cut it in the next round (after FSST: Boncz, Neumann
// and Leis, 2020).

import { PIECE_MAX } from './code.ts';
import { Counts } from './counts.ts';
import { type Dictionary, findPiece, makeDictionary } from './dictionary.ts';

/** Lengths double with each of the first three. */
const ROUNDS = 5;

/** A string of the sample, and how often it is to be expected in another sample of that size. */
export interface Candidate {
  readonly at: number;
  readonly length: number;
  readonly count: number;
  /** Bytes that it takes where it has no code. */
  readonly spelled: number;
}

/** Pieces of these ranges of the sample ([start, end) pairs), at most `room`. O(bytes of the ranges). */
export function learnPieces(sample: Uint8Array, ranges: readonly number[], room: number): Candidate[] {
  let pieces: Candidate[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const entries = Uint32Array.from(pieces, ({ at, length }) => (at << 6) | length);
    const dictionary = makeDictionary(sample, entries);
    const counts = new Counts(sample);
    for (let r = 0; r < ranges.length; r += 2)
      cut(dictionary, sample, ranges[r]!, ranges[r + 1]!, counts, round < ROUNDS - 1);
    pieces = best(counts, room);
  }
  return pieces;
}

/** Counts what a range is cut into and, if pairs are asked for, what neighbours are together. */
function cut(
  dictionary: Dictionary,
  sample: Uint8Array,
  start: number,
  end: number,
  counts: Counts,
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

/** Those that save most. */
function best({ places, lengths, counts, size }: Counts, room: number): Candidate[] {
  const all: Candidate[] = [];
  for (let n = 0; n < size; n++) {
    const length = lengths[n]!;
    if (counts[n]! > 1) all.push({ at: places[n]!, length, count: counts[n]!, spelled: length + 0.8 });
  }
  all.sort((a, b) => savedBy(b) - savedBy(a) || a.at - b.at || a.length - b.length);
  return all.slice(0, room);
}

/** Of short ones the count decides: they may get codes of one byte. */
function savedBy({ count, spelled, length }: Candidate): number {
  return count * Math.max(spelled - 2, length * 0.2);
}
