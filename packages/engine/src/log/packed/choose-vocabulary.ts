// Chooses which word candidates get a code, and how many codes have one byte. Each first byte of a code is
// either one word with a one-byte code or the lead of 256 words with two-byte codes: all splits are compared.

import { LITERAL, leadsFor, WORDS_MAX } from './code.ts';
import { mostFirst, type WordCandidate } from './learn-pieces.ts';
import { RunCounts } from './run-counts.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Bytes of all words together. */
const BYTES_MAX = 224 << 10;
/** A word that saves less in another sample of that size is not worth its own bytes. */
const SAVED_MIN = 1;

/** The vocabulary that saves most. */
export function chooseVocabulary(sample: Uint8Array, candidates: readonly WordCandidate[]): Vocabulary {
  const all = merged(sample, candidates);
  const promoted = mostFirst(all, promotion).slice(0, LITERAL);
  const heads = new Set(promoted);
  const long = all.filter((one) => savedLong(one) >= SAVED_MIN && !heads.has(one));
  const tails = mostFirst(long, savedLong);
  tails.length = fitting(promoted, tails);
  for (let leads = bestSplit(promoted, tails); ; leads--) {
    const short = LITERAL - leads;
    const demoted = promoted.slice(short).filter((one) => savedLong(one) >= SAVED_MIN);
    const others = [...demoted, ...tails].slice(0, Math.min(leads * 256, WORDS_MAX - short));
    const chosen = [...promoted.slice(0, short), ...others];
    // If the demoted words that are not worth two bytes leave a lead without words, there is one lead too
    // many.
    if (leads === 0 || leadsFor(chosen.length, short) === leads) return spellOut(sample, chosen, short);
  }
}

/** Merges candidates with the same string. */
function merged(sample: Uint8Array, candidates: readonly WordCandidate[]): WordCandidate[] {
  const strings = new RunCounts(sample);
  const all: WordCandidate[] = [];
  for (const one of candidates) {
    const number = strings.add(one.at, one.length);
    const known = all[number];
    if (number < 0) continue;
    if (known === undefined) all.push(one);
    else {
      const spelled = Math.max(known.spelled, one.spelled);
      all[number] = { ...known, count: known.count + one.count, spelled };
    }
  }
  return all;
}

/** Bytes saved by a code of two bytes. */
function savedLong({ count, spelled }: WordCandidate): number {
  return Math.max(0, count * (spelled - 2));
}

/** Bytes saved by a code of one byte, beyond those. */
function promotion(one: WordCandidate): number {
  return one.count * (one.spelled - 1) - savedLong(one);
}

/** How many two-byte words fit into the vocabulary. */
function fitting(promoted: readonly WordCandidate[], tails: readonly WordCandidate[]): number {
  let bytes = promoted.reduce((sum, { length }) => sum + length, 0);
  const over = tails.findIndex(({ length }) => (bytes += length) > BYTES_MAX);
  return over < 0 ? tails.length : over;
}

/** The best number of lead bytes of two-byte codes. */
function bestSplit(promoted: readonly WordCandidate[], tails: readonly WordCandidate[]): number {
  const most = Math.min(LITERAL, Math.ceil((WORDS_MAX - LITERAL) / 256));
  let best = 0;
  let bestSaved = 0;
  /** Cost of demoting the last promoted words, and savings of the added two-byte words. */
  let lost = 0;
  let gained = 0;
  let next = 0;
  for (let leads = 1; leads <= most && next < tails.length; leads++) {
    const demoted = promoted[LITERAL - leads];
    if (demoted !== undefined) lost += promotion(demoted);
    for (const stop = leads * 256 - leads; next < stop && next < tails.length; next++)
      gained += savedLong(tails[next]!);
    if (gained - lost <= bestSaved) continue;
    best = leads;
    bestSaved = gained - lost;
  }
  return best;
}

function spellOut(sample: Uint8Array, chosen: readonly WordCandidate[], short: number): Vocabulary {
  const lengths = Uint8Array.from(chosen, ({ length }) => length);
  const words = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let to = 0;
  for (const { at, length } of chosen) {
    words.set(sample.subarray(at, at + length), to);
    to += length;
  }
  return { short, lengths, words };
}
