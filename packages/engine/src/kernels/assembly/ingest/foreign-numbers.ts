// Translates term numbers of another table in place: one look-up per word, four at a time, up to the
// first unknown word. The twin is tail/terms/foreign-term-numbers.ts.

/**
 * Replaces each of `count` words at `at` by its number; returns how many precede the first unknown one. `known` has a
 * number + 1 per word, 0 if unknown. With `ones`, as many bytes there become 1.
 */
export function translateNumbers(known: usize, at: usize, count: i32, ones: usize): i32 {
  if (ones !== 0) fillOnes(ones, ones + <usize>count);
  const end = at + ((<usize>count) << 2);
  let p = at;
  for (; p + 16 <= end; p += 16) {
    const a = numberOf(known, p);
    const b = numberOf(known, p + 4);
    const c = numberOf(known, p + 8);
    const d = numberOf(known, p + 12);
    if (<i32>(a | b | c | d) < 0) break;
    store<u32>(p, a);
    store<u32>(p, b, 4);
    store<u32>(p, c, 8);
    store<u32>(p, d, 12);
  }
  for (; p < end; p += 4) {
    const number = numberOf(known, p);
    if (<i32>number < 0) break;
    store<u32>(p, number);
  }
  return <i32>((p - at) >>> 2);
}

function numberOf(known: usize, p: usize): u32 {
  return load<u32>(known + ((<usize>load<u32>(p)) << 2)) - 1;
}

function fillOnes(p: usize, end: usize): void {
  const ones = i8x16.splat(1);
  for (; p + 16 <= end; p += 16) v128.store(p, ones);
  for (; p < end; p++) store<u8>(p, 1);
}
