// Which codes do units become? The twin of log/packed/pack.ts: where runs begin and end is told by bits, one for each
// byte of the unit, set for the bytes of words (log/packed/tokens.ts).

import { find, findPiece } from './find';
import { HEAD_BITS, HEAD_SHORT, LITERAL, LITERAL_MAX, LITERAL_SHORT, UNIT, WORD_MAX } from './layout';

const SPACE: u32 = 0x20;

/** Bits of 16 bytes: letters, digits, low lines and bytes beyond ASCII. */
function wordBits(p: usize): u32 {
  const v = v128.load(p);
  const letters = i8x16.lt_u(i8x16.sub(v128.or(v, i8x16.splat(32)), i8x16.splat(97)), i8x16.splat(26));
  const digits = i8x16.lt_u(i8x16.sub(v, i8x16.splat(48)), i8x16.splat(10));
  const others = v128.or(digits, i8x16.eq(v, i8x16.splat(95)));
  return <u32>i8x16.bitmask(v128.or(v, v128.or(letters, others)));
}

/** Bits of [p, end); those behind it are 0. */
function classify(bits: usize, p: usize, end: usize): void {
  let to = bits;
  for (; p < end; p += 16, to += 2) {
    let set = wordBits(p);
    if (end - p < 16) set &= ((<u32>1) << (<u32>(end - p))) - 1;
    store<u16>(to, <u16>set);
  }
  store<u64>(to, 0);
  store<u64>(to, 0, 8);
}

/** Packs units [from, from + length) to `to`; where each ends there, counted from `to`, is written to `ends`. */
export function pack(head: usize, from: usize, length: usize, to: usize, ends: usize): void {
  const last = from + length;
  let out = to;
  for (let p = from; p < last; p += UNIT) {
    out = packUnit(head, p, min(p + UNIT, last), out);
    store<u32>(ends, <u32>(out - to));
    ends += 4;
  }
}

function packUnit(head: usize, from: usize, end: usize, target: usize): usize {
  const bits = <usize>load<u32>(head, HEAD_BITS);
  const short = load<u32>(head, HEAD_SHORT);
  const limit = target + (end - from);
  classify(bits, from, end);
  let out = target;
  let bare = from;
  for (let p = from; p < end && out < limit; ) {
    const at = p - from;
    const found = wordAt(head, p, load<u64>(bits + (at >>> 3)) >>> <u64>(at & 7), <u32>(end - p));
    if (found < 0) {
      p++;
      continue;
    }
    if (bare < p) out = putLiterals(bare, p, out);
    const number = <u32>found >>> 8;
    if (number < short) store<u8>(out++, <u8>number);
    else {
      const rest = number - short;
      store<u8>(out, <u8>(short + (rest >>> 8)));
      store<u8>(out, <u8>rest, 1);
      out += 2;
    }
    p += <usize>(found & 0xff);
    bare = p;
  }
  if (out < limit) out = putLiterals(bare, end, out);
  if (out < limit) return out;
  memory.copy(target, from, end - from);
  return limit;
}

/** Number << 8 | length of the word to take at p, or -1. Of `runs`, at least 57 bits are those of the bytes from p on. */
function wordAt(head: usize, p: usize, runs: u64, left: u32): i32 {
  let length: u32;
  if (runs & 1) {
    length = <u32>ctz(~runs);
  } else {
    length = min(<u32>ctz(runs), left);
    if (length < left && length <= WORD_MAX + 1 && load<u8>(p + length - 1) === SPACE) length--;
    if (length === 0) length = 1 + <u32>ctz(~(runs >>> 1));
    else if (length < left && length <= WORD_MAX) {
      const found = phraseAt(head, p, runs, left, length);
      if (found >= 0) return found;
    }
  }
  if (length <= WORD_MAX) {
    const found = find(head, p, length);
    if (found >= 0) return found;
  }
  return findPiece(head, p, left);
}

/** The same for others, of so many bytes, with the word and the others behind them. */
function phraseAt(head: usize, p: usize, runs: u64, left: u32, others: u32): i32 {
  let to = others + (load<u8>(p + others) === SPACE ? 1 : 0);
  to += <u32>ctz(~(runs >>> <u64>to));
  if (to >= left || to >= WORD_MAX) return -1;
  let behind = min(<u32>ctz(runs >>> <u64>to), left - to);
  if (to + behind < left && to + behind <= WORD_MAX + 1 && load<u8>(p + to + behind - 1) === SPACE) behind--;
  return behind > 0 && to + behind <= WORD_MAX ? find(head, p, to + behind) : -1;
}

function putLiterals(from: usize, end: usize, out: usize): usize {
  for (let p = from; p < end; ) {
    const length = min(end - p, LITERAL_MAX);
    if (length <= LITERAL_SHORT) store<u8>(out++, <u8>(LITERAL + <u32>length - 1));
    else {
      store<u8>(out, <u8>(LITERAL + LITERAL_SHORT));
      store<u8>(out, <u8>(<u32>length - LITERAL_SHORT - 1), 1);
      out += 2;
    }
    if (length <= 16) v128.store(out, v128.load(p));
    else memory.copy(out, p, length);
    p += length;
    out += length;
  }
  return out;
}
