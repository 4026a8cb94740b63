// Which bytes was a unit? The twin of log/packed/unpack.ts. Copies are of 16 bytes, whatever the length of a word is: what
// they write behind it the next word writes over.

import { HEAD_ENTRIES, HEAD_SHORT, HEAD_STRINGS, LITERAL, LITERAL_SHORT } from './layout';

/**
 * Unpacks [p, end) to `target`, until there are `upTo` bytes or more; how many, or -1 where the unit is none of `length`
 * bytes. REQUIRES: upTo <= length; a margin may be read behind the unit, LITERAL_MAX and 32 bytes written behind the bytes.
 */
export function unpack(head: usize, p: usize, end: usize, target: usize, length: usize, upTo: usize): i32 {
  const short = load<u32>(head, HEAD_SHORT);
  const entries = <usize>load<u32>(head, HEAD_ENTRIES);
  const strings = <usize>load<u32>(head, HEAD_STRINGS);
  const stop = target + upTo;
  let to = target;
  while (to < stop) {
    if (p >= end) return -1;
    const first: u32 = load<u8>(p);
    if (first < LITERAL) {
      const isLong = first >= short;
      const number = isLong ? short + ((first - short) << 8) + <u32>load<u8>(p, 1) : first;
      p += 1 + <usize>isLong;
      const entry = load<u32>(entries + ((<usize>number) << 2));
      if (entry === 0) return -1;
      const from = strings + (entry >>> 6);
      const size = entry & 63;
      v128.store(to, v128.load(from));
      if (size > 16) v128.store(to, v128.load(from, 16), 16);
      to += size;
      continue;
    }
    let run = first - LITERAL + 1;
    p++;
    if (run > LITERAL_SHORT) run += load<u8>(p++);
    if (p + run > end) return -1;
    if (run <= 16) v128.store(to, v128.load(p));
    else memory.copy(to, p, run);
    to += run;
    p += run;
  }
  const made = to - target;
  if (p > end || made > length || (upTo === length && p !== end)) return -1;
  return <i32>made;
}
