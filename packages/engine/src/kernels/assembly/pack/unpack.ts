// Unpacks a unit of the log. Codes are read eight bytes at a time and split by arithmetic, because which
// codes have two bytes is unpredictable. Copies are 16 bytes, whatever the length of a word: the next
// word overwrites the excess. The twin is log/packed/unpack.ts.

import {
  HEAD_RECORDS,
  HEAD_SHORT,
  HEAD_STRINGS,
  LITERAL,
  LITERAL_SHORT,
  RECORD_WORD,
  WORD_MAX,
} from './layout';

/**
 * Unpacks [p, end) to `target` until there are `upTo` bytes or more; returns how many, or -1 if the unit does not have
 * `length` bytes. REQUIRES: upTo <= length; a margin may be read behind the unit, LITERAL_MAX bytes and one written behind the bytes.
 */
export function unpack(head: usize, p: usize, end: usize, target: usize, length: usize, upTo: usize): i32 {
  const short = load<u32>(head, HEAD_SHORT);
  const records = <usize>load<u32>(head, HEAD_RECORDS);
  const strings = <usize>load<u32>(head, HEAD_STRINGS);
  /** The difference between a two-byte code and its number. */
  const bias = short * 255;
  const last = short - 1;
  const stop = target + upTo;
  let to = target;
  while (to < stop && p < end) {
    let codes = load<u64>(p);
    // After three two-byte codes a complete one is left.
    for (let left = p + 8 <= end && to + 4 * WORD_MAX <= stop ? 4 : 1; left > 0; left--) {
      const first = <u32>codes & 0xff;
      if (first >= LITERAL) {
        let run = first - LITERAL + 1;
        p++;
        if (run > LITERAL_SHORT) run += load<u8>(p++);
        if (p + run > end) return -1;
        if (run <= 16) v128.store(to, v128.load(p));
        else memory.copy(to, p, run);
        to += run;
        p += run;
        break;
      }
      const isLong = <u32>(<i32>(last - first) >> 31);
      const number = first + ((first * 255 + ((<u32>codes >>> 8) & 0xff) - bias) & isLong);
      const record = load<u64>(records + ((<usize>number) << 3));
      const size = <u32>(record >>> 56);
      store<u64>(to, record);
      if (size > RECORD_WORD) {
        const from = strings + <u32>record;
        v128.store(to, v128.load(from));
        v128.store(to, v128.load(from, 16), 16);
      }
      to += size;
      p += 1 - <usize>isLong;
      codes >>>= <u64>(8 + (isLong & 8));
    }
  }
  const made = to - target;
  if (to < stop || p > end || made > length || (upTo === length && p !== end)) return -1;
  return <i32>made;
}
