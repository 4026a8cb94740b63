// Which codes do units become? The twin of log/packed/pack.ts: where runs begin and end is told by bits, one for each
// byte of the unit, set for the bytes of words (log/packed/tokens.ts). Tokens are looked up some at a time: where one is
// no word, those that begin inside of what is taken in its place are passed over.

import { bucketOf, find, findPiece, keyOf, lengthsAt, resolve } from './find';
import {
  HEAD_BITS,
  HEAD_PROBES,
  HEAD_SHORT,
  LITERAL,
  LITERAL_MAX,
  LITERAL_SHORT,
  PIECE_MAX,
  PROBE,
  PROBES,
  UNIT,
  WORD_MAX,
} from './layout';

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
  const probes = <usize>load<u32>(head, HEAD_PROBES);
  const short = load<u32>(head, HEAD_SHORT);
  const limit = target + (end - from);
  classify(bits, from, end);
  let out = target;
  let bare = from;
  for (let p = from; p < end && out < limit; ) {
    const aimed = aim(head, bits, probes, from, p, end);
    for (let probe = probes; p < aimed && out < limit; ) {
      const at = <u32>(p - from);
      while (<u32>load<u16>(probe, 12) < at) probe += PROBE;
      let found: i32;
      if (<u32>load<u16>(probe, 12) === at) {
        let length = <u32>load<u8>(probe, 14);
        found = resolve(head, load<u64>(probe), load<u32>(probe, 8), p, length);
        if (found < 0 && <u32>load<u16>(probe + PROBE, 12) === at) {
          probe += PROBE;
          length = <u32>load<u8>(probe, 14);
          found = resolve(head, load<u64>(probe), load<u32>(probe, 8), p, length);
        }
        if (found < 0) found = findPiece(head, p, without(lengthsAt(head, p, <u32>(end - p)), length));
      } else found = wordAt(head, bits, from, p, end);
      if (found < 0) {
        p++;
        continue;
      }
      if (bare < p) out = putLiterals(bare, p, out);
      out = putCode(<u32>found >>> 8, short, out);
      p += <usize>(found & 0xff);
      bare = p;
    }
  }
  if (out < limit) out = putLiterals(bare, end, out);
  if (out < limit) return out;
  memory.copy(target, from, end - from);
  return limit;
}

/** Of the bits from p on, at least 57. */
function runsAt(bits: usize, at: usize): u64 {
  return load<u64>(bits + (at >>> 3)) >>> <u64>(at & 7);
}

/** Looks up, first step, what begins at p and behind; returns where that ends. Behind the probes is one that is never met. */
function aim(head: usize, bits: usize, probes: usize, from: usize, p: usize, end: usize): usize {
  let probe = probes;
  for (const last = probes + (PROBES - 2) * PROBE; p < end && probe < last; ) {
    const runs = runsAt(bits, p - from);
    const left = <u32>(end - p);
    let token = wordRun(p, runs);
    if (token === 0) {
      token = othersAt(p, runs, left);
      const phrase = phraseAt(p, runs, left, token);
      if (phrase > 0) probe = put(head, probe, from, p, phrase);
    }
    if (token <= WORD_MAX) probe = put(head, probe, from, p, token);
    p += <usize>token;
  }
  store<u16>(probe, 0xffff, 12);
  return min(p, end);
}

function put(head: usize, probe: usize, from: usize, p: usize, length: u32): usize {
  const key = keyOf(p, length);
  const bucket = bucketOf(head, key);
  store<u64>(probe, key);
  store<u32>(probe, <u32>bucket, 8);
  store<u16>(probe, <u16>(p - from), 12);
  // What is read is of no use, but it will be there soon.
  store<u8>(probe, load<u8>(bucket), 15);
  store<u8>(probe, <u8>length, 14);
  return probe + PROBE;
}

/** Length of the word at p, with the space before it; 0 where there is none, more than WORD_MAX where it is too long to tell. */
function wordRun(p: usize, runs: u64): u32 {
  if (runs & 1) return <u32>ctz(~runs);
  return runs & 2 && load<u8>(p) === SPACE ? 1 + <u32>ctz(~(runs >>> 1)) : 0;
}

/** Length of the others at p, but for a space before a word. REQUIRES: no word. */
function othersAt(p: usize, runs: u64, left: u32): u32 {
  const length = min(<u32>ctz(runs), left);
  return length < left && length <= WORD_MAX + 1 && load<u8>(p + length - 1) === SPACE ? length - 1 : length;
}

/** Length of the phrase whose first others have so many bytes; 0 where it is none. */
function phraseAt(p: usize, runs: u64, left: u32, others: u32): u32 {
  if (others > WORD_MAX || others === left) return 0;
  let to = others + (load<u8>(p + others) === SPACE ? 1 : 0);
  to += <u32>ctz(~(runs >>> <u64>to));
  if (to >= left || to >= WORD_MAX) return 0;
  let behind = min(<u32>ctz(runs >>> <u64>to), left - to);
  if (to + behind < left && to + behind <= WORD_MAX + 1 && load<u8>(p + to + behind - 1) === SPACE) behind--;
  return behind > 0 && to + behind <= WORD_MAX ? to + behind : 0;
}

/** Number << 8 | length of the word to take at p, or -1: for places inside of tokens. */
function wordAt(head: usize, bits: usize, from: usize, p: usize, end: usize): i32 {
  const runs = runsAt(bits, p - from);
  const left = <u32>(end - p);
  let token = wordRun(p, runs);
  if (token === 0) {
    token = othersAt(p, runs, left);
    const phrase = phraseAt(p, runs, left, token);
    const found = phrase > 0 ? find(head, p, phrase) : -1;
    if (found >= 0) return found;
  }
  const lengths = lengthsAt(head, p, left);
  if (token <= PIECE_MAX ? (lengths >>> (token - 1)) & 1 : token <= WORD_MAX) {
    const found = find(head, p, token);
    if (found >= 0) return found;
  }
  return findPiece(head, p, without(lengths, token));
}

/** Lengths without one that is known not to be there. */
function without(lengths: u32, missed: u32): u32 {
  return missed <= PIECE_MAX ? lengths & ~(1 << (missed - 1)) : lengths;
}

function putCode(number: u32, short: u32, out: usize): usize {
  const rest = number - short;
  const isLong = number >= short;
  store<u16>(out, <u16>select((short + (rest >>> 8)) | (rest << 8), number, isLong));
  return out + 1 + <usize>isLong;
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
