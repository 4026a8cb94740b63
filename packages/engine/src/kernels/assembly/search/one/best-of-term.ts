// The best documents for a single term: blocks and codes below the limit are skipped sixteen at a time.
// The twin is score/prune/prune-single.ts.

import { above, splat } from '../codes';
import { FIELD_FREQS, FIELD_NORMS, TERM_INVERSES, TERM_WEIGHT } from '../layout';
import { BLOCK, base, CODES, END, exception, FIELD, LOWS, list, MAX_CODE, START, termRow } from '../lists';
import { isVisible, limit, offer } from '../top';

/** The chunk of the only list. Bounds are codes. */
export function bestOfTerm(): void {
  const c = list(0);
  if (load<i32>(c, MAX_CODE) <= limit) return;
  const codes: usize = load<u32>(c, CODES);
  const lows: usize = load<u32>(c, LOWS);
  const field: usize = load<u32>(c, FIELD);
  const norms: usize = load<u32>(field, FIELD_NORMS);
  const freqs: usize = load<u32>(field, FIELD_FREQS);
  const weight = load<f32>(termRow(c), TERM_WEIGHT);
  const inverses: usize = load<u32>(termRow(c), TERM_INVERSES);
  const end = load<i32>(c, END);
  let block: usize = load<u32>(c, BLOCK);
  for (let from = load<i32>(c, START); from < end; from += 128, block++) {
    if (<i32>load<u8>(block) <= limit) continue;
    const to = min(from + 128, end);
    for (let p = from; p < to; p += 16) {
      let mask = above(codes + <usize>p, to - p, splat(limit));
      for (; mask !== 0; mask &= mask - 1) {
        const posting = p + <i32>ctz<u32>(mask);
        const code = <usize>load<u8>(codes + <usize>posting);
        if (<i32>code <= limit) continue;
        const doc = base + <i32>load<u16>(lows + ((<usize>posting) << 1));
        if (!isVisible(doc)) continue;
        const norm = norms === 0 ? 1 : <usize>load<u8>(norms + <usize>doc);
        let freq = <i32>load<u8>(freqs + (norm << 8) + code);
        if (freq === 0) freq = exception(field, posting);
        const inverse = load<f32>(inverses + (norm << 2));
        offer(<f64>(weight - weight / (<f32>1 + <f32>freq * inverse)), doc);
      }
    }
  }
}
