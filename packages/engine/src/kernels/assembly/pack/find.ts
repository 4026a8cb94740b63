// Which word stands at a place? The twin of log/packed/dictionary.ts, whose table and hash these are.

import { HEAD_ENTRIES, HEAD_FILTER, HEAD_MASK, HEAD_SLOTS, HEAD_STRINGS, PIECE_MAX } from './layout';

const PROBES: u32 = 32;
const INLINE: u32 = 12;

/** The lowest `length` bytes of a word of eight. */
function lowest(word: u64, length: u32): u64 {
  return length >= 8 ? word : word & (((<u64>1) << ((<u64>length) << 3)) - 1);
}

/** Number << 8 | length of the word in [p, p + length), or -1. REQUIRES: bytes behind may be read. */
export function find(head: usize, p: usize, length: u32): i32 {
  const first = lowest(load<u64>(p), length);
  let h = (<u32>first * 0x9e3779b1) ^ (<u32>(first >>> 32) * 0x85ebca77) ^ length;
  let third: u32 = 0;
  if (length > 8) {
    third = <u32>lowest(load<u32>(p, 8), min<u32>(length - 8, 4));
    h = (h ^ (h >>> 15) ^ third) * 0x2c1b3c6d;
    for (let i: u32 = 12; i < length; i += 4) {
      const word = <u32>lowest(load<u32>(p + i), min<u32>(length - i, 4));
      h = (h ^ (h >>> 15) ^ word) * 0x2c1b3c6d;
    }
  }
  h = (h ^ (h >>> 15)) * 0xc2b2ae35;
  h ^= h >>> 14;
  const slots = <usize>load<u32>(head, HEAD_SLOTS);
  const mask = load<u32>(head, HEAD_MASK);
  let slot = (h << 4) & mask;
  for (let probes: u32 = 0; probes < PROBES; probes++) {
    const at = slots + slot;
    const meta = load<u32>(at, 12);
    if (meta === 0) return -1;
    if (load<u64>(at) === first && load<u32>(at, 8) === third && (meta & 0xff) === length) {
      if (length <= INLINE || isAt(head, meta >>> 8, p, length)) return <i32>meta;
    }
    slot = (slot + 16) & mask;
  }
  return -1;
}

/** Compares the bytes that are not in the slot, the last eight again. */
function isAt(head: usize, number: u32, p: usize, length: u32): bool {
  const entry = load<u32>(<usize>load<u32>(head, HEAD_ENTRIES) + ((<usize>number) << 2));
  const q = <usize>load<u32>(head, HEAD_STRINGS) + (entry >>> 6);
  const last = <usize>length - 8;
  for (let i: usize = 8; i < last; i += 8) if (load<u64>(p + i) !== load<u64>(q + i)) return false;
  return load<u64>(p + last) === load<u64>(q + last);
}

/** Number << 8 | length of the longest word of at most PIECE_MAX bytes at p, or -1. `left` bytes are there. */
export function findPiece(head: usize, p: usize, left: u32): i32 {
  const filter = <usize>load<u32>(head, HEAD_FILTER);
  let lengths: u32 = load<u8>(filter + load<u16>(p));
  if (left < PIECE_MAX) lengths &= (1 << left) - 1;
  while (lengths !== 0) {
    const length = 32 - clz(lengths);
    const found = find(head, p, length);
    if (found >= 0) return found;
    lengths ^= 1 << (length - 1);
  }
  return -1;
}
