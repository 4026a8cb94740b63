// Looks up and adds terms: the table, layout and hash of tail/terms/term-table.ts. Look-ups go in steps,
// each for many terms at once and without a branch that depends on them, so that many slots are fetched
// from memory at the same time.
//
//   head   0 slots | 4 mask | 8 addresses (page << 16 | offset, by number) | 12 addresses of pages | 16 lengths
//          20 count | 24 capacity | 28 last page | 32 bytes used in it | 36 its size
//   slot   bytes 0-3 | bytes 4-7, of longer terms mixed with a hash of the rest | number + 1 | length
//   probe  0 slot's words | 8 unused | 12 length | 16 address of the term | 20 address of the slot

import { PROBE } from './layout';

const PAGE_BITS: u32 = 16;
const PAGE_MASK: u32 = 0xffff;
/** The number of an unknown term. */
export const UNKNOWN: u32 = 0xffffffff;
/** All bits but those of a slot's number. */
const KEY: i32 = 0b1011;

function spread(words: u64, length: u32): u32 {
  const h = (<u32>words * 0x9e3779b1) ^ (<u32>(words >>> 32) * 0x85ebca77) ^ length;
  const g = (h ^ (h >>> 15)) * 0xc2b2ae35;
  return g ^ (g >>> 14);
}

function mix(hash: u32, word: u32): u32 {
  const h = (hash ^ word) * 0x85ebca6b;
  return h ^ (h >>> 15);
}

/** Hash of the bytes behind the first eight: four at a time, zeros behind the end. */
function tailHash(p: usize, length: u32): u32 {
  let hash: u32 = 0;
  let at: u32 = 8;
  for (; at + 4 <= length; at += 4) hash = mix(hash, load<u32>(p + at));
  if (at < length) hash = mix(hash, load<u32>(p + at) & (((<u32>1) << ((length - at) << 3)) - 1));
  return hash;
}

/** A slot's words for a term of more than eight bytes. Reads up to three behind it. */
function wordsOfLonger(p: usize, length: u32): u64 {
  const rest = tailHash(p, length);
  const second = (load<u32>(p, 4) * 0x2c1b3c6d) ^ rest ^ (rest >>> 15);
  return <u64>load<u32>(p) | ((<u64>second) << 32);
}

/** Writes the probe of the term at p. Reads up to seven bytes behind it. */
export function writeProbe(slots: usize, mask: u32, probe: usize, p: usize, length: u32): void {
  const words = length > 8 ? wordsOfLonger(p, length) : load<u64>(p) & (<u64>-1 >>> <u64>((8 - length) << 3));
  const slot = slots + ((<usize>(spread(words, length) & mask)) << 4);
  store<u64>(probe, words);
  store<u32>(probe, length, 12);
  store<u32>(probe, <u32>p, 16);
  store<u32>(probe, <u32>slot, 20);
}

/**
 * Prefetches the slots of all these probes: nothing else happens between two loads, so the processor overlaps dozens of cache
 * misses. Returns a value that depends on them.
 */
export function prefetchSlots(probes: usize, end: usize): u32 {
  let seen: u32 = 0;
  for (let probe = probes; probe < end; probe += PROBE) seen ^= load<u32>(<usize>load<u32>(probe, 20));
  return seen;
}

/** The number of a probe's term if it is in one of its first two slots; else UNKNOWN. */
export function lookUpNear(head: usize, slots: usize, mask: u32, probe: usize): u32 {
  const one = <usize>load<u32>(probe, 20);
  const other = slots + ((one - slots + 16) & ((<usize>mask) << 4));
  const key = v128.load(probe);
  const isOne = (i32x4.bitmask(i32x4.eq(v128.load(one), key)) & KEY) === KEY;
  const isOther = (i32x4.bitmask(i32x4.eq(v128.load(other), key)) & KEY) === KEY;
  const number = select<u32>(load<u32>(one, 8), select<u32>(load<u32>(other, 8), 0, isOther), isOne) - 1;
  const length = load<u32>(probe, 12);
  if (length <= 8 || number === UNKNOWN || isAt(head, number, <usize>load<u32>(probe, 16), length))
    return number;
  return UNKNOWN;
}

/** The number of a probe's term, which is added if it is new; -1 if there is no room. */
export function resolve(head: usize, probe: usize): i32 {
  const words = load<u64>(probe);
  const p = <usize>load<u32>(probe, 16);
  const length = load<u32>(probe, 12);
  const slots = <usize>load<u32>(head);
  const mask = (<usize>load<u32>(head, 4)) << 4;
  let at = <usize>load<u32>(probe, 20);
  while (true) {
    const number = load<u32>(at, 8);
    if (number === 0) return insert(head, at, probe);
    if (load<u64>(at) === words && load<u32>(at, 12) === length) {
      if (length <= 8 || isAt(head, number - 1, p, length)) return <i32>(number - 1);
    }
    at = slots + ((at - slots + 16) & mask);
  }
}

/** Compares a term of more than eight bytes. */
function isAt(head: usize, number: u32, p: usize, length: u32): bool {
  const address = load<u32>(<usize>load<u32>(head, 8) + ((<usize>number) << 2));
  const page = <usize>load<u32>(<usize>load<u32>(head, 12) + ((<usize>(address >>> PAGE_BITS)) << 2));
  const q = page + (address & PAGE_MASK);
  const last = <usize>length - 8;
  for (let i: usize = 0; i < last; i += 8) if (load<u64>(p + i) !== load<u64>(q + i)) return false;
  return load<u64>(p + last) === load<u64>(q + last);
}

/** Adds a term to its empty slot; returns its number, or -1 without room. */
function insert(head: usize, slot: usize, probe: usize): i32 {
  const length = load<u32>(probe, 12);
  const number = load<u32>(head, 20);
  const used = load<u32>(head, 32);
  if (number >= load<u32>(head, 24) || used + length > load<u32>(head, 36)) return -1;
  const index = load<u32>(head, 28);
  const page = <usize>load<u32>(<usize>load<u32>(head, 12) + ((<usize>index) << 2));
  memory.copy(page + used, load<u32>(probe, 16), length);
  store<u32>(<usize>load<u32>(head, 8) + ((<usize>number) << 2), (index << PAGE_BITS) | used);
  store<u32>(<usize>load<u32>(head, 16) + ((<usize>number) << 2), length);
  store<u32>(head, used + length, 32);
  store<u32>(head, number + 1, 20);
  store<u64>(slot, load<u64>(probe));
  store<u32>(slot, length, 12);
  store<u32>(slot, number + 1, 8);
  return <i32>number;
}
