// Which documents does one term rank highest? The twin of score/single.ts.

import { above, splat } from './codes';
import { BLOCK, base, CODES, END, LOWS, list, MAX_CODE, START, scoreOf } from './lists';
import { isVisible, limit, offer } from './top';

/** The chunk of the only list. Bounds are codes. */
export function bestOfTerm(): void {
  const c = list(0);
  if (load<i32>(c, MAX_CODE) <= limit) return;
  const codes: usize = load<u32>(c, CODES);
  const lows: usize = load<u32>(c, LOWS);
  const end = load<i32>(c, END);
  let block: usize = load<u32>(c, BLOCK);
  for (let from = load<i32>(c, START); from < end; from += 128, block++) {
    if (<i32>load<u8>(block) <= limit) continue;
    const to = min(from + 128, end);
    for (let p = from; p < to; p += 16) {
      let mask = above(codes + <usize>p, to - p, splat(limit));
      while (mask !== 0) {
        const posting = p + <i32>ctz<u32>(mask);
        mask &= mask - 1;
        if (<i32>load<u8>(codes + <usize>posting) <= limit) continue;
        const doc = base + <i32>load<u16>(lows + ((<usize>posting) << 1));
        if (isVisible(doc)) offer(<f64>scoreOf(c, posting, doc), doc);
      }
    }
  }
}
