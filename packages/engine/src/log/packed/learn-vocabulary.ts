// Learns the words of a vocabulary from a sample of about 1 MiB: words, phrases and pieces, by what they
// would save in another sample like it. How often a word seen once will come again is estimated from how many
// were seen twice, and so on (Good, 1953), for each kind of word. So ids and numbers, which never come again,
// get no codes, and rare words do.

import { chooseVocabulary } from './choose-vocabulary.ts';
import { BARE_MAX, WORD_MAX } from './code.ts';
import { learnPieces, type WordCandidate } from './learn-pieces.ts';
import { RunCounts } from './run-counts.ts';
import { cutTokens, phraseAt } from './tokens.ts';
import { type Vocabulary, writeVocabulary } from './vocabulary.ts';
import { UNIT, WordPacking } from './word-packing.ts';

/** Only so many bytes of a sample are used. */
const SAMPLE_MAX = 1 << 20;
/** With more bits of entropy per byte there is nothing to learn: the sample is compressed or random. */
const DENSE_BITS = 7.6;
/** A phrase seen less often is split into its tokens. */
const PHRASE_MIN = 6;
/** Bytes of rare words that pieces are learnt from, at most. */
const RARE_MAX = 96 << 10;
const PIECES_MAX = 6_144;
/** Bytes of one range of them: pieces are learnt from one range and counted in the next. */
const RANGE = 64;
/** Units packed as a trial, and the ratio they must reach. */
const TRIALS = 24;
const PAYS = 0.9;

/** Kinds of words: separators, letters, with digits, beyond ASCII; each short or long. */
const KINDS = 8;
/** A word seen more often is expected as often again. */
const SELDOM = 4;

/** Bytes that a word without a code takes: literals, or its pieces. */
function spelledIn(length: number): number {
  return 1 + (length > BARE_MAX ? length * 0.6 : length);
}

/**
 * A sample cut into parts: the end of each, and its number among the counts, or -1 if it is too long for a
 * word.
 */
interface Parts {
  readonly ends: Uint32Array;
  readonly numbers: Int32Array;
  readonly words: RunCounts;
}

/**
 * The encoded vocabulary that saves most on a sample (at most 1 MiB of it is used); undefined if there is
 * nothing to save. The same sample gives the same bytes. O(sample).
 */
export function learnVocabulary(sample: Uint8Array): Uint8Array | undefined {
  const seen = sample.subarray(0, SAMPLE_MAX);
  if (bitsPerByte(seen) > DENSE_BITS) return undefined;
  const parts = count(seen, cut(seen));
  const rare = rareRanges(parts);
  const last = rare.at(-1) ?? 0;
  const pieces = learnPieces(seen, rare, last === 0 ? 1 : seen.length / last, PIECES_MAX);
  const vocabulary = chooseVocabulary(seen, [...expected(seen, parts.words), ...pieces]);
  return pays(vocabulary, seen) ? writeVocabulary(vocabulary) : undefined;
}

/** Zero-order entropy of the bytes. */
function bitsPerByte(sample: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of sample) counts[byte]!++;
  let bits = 0;
  for (const count of counts)
    if (count > 0) bits += (count / sample.length) * Math.log2(sample.length / count);
  return bits;
}

/** Whether units from all over the sample get small enough. */
function pays(vocabulary: Vocabulary, sample: Uint8Array): boolean {
  const packing = new WordPacking(writeVocabulary(vocabulary));
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

/** Cuts a sample into frequent phrases, and tokens in between; returns the ends. */
function cut(sample: Uint8Array): Uint32Array {
  const tokens = cutTokens(sample, 0, sample.length);
  const { count, starts } = tokens;
  const phrases = new RunCounts(sample);
  for (let i = 0; i < count; i++) {
    const phrase = phraseAt(tokens, i);
    if (phrase > 0) phrases.add(starts[i]!, phrase);
  }
  const ends = new Uint32Array(count);
  let cuts = 0;
  for (let i = 0; i < count; ends[cuts++] = starts[i]!) {
    const length = phraseAt(tokens, i);
    const phrase = length > 0 ? phrases.find(starts[i]!, length) : -1;
    i += phrase >= 0 && phrases.counts[phrase]! >= PHRASE_MIN ? 3 : 1;
  }
  return ends.subarray(0, cuts);
}

function count(sample: Uint8Array, ends: Uint32Array): Parts {
  const words = new RunCounts(sample);
  const numbers = new Int32Array(ends.length);
  for (let i = 0, at = 0; i < ends.length; at = ends[i++]!)
    numbers[i] = ends[i]! - at <= WORD_MAX ? words.add(at, ends[i]! - at) : -1;
  return { ends, numbers, words };
}

/**
 * Ranges of long words that were seen once, and of tokens too long for a word: [start, end) pairs of at most
 * RANGE bytes.
 */
function rareRanges({ ends, numbers, words }: Parts): number[] {
  const ranges: number[] = [];
  let room = RARE_MAX;
  for (let i = 0, at = 0; i < ends.length && room > 0; at = ends[i++]!) {
    const end = Math.min(ends[i]!, at + room);
    if (end - at <= BARE_MAX || (numbers[i]! >= 0 && words.counts[numbers[i]!]! > 1)) continue;
    for (let start = at; start < end; start += RANGE) ranges.push(start, Math.min(start + RANGE, end));
    room -= end - at;
  }
  return ranges;
}

/** Words with their expected counts in another sample: for a word seen r times, (r + 1) n(r + 1) / n(r). */
function expected(sample: Uint8Array, { places, lengths, counts, size }: RunCounts): WordCandidate[] {
  const kinds = new Uint8Array(size);
  /** Of each kind, how many words were seen r times. */
  const seen = Array.from({ length: KINDS }, () => new Uint32Array(SELDOM + 2));
  for (let n = 0; n < size; n++) {
    const kind = kindOf(sample, places[n]!, lengths[n]!);
    kinds[n] = kind;
    if (counts[n]! <= SELDOM + 1) seen[kind]![counts[n]!]!++;
  }
  const candidates: WordCandidate[] = [];
  for (let n = 0; n < size; n++) {
    const r = counts[n]!;
    const times = seen[kinds[n]!]!;
    const count = r > SELDOM ? r : Math.min(r, ((r + 1) * times[r + 1]!) / times[r]!);
    const length = lengths[n]!;
    if (count > 0) candidates.push({ at: places[n]!, length, count, spelled: spelledIn(length) });
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
