// Finds the edges of the ASCII words of a text, 64 bytes at a time, from the kind of each byte and its
// neighbours: no branch depends on the length of words.
//
//   bytes   Don't go.       words   111111110110000000       edges   where a bit differs from the one before
//
// Bytes beyond ASCII count as parts of words: a word with such a byte ends the batch, and the caller handles
// it.

import { DONE, ENOUGH, MORE, NEEDS_CALLER } from './layout';

/** Why and where the last batch ended. */
export let stopReason: u32 = DONE;
export let stopPlace: usize = 0;

function isLetter(c: u32): bool {
  return (c | 32) - 97 < 26;
}

function isDigit(c: u32): bool {
  return c - 48 < 10;
}

/**
 * Whether byte c does not break a word between two letters or two digits. Yes before a byte beyond ASCII: the
 * caller decides.
 */
function joins(before: u32, c: u32, after: u32): bool {
  const letter = isLetter(before) && (c === 58 || c === 46 || c === 39);
  const digit = isDigit(before) && (c === 44 || c === 59 || c === 46 || c === 39);
  if (!letter && !digit) return false;
  return after >= 128 || (letter ? isLetter(after) : isDigit(after));
}

/** The bytes of a block, among those in `between`, that join the words on both sides. */
function joined(block: usize, end: usize, between: u64): u64 {
  let found: u64 = 0;
  for (let left = between; left !== 0; left &= left - 1) {
    const p = block + <usize>ctz(left);
    if (p + 1 < end && joins(load<u8>(p - 1), load<u8>(p), load<u8>(p + 1))) found |= left & -left;
  }
  return found;
}

/**
 * Writes the edges of the words of [p, end), whose letters become small ones; how many words. It ends with the text (DONE),
 * before a word that is not pure ASCII or longer than `longest` (NEEDS_CALLER), or with enough words (MORE); stopPlace is where to go
 * on. Lengths of words that have ended are not looked at. REQUIRES: longest below 2^31.
 */
export function cutBatch(edges: usize, p: usize, end: usize, longest: u32): usize {
  let to = edges;
  /** The bit before the first. */
  let before: u64 = 0;
  // A zero that the compiler does not know: it would rematerialise known constants at every use.
  const zero = <i8>(longest >>> 31);
  const capital = i8x16.splat(zero | 32);
  const low = i8x16.splat(zero | 95);
  // x - 128 is as signed what x is as unsigned: letters from -128 on, so are digits.
  const toLetters = i8x16.splat(zero | 31);
  const lettersEnd = i8x16.splat(zero | -102);
  const toDigits = i8x16.splat(zero | 80);
  const digitsEnd = i8x16.splat(zero | -118);
  const nibble = i8x16.splat(zero | 15);
  // : . ' , ; by their lower four bits.
  const bridge = v128.or(i8x16(1, 0, 0, 0, 0, 0, 0, 39, 0, 0, 58, 59, 44, 0, 46, 0), i8x16.splat(zero));
  for (let block = p; block < end; block += 64) {
    const a = v128.load(block);
    const b = v128.load(block + 16);
    const c = v128.load(block + 32);
    const d = v128.load(block + 48);
    const lettersA = i8x16.lt_s(i8x16.add(v128.or(a, capital), toLetters), lettersEnd);
    const lettersB = i8x16.lt_s(i8x16.add(v128.or(b, capital), toLetters), lettersEnd);
    const lettersC = i8x16.lt_s(i8x16.add(v128.or(c, capital), toLetters), lettersEnd);
    const lettersD = i8x16.lt_s(i8x16.add(v128.or(d, capital), toLetters), lettersEnd);
    v128.store(block, v128.or(a, v128.and(lettersA, capital)));
    v128.store(block + 16, v128.or(b, v128.and(lettersB, capital)));
    v128.store(block + 32, v128.or(c, v128.and(lettersC, capital)));
    v128.store(block + 48, v128.or(d, v128.and(lettersD, capital)));
    const othersA = v128.or(i8x16.lt_s(i8x16.add(a, toDigits), digitsEnd), i8x16.eq(a, low));
    const othersB = v128.or(i8x16.lt_s(i8x16.add(b, toDigits), digitsEnd), i8x16.eq(b, low));
    const othersC = v128.or(i8x16.lt_s(i8x16.add(c, toDigits), digitsEnd), i8x16.eq(c, low));
    const othersD = v128.or(i8x16.lt_s(i8x16.add(d, toDigits), digitsEnd), i8x16.eq(d, low));
    let words = bits(
      v128.or(lettersA, othersA),
      v128.or(lettersB, othersB),
      v128.or(lettersC, othersC),
      v128.or(lettersD, othersD),
    );
    const bridges = bits(
      i8x16.eq(i8x16.swizzle(bridge, v128.and(a, nibble)), a),
      i8x16.eq(i8x16.swizzle(bridge, v128.and(b, nibble)), b),
      i8x16.eq(i8x16.swizzle(bridge, v128.and(c, nibble)), c),
      i8x16.eq(i8x16.swizzle(bridge, v128.and(d, nibble)), d),
    );
    let wide: u64 = 0;
    if (i8x16.bitmask(v128.or(v128.or(a, b), v128.or(c, d))) !== 0) wide = bits(a, b, c, d);
    if (end - block < 64) {
      const inside = ((<u64>1) << (<u64>(end - block))) - 1;
      words &= inside;
      wide &= inside;
    }
    words |= wide;
    // Candidates between two words; bytes behind the block are examined only if they matter.
    const between = bridges & ((words << 1) | before) & ((words >>> 1) | ((<u64>1) << 63));
    if (between !== 0) words |= joined(block, end, between);
    let turns = words ^ ((words << 1) | before);
    before = words >>> 63;
    if (wide !== 0) {
      // Up to the first byte beyond ASCII; the word that holds it has begun.
      turns &= ((wide & -wide) << 1) - 1;
      to = write(to, block, turns);
      return ended(edges, to - 4, NEEDS_CALLER, <usize>load<u32>(to - 4));
    }
    to = write(to, block, turns);
    if (before !== 0) {
      const start = <usize>load<u32>(to - 4);
      if (block + 64 - start > <usize>longest && block + 64 < end)
        return ended(edges, to - 4, NEEDS_CALLER, start);
    }
    if (to - edges >= ENOUGH << 2 && block + 64 < end) {
      // A word that has begun is cut again from its start.
      if (before === 0) return ended(edges, to, MORE, block + 64);
      return ended(edges, to - 4, MORE, <usize>load<u32>(to - 4));
    }
  }
  if (before !== 0) {
    store<u32>(to, <u32>end);
    to += 4;
  }
  return ended(edges, to, DONE, end);
}

/** The highest bits of 64 bytes. */
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(a)) |
    ((<u64>(<u32>i8x16.bitmask(b))) << 16) |
    ((<u64>(<u32>i8x16.bitmask(c))) << 32) |
    ((<u64>(<u32>i8x16.bitmask(d))) << 48)
  );
}

/** Writes the positions of the bits, eight at a time; returns where the next ones go. */
function write(to: usize, block: usize, edges: u64): usize {
  const next = to + ((<usize>popcnt(edges)) << 2);
  let left = edges;
  let at = to;
  do {
    for (let i: usize = 0; i < 32; i += 4) {
      store<u32>(at + i, <u32>(block + <usize>ctz(left)));
      left &= left - 1;
    }
    at += 32;
  } while (at < next);
  return next;
}

function ended(edges: usize, to: usize, why: u32, at: usize): usize {
  stopReason = why;
  stopPlace = at;
  return (to - edges) >>> 3;
}
