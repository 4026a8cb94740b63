// Packs units of the log into codes. Tokens are found first (tokens.ts), so that none waits for the
// result of the one before; whether a short token is a word is computed without a branch. The twin is
// log/packed/pack.ts.

import { findPiece, findWord, INLINE, lengthsAt, numberOf, shortKey } from './dictionary';
import {
  BARE_MAX,
  HEAD_BUCKETS,
  HEAD_MASK,
  HEAD_SHORT,
  HEAD_TOKENS,
  LITERAL,
  LITERAL_MAX,
  LITERAL_SHORT,
  UNIT,
  WORD_MAX,
} from './layout';
import { cut, OTHERS, PLACE } from './tokens';

/** Packs the units of [from, from + length) to `to`; writes where each ends, counted from `to`, to `ends`. */
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
  const buckets = <usize>load<u32>(head, HEAD_BUCKETS);
  const mask = load<u32>(head, HEAD_MASK);
  const short = load<u32>(head, HEAD_SHORT);
  const lastShort = <i32>short - 1;
  const limit = target + (end - from);
  let token = <usize>load<u32>(head, HEAD_TOKENS);
  const last = cut(token, from, end);
  let out = target;
  while (token < last && out < limit) {
    const two = load<u32>(token);
    const at = two & PLACE;
    const p = from + <usize>at;
    const behind = load<u32>(token, 4);
    if (two & behind & OTHERS) {
      const phrase = ((behind >>> 16) & PLACE) - at;
      const number = phrase <= WORD_MAX ? findWord(head, buckets, mask, p, phrase) : -1;
      if (number >= 0) {
        out = putCode(<u32>number, short, out);
        token += 6;
        continue;
      }
    }
    token += 2;
    const length = ((two >>> 16) & PLACE) - at;
    if (length <= INLINE) {
      // Writes the token as literals, then its code over its beginning; masks select the right one, without a
      // branch.
      const number = numberOf(buckets, mask, shortKey(p, length));
      const isBare = number >> 31;
      const isLong = (lastShort - number) >> 31;
      const rest = number - <i32>short;
      const code = number + (isLong & (<i32>short + (rest >>> 8) + (rest << 8) - number));
      const bare = <i32>(LITERAL - 1 + length) + ((<i32>load<u8>(p)) << 8);
      store<u64>(out, load<u64>(p), 1);
      store<u16>(out, <u16>(code + (isBare & (bare - code))));
      out += <usize>(1 - isLong + (isBare & <i32>length));
      continue;
    }
    const number = length <= WORD_MAX ? findWord(head, buckets, mask, p, length) : -1;
    if (number >= 0) out = putCode(<u32>number, short, out);
    else if (length <= BARE_MAX) out = putLiterals(p, p + length, out);
    else out = spell(head, buckets, mask, short, p, p + length, out);
  }
  if (out < limit) return out;
  memory.copy(target, from, end - from);
  return limit;
}

/** Writes the pieces of [from, end), and the bytes between them as literals. */
function spell(
  head: usize,
  buckets: usize,
  mask: u32,
  short: u32,
  from: usize,
  end: usize,
  out: usize,
): usize {
  let bare = from;
  for (let p = from; p < end; ) {
    const found = findPiece(head, buckets, mask, p, lengthsAt(head, p, <u32>(end - p)));
    if (found < 0) {
      p++;
      continue;
    }
    out = putCode(<u32>found >>> 8, short, putLiterals(bare, p, out));
    p += <usize>(found & 0xff);
    bare = p;
  }
  return putLiterals(bare, end, out);
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
