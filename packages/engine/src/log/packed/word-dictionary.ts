// The dictionary of a vocabulary: finds the word at a position. A hash table of buckets of one cache line
// each, made once and read by the kernel as well (kernels/assembly/pack/find.ts). A key identifies a word of
// up to seven bytes; longer words are compared. The filters tell which word lengths, up to eight bytes, begin
// with the bytes at a position.
//
//   entry   position of the word among the strings << 6 | length; 0 for none
//   key     the bytes of the word, or two hashes of them; in the highest byte the length
//   bucket  0 six keys, 0 if there is none | 48 their numbers u16 | 60 free
//   filters for the first two bytes a, b at a | b << 8, and behind that by a hash of the first four: bit n - 1 for words
//           of n bytes, the first for words of up to three, the second for longer ones

import { PIECE_MAX } from './code.ts';

const PAIRS = 1 << 16;
const FOURS_BITS = 14;
export const FILTER_BYTES: number = PAIRS + (1 << FOURS_BITS);
const BUCKET_KEYS = 6;
/** 32-bit words of a bucket, and the index of the numbers in it. */
const BUCKET = 16;
const NUMBERS = 12;
/** The keys of longer words are hashes. */
const INLINE = 7;

/** The words and their lookup tables. */
export interface WordDictionary {
  readonly strings: Uint8Array;
  readonly entries: Uint32Array;
  /** A power of two of them. */
  readonly buckets: Int32Array;
  /** FILTER_BYTES. */
  readonly filters: Uint8Array;
}

/**
 * 32-bit words of the buckets for so many words, filled to two thirds at most. A table twice as large would
 * find all words instead of 19 of 20, but would miss the CPU cache more often.
 */
export function bucketWords(words: number): number {
  return BUCKET << (32 - Math.clz32(Math.max(2, Math.ceil(words / 4)) - 1));
}

/** Up to four bytes from `at` on, little-endian, zeros behind the end. */
function word(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end)
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  let w = 0;
  for (let i = at; i < end; i++) w |= bytes[i]! << ((i - at) << 3);
  return w;
}

/** The lower half of a key. */
export function lowKey(bytes: Uint8Array, at: number, length: number): number {
  const end = at + length;
  let h = word(bytes, at, end);
  if (length <= INLINE) return h;
  for (let i = at + 4; i < end; i += 4) h = Math.imul(h ^ (h >>> 15) ^ word(bytes, i, end), 0x2c1b3c6d);
  return h;
}

/** The upper half of a key. */
export function highKey(bytes: Uint8Array, at: number, length: number): number {
  const end = at + length;
  let h = word(bytes, at + 4, end);
  if (length > INLINE)
    for (let i = at + 8; i < end; i += 4) h = Math.imul(h ^ (h >>> 15) ^ word(bytes, i, end), 0x297a2d39);
  return (h & 0xffffff) | (length << 24);
}

/** Spreads a key (multiply and shift, after Murmur3's finalizer). */
export function hashKey(low: number, high: number): number {
  const h = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77);
  const g = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return g ^ (g >>> 14);
}

function fourAt(first: number): number {
  return PAIRS + (Math.imul(first, 0x9e3779b1) >>> (32 - FOURS_BITS));
}

/** Fills the entries of consecutive words. REQUIRES: room for them. */
export function fillEntries(entries: Uint32Array, lengths: Uint8Array): void {
  for (let number = 0, at = 0; number < lengths.length; at += lengths[number++]!)
    entries[number] = (at << 6) | lengths[number]!;
}

/** Makes a dictionary of these entries of the strings. */
export function makeDictionary(strings: Uint8Array, entries: Uint32Array): WordDictionary {
  const buckets = new Int32Array(bucketWords(entries.length));
  const dictionary = { strings, entries, buckets, filters: new Uint8Array(FILTER_BYTES) };
  fillDictionary(dictionary);
  return dictionary;
}

/**
 * Fills buckets and filters for the entries. Of equal words the first is found; a word whose bucket is full
 * is not found. O(words).
 */
export function fillDictionary(dictionary: WordDictionary): void {
  const { entries, buckets, filters } = dictionary;
  buckets.fill(0);
  filters.fill(0);
  for (let number = 0; number < entries.length; number++) insert(dictionary, number);
}

function insert({ strings, entries, buckets, filters }: WordDictionary, number: number): void {
  const at = entries[number]! >>> 6;
  const length = entries[number]! & 63;
  const low = lowKey(strings, at, length);
  const high = highKey(strings, at, length);
  const bucket = Math.imul(hashKey(low, high), BUCKET) & (buckets.length - 1);
  for (let i = 0; i < BUCKET_KEYS; i++) {
    const key = bucket + 2 * i;
    if (buckets[key + 1] === high && buckets[key] === low) return;
    if (buckets[key + 1] !== 0) continue;
    buckets[key] = low;
    buckets[key + 1] = high;
    buckets[bucket + NUMBERS + (i >>> 1)]! |= number << ((i & 1) << 4);
    addLength(filters, strings, at, length);
    return;
  }
}

function addLength(filters: Uint8Array, strings: Uint8Array, at: number, length: number): void {
  if (length > PIECE_MAX) return;
  const bit = 1 << (length - 1);
  const first = strings[at]!;
  if (length === 1) for (let second = 0; second < 256; second++) filters[first | (second << 8)]! |= bit;
  else if (length < 4) filters[first | (strings[at + 1]! << 8)]! |= bit;
  else filters[fourAt(word(strings, at, at + length))]! |= bit;
}

/** Number of the word bytes[at … at + length), or -1. REQUIRES: length in 1 … WORD_MAX. */
export function findWord(dictionary: WordDictionary, bytes: Uint8Array, at: number, length: number): number {
  const { buckets } = dictionary;
  const low = lowKey(bytes, at, length);
  const high = highKey(bytes, at, length);
  const bucket = Math.imul(hashKey(low, high), BUCKET) & (buckets.length - 1);
  for (let i = 0; i < BUCKET_KEYS; i++) {
    if (buckets[bucket + 2 * i + 1] !== high || buckets[bucket + 2 * i] !== low) continue;
    const number = (buckets[bucket + NUMBERS + (i >>> 1)]! >>> ((i & 1) << 4)) & 0xffff;
    return length <= INLINE || isAt(dictionary, number, bytes, at, length) ? number : -1;
  }
  return -1;
}

function isAt(
  { strings, entries }: WordDictionary,
  number: number,
  bytes: Uint8Array,
  at: number,
  length: number,
): boolean {
  const from = entries[number]! >>> 6;
  let i = 0;
  while (i < length && strings[from + i] === bytes[at + i]) i++;
  return i === length;
}

/**
 * Number << 8 | length of the longest word of at most PIECE_MAX bytes that begins at `at`, or -1. REQUIRES:
 * at < end.
 */
export function findPiece(dictionary: WordDictionary, bytes: Uint8Array, at: number, end: number): number {
  const left = Math.min(end - at, PIECE_MAX);
  // Bytes behind the end do not count: mask out longer words.
  const first = word(bytes, at, end);
  let lengths = dictionary.filters[first & 0xffff]! | dictionary.filters[fourAt(first)]!;
  lengths &= (1 << left) - 1;
  while (lengths !== 0) {
    const length = 32 - Math.clz32(lengths);
    const number = findWord(dictionary, bytes, at, length);
    if (number >= 0) return (number << 8) | length;
    lengths ^= 1 << (length - 1);
  }
  return -1;
}
