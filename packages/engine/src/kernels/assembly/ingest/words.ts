// Which ASCII words does a text have, and which numbers have they? The twin of tail/forward.ts: classes 64 bytes at a
// time, bits for the runs. What it cannot decide alone (a byte beyond ASCII, a word that is too long, a term that the
// table has no room for) it leaves to its caller, who goes on from there.
//
//   result   0 place where it stopped | 4 its end, for a new term | 8 why: DONE, ASK or NEW | 12 unused | 64 probes

import { aim, PROBE, resolve } from './table';

const DONE: u32 = 0;
const ASK: u32 = 1;
const NEW: u32 = 2;
const MORE: u32 = 3;

const RESULT: usize = 64;
/** Words that are looked up together. */
const PROBES: usize = 32;

let wordBits: u64 = 0;
let wideBits: u64 = 0;

/** Classes of 16 bytes, lowered in place: bits of letters, digits and low lines, and of bytes beyond ASCII. */
function classes(p: usize, shift: u64): void {
  const v = v128.load(p);
  const lower = v128.or(v, i8x16.splat(32));
  const letters = i8x16.lt_u(i8x16.sub(lower, i8x16.splat(97)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
  const others = v128.or(digits, i8x16.eq(v, i8x16.splat(95)));
  v128.store(p, v128.bitselect(lower, v, letters));
  wordBits |= (<u64>(<u32>i8x16.bitmask(v128.or(letters, others)))) << shift;
  wideBits |= (<u64>(<u32>i8x16.bitmask(v))) << shift;
}

/** The same for 64 bytes; bits from `left` on are cleared. */
function classify(p: usize, left: usize): void {
  wordBits = 0;
  wideBits = 0;
  classes(p, 0);
  classes(p + 16, 16);
  classes(p + 32, 32);
  classes(p + 48, 48);
  if (left < 64) {
    const inside = ((<u64>1) << (<u64>left)) - 1;
    wordBits &= inside;
    wideBits &= inside;
  }
}

function isLetter(c: u32): bool {
  return (c | 32) - 97 < 26;
}

function isDigit(c: u32): bool {
  return c - 48 < 10;
}

/** Does the byte c not break a word between two letters or two digits? The byte behind decides; 2 when it is beyond ASCII. */
function joins(before: u32, c: u32, after: u32): u32 {
  const letter = isLetter(before) && (c === 58 || c === 46 || c === 39);
  const digit = isDigit(before) && (c === 44 || c === 59 || c === 46 || c === 39);
  if (!letter && !digit) return 0;
  if (after >= 128) return 2;
  return (letter ? isLetter(after) : isDigit(after)) ? 1 : 0;
}

/** Are there only low lines in [p, end)? */
function isBlank(p: usize, end: usize): bool {
  for (; p < end; p++) if (load<u8>(p) !== 95) return false;
  return true;
}

/**
 * Numbers of the words from p on, to `out`; how many. `head` is that of the table. REQUIRES: the bytes may be lowered
 * in place, 128 more may be read and written behind the end; room for a number for every two bytes, and for PROBES
 * probes behind the result.
 */
export function words(head: usize, result: usize, p: usize, end: usize, longest: u32, out: usize): i32 {
  const first = out;
  const probes = result + RESULT;
  let at = p;
  while (true) {
    const n = cut(head, result, at, end, longest);
    for (let i: usize = 0; i < n; i++) {
      const probe = probes + i * PROBE;
      const number = resolve(head, probe);
      if (number < 0) {
        const term = load<u32>(probe, 8);
        return stop(result, term, term + load<u32>(probe, 12), NEW, first, out);
      }
      store<u32>(out, <u32>number);
      out += 4;
    }
    if (n < PROBES || load<u32>(result, 8) !== MORE) return <i32>((out - first) >>> 2);
    at = load<u32>(result);
  }
}

/** Aims at up to PROBES words; how many. The result tells where and why it stopped. */
function cut(head: usize, result: usize, p: usize, end: usize, longest: u32): usize {
  const probes = result + RESULT;
  let count: usize = 0;
  let seen: u32 = 0;
  let from: usize = 0;
  for (let block = p; block < end; block += 64) {
    classify(block, end - block);
    const wide = wideBits;
    let bits = wordBits | wide;
    while (true) {
      let start: usize;
      if (from !== 0) {
        // It began in a block before, or goes on behind a byte that joins.
        start = from;
        from = 0;
      } else {
        if (bits === 0) break;
        const at = ctz(bits);
        start = block + <usize>at;
        bits |= ((<u64>1) << at) - 1;
      }
      // Bits below the start of the word are set: the first zero is behind its end.
      const stopAt = ctz(~bits);
      if (wide !== 0) {
        const inside = stopAt === 64 ? wide : wide & (((<u64>1) << stopAt) - 1);
        if ((start > block ? inside >>> <u64>(start - block) : inside) !== 0)
          return ended(result, start, ASK, count, seen);
      }
      const behind = block + <usize>stopAt;
      if (<u32>(behind - start) > longest) return ended(result, start, ASK, count, seen);
      if (stopAt === 64 && behind < end) {
        from = start;
        break;
      }
      bits = stopAt === 64 ? 0 : bits & ((<u64>-1) << stopAt);
      const c = behind < end ? <u32>load<u8>(behind) : 32;
      if (c !== 32 && behind + 1 < end) {
        const join = joins(load<u8>(behind - 1), c, load<u8>(behind + 1));
        if (join === 2) return ended(result, start, ASK, count, seen);
        if (join === 1) {
          from = start;
          // The byte between belongs to the word; at the end of a block the next one goes on.
          if (stopAt === 63) break;
          bits |= ((<u64>2) << stopAt) - 1;
          continue;
        }
      }
      if (load<u8>(start) === 95 && isBlank(start, behind)) continue;
      seen ^= aim(head, probes + count * PROBE, start, <u32>(behind - start));
      if (++count === PROBES) return ended(result, behind, MORE, count, seen);
    }
  }
  return ended(result, end, DONE, count, seen);
}

function ended(result: usize, at: usize, why: u32, count: usize, seen: u32): usize {
  store<u32>(result, <u32>at);
  store<u32>(result, why, 8);
  store<u32>(result, seen, 12);
  return count;
}

function stop(result: usize, at: u32, end: u32, why: u32, first: usize, out: usize): i32 {
  store<u32>(result, at);
  store<u32>(result, end, 4);
  store<u32>(result, why, 8);
  return <i32>((out - first) >>> 2);
}
