// Which word stands at a place? An open-addressing table that is made once and read by the kernel as well
// (kernels/assembly/pack/find.ts): the first twelve bytes of a word are in its slot. Words of any length are found by
// their length; the filter says which lengths, up to eight bytes, words have that begin with two given bytes.
//
//   entry   place of the word among the strings << 6 | length; 0 for none
//   slot    bytes 0-3 | bytes 4-7 | bytes 8-11 of the word, zeros behind it | number << 8 | length
//   filter  for bytes a, b at a | b << 8: bit n - 1 for words of n bytes

import { PIECE_MAX } from './code.ts';

export const FILTER_BYTES: number = 1 << 16;
/** A word that has no slot within so many of its place is not found: nobody can make looking up slow. */
export const PROBES = 32;
const INLINE = 12;

/** The words, and the ways to them. */
export interface Dictionary {
  readonly strings: Uint8Array;
  readonly entries: Uint32Array;
  /** A power of two times four. */
  readonly slots: Int32Array;
  /** FILTER_BYTES. */
  readonly filter: Uint8Array;
}

/** 32-bit words of the slots for so many words. */
export function slotWords(words: number): number {
  return 4 << (32 - Math.clz32(Math.max(16, Math.ceil((words * 4) / 3)) - 1));
}

/** Up to four bytes from `at` on, little-endian, zeros behind the end. */
function word(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end)
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  let w = 0;
  for (let i = at; i < end; i++) w |= bytes[i]! << ((i - at) << 3);
  return w;
}

/** Hash of up to WORD_MAX bytes (steps of Murmur3's finalizer). */
export function hashOf(bytes: Uint8Array, at: number, length: number): number {
  const end = at + length;
  let h =
    Math.imul(word(bytes, at, end), 0x9e3779b1) ^ Math.imul(word(bytes, at + 4, end), 0x85ebca77) ^ length;
  for (let i = at + 8; i < end; i += 4) h = Math.imul(h ^ (h >>> 15) ^ word(bytes, i, end), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  return h ^ (h >>> 14);
}

/** A dictionary of these entries of the strings. */
export function makeDictionary(strings: Uint8Array, entries: Uint32Array): Dictionary {
  const slots = new Int32Array(slotWords(entries.length));
  const dictionary = { strings, entries, slots, filter: new Uint8Array(FILTER_BYTES) };
  fillDictionary(dictionary);
  return dictionary;
}

/** The entries of words that lie one behind the other. REQUIRES: room for them. */
export function fillEntries(entries: Uint32Array, lengths: Uint8Array): void {
  for (let number = 0, at = 0; number < lengths.length; at += lengths[number++]!)
    entries[number] = (at << 6) | lengths[number]!;
}

/** Fills slots and filter for the entries. Of words that are the same, the first one is found. O(words). */
export function fillDictionary(dictionary: Dictionary): void {
  const { strings, entries, slots, filter } = dictionary;
  slots.fill(0);
  filter.fill(0);
  for (let number = 0; number < entries.length; number++) {
    const entry = entries[number]!;
    const length = entry & 63;
    if (length !== 0) insert(slots, filter, strings, entry >>> 6, length, number);
  }
}

function insert(
  slots: Int32Array,
  filter: Uint8Array,
  strings: Uint8Array,
  at: number,
  length: number,
  number: number,
): void {
  const end = at + length;
  const mask = slots.length - 1;
  let slot = (hashOf(strings, at, length) << 2) & mask;
  for (let probes = 0; probes < PROBES; probes++, slot = (slot + 4) & mask) {
    if (slots[slot + 3] !== 0) continue;
    slots[slot] = word(strings, at, end);
    slots[slot + 1] = word(strings, at + 4, end);
    slots[slot + 2] = word(strings, at + 8, end);
    slots[slot + 3] = (number << 8) | length;
    if (length === 1) for (let b = 0; b < 256; b++) filter[strings[at]! | (b << 8)]! |= 1;
    else if (length <= PIECE_MAX) filter[strings[at]! | (strings[at + 1]! << 8)]! |= 1 << (length - 1);
    return;
  }
}

/** Number of the word that stands in bytes[at … at + length), or -1. REQUIRES: length in 1 … WORD_MAX. */
export function find(dictionary: Dictionary, bytes: Uint8Array, at: number, length: number): number {
  const { slots } = dictionary;
  const mask = slots.length - 1;
  const end = at + length;
  const first = word(bytes, at, end);
  const second = word(bytes, at + 4, end);
  const third = word(bytes, at + 8, end);
  let slot = (hashOf(bytes, at, length) << 2) & mask;
  for (let probes = 0; probes < PROBES; probes++, slot = (slot + 4) & mask) {
    const meta = slots[slot + 3]!;
    if (meta === 0) return -1;
    if (slots[slot] !== first || slots[slot + 1] !== second || slots[slot + 2] !== third) continue;
    if ((meta & 0xff) !== length) continue;
    if (length <= INLINE || isAt(dictionary, meta >>> 8, bytes, at, length)) return meta >>> 8;
  }
  return -1;
}

function isAt(
  { strings, entries }: Dictionary,
  number: number,
  bytes: Uint8Array,
  at: number,
  length: number,
): boolean {
  const from = entries[number]! >>> 6;
  let i = INLINE;
  while (i < length && strings[from + i] === bytes[at + i]) i++;
  return i === length;
}

/**
 * Number << 8 | length of the longest word of at most PIECE_MAX bytes that begins at `at`, or -1. REQUIRES: at < end.
 */
export function findPiece(dictionary: Dictionary, bytes: Uint8Array, at: number, end: number): number {
  const left = Math.min(end - at, PIECE_MAX);
  // Behind the end no byte counts: only words of one byte can be there.
  let lengths =
    dictionary.filter[bytes[at]! | ((at + 1 < end ? bytes[at + 1]! : 0) << 8)]! & ((1 << left) - 1);
  while (lengths !== 0) {
    const length = 32 - Math.clz32(lengths);
    const number = find(dictionary, bytes, at, length);
    if (number >= 0) return (number << 8) | length;
    lengths ^= 1 << (length - 1);
  }
  return -1;
}
