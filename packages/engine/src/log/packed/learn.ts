// Which words are worth a code? Those of a sample, by what they would save in another one like it: how often a word comes
// that was seen once is estimated by how many were seen twice (Good, 1953), for each kind of word. So ids and numbers,
// which never come again, take no room, and rare words do.

import { choose } from './choose.ts';
import { WORD_MAX } from './code.ts';
import { Counts } from './counts.ts';
import { Packing, UNIT } from './packing.ts';
import { type Candidate, learnPieces } from './pieces.ts';
import { phraseAt, tokenAt } from './tokens.ts';
import { type Vocabulary, writeVocabulary } from './vocabulary.ts';

/** No more of a sample is looked at. */
const SAMPLE_MAX = 2 << 20;
/** A phrase that was seen less often is spelled by its parts. */
const PHRASE_MIN = 6;
/** Bytes of rare words that pieces are learnt from. */
const RARE_MAX = 192 << 10;
const PIECES_MAX = 8_192;
/** Units that are packed to see whether it pays, and what is to be left of them. */
const TRIALS = 24;
const PAYS = 0.9;

/** Kinds of words: of others, of letters, with digits, beyond ASCII; each short or long. */
const KINDS = 8;

/** Bytes that a word takes where it has no code: its pieces. */
function spelledIn(length: number): number {
  return 1 + length * 0.6;
}

/** The words of a sample that save most, in the order of their codes; undefined where there is nothing to save. O(sample). */
export function learnVocabulary(sample: Uint8Array): Uint8Array | undefined {
  const seen = sample.length > SAMPLE_MAX ? sample.subarray(0, SAMPLE_MAX) : sample;
  const tokens = cut(seen);
  const words = countWords(seen, tokens);
  const pieces = learnPieces(seen, rareRanges(tokens, words), PIECES_MAX);
  const vocabulary = choose(seen, [...expected(seen, words), ...pieces]);
  return pays(vocabulary, seen) ? writeVocabulary(vocabulary) : undefined;
}

/** Do some units of the sample, from all over it, get small enough? */
function pays(vocabulary: Vocabulary, sample: Uint8Array): boolean {
  const packing = new Packing(writeVocabulary(vocabulary));
  const step = Math.max(UNIT, Math.floor(sample.length / TRIALS));
  let before = 0;
  let after = 0;
  for (let at = 0; at < sample.length; at += step) {
    const unit = sample.subarray(at, at + UNIT);
    before += unit.length;
    after += packing.pack(unit).packed.length;
  }
  return after < before * PAYS;
}

/** Where a sample is cut, end by end: into frequent phrases, and tokens where there are none. */
function cut(sample: Uint8Array): Uint32Array {
  const phrases = new Counts(sample);
  for (let at = 0; at < sample.length; ) {
    const phrase = phraseAt(sample, at, sample.length);
    if (phrase > 0) phrases.add(at, phrase);
    at += tokenAt(sample, at, sample.length);
  }
  const ends = new Uint32Array(sample.length);
  let count = 0;
  for (let at = 0; at < sample.length; ends[count++] = at) {
    const length = phraseAt(sample, at, sample.length);
    const phrase = length > 0 ? phrases.find(at, length) : -1;
    const isFrequent = phrase >= 0 && phrases.counts[phrase]! >= PHRASE_MIN;
    at += isFrequent ? length : tokenAt(sample, at, sample.length);
  }
  return ends.subarray(0, count);
}

function countWords(sample: Uint8Array, ends: Uint32Array): Counts {
  const counts = new Counts(sample);
  for (let i = 0, at = 0; i < ends.length; at = ends[i++]!)
    if (ends[i]! - at <= WORD_MAX) counts.add(at, ends[i]! - at);
  return counts;
}

/** Where the words stand that were seen once, and what is too long for a word: [start, end) pairs. */
function rareRanges(ends: Uint32Array, words: Counts): number[] {
  const ranges: number[] = [];
  let room = RARE_MAX;
  for (let i = 0, at = 0; i < ends.length && room > 0; at = ends[i++]!) {
    const length = ends[i]! - at;
    const word = length <= WORD_MAX ? words.find(at, length) : -1;
    if (word >= 0 && words.counts[word]! > 1) continue;
    ranges.push(at, at + length);
    room -= length;
  }
  return ranges;
}

/** Words with the counts to be expected of them elsewhere. */
function expected(sample: Uint8Array, { places, lengths, counts, size }: Counts): Candidate[] {
  const kinds = new Uint8Array(size);
  const once = new Float64Array(KINDS);
  const twice = new Float64Array(KINDS);
  for (let n = 0; n < size; n++) {
    const kind = kindOf(sample, places[n]!, lengths[n]!);
    kinds[n] = kind;
    if (counts[n] === 1) once[kind]!++;
    if (counts[n] === 2) twice[kind]!++;
  }
  const candidates: Candidate[] = [];
  for (let n = 0; n < size; n++) {
    const kind = kinds[n]!;
    const count = counts[n]! > 1 ? counts[n]! : Math.min(1, (2 * twice[kind]!) / once[kind]!);
    candidates.push({ at: places[n]!, length: lengths[n]!, count, spelled: spelledIn(lengths[n]!) });
  }
  return candidates;
}

function kindOf(sample: Uint8Array, at: number, length: number): number {
  let kind = 0;
  for (let i = at; i < at + length; i++) {
    const byte = sample[i]!;
    if (byte >= 0x80) kind = 3;
    else if (kind < 2 && byte >= 0x30 && byte <= 0x39) kind = 2;
    else if (kind < 1 && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) kind = 1;
  }
  return kind * 2 + (length > 8 ? 1 : 0);
}
