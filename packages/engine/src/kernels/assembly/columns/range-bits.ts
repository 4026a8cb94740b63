// The bitmap of documents whose key lies in a range, four documents at a time. The twin is in
// query/node/values/numeric-range-node.ts.

/** Unsigned order is signed order with this bit flipped. */
const SIGN: u64 = 0x8000000000000000;

function keyOf(high: u32, low: u32): u64 {
  return ((<u64>high) << 32) | <u64>low;
}

/** Bits of four documents, `at` bytes into both halves. */
function inside(hi: usize, lo: usize, flip: v128, min: v128, max: v128): u32 {
  const high = v128.xor(v128.load(hi), flip);
  const low = v128.load(lo);
  const a = v128.shuffle<u32>(low, high, 0, 4, 1, 5);
  const b = v128.shuffle<u32>(low, high, 2, 6, 3, 7);
  const outA = v128.or(i64x2.gt_s(min, a), i64x2.gt_s(a, max));
  const outB = v128.or(i64x2.gt_s(min, b), i64x2.gt_s(b, max));
  return 15 ^ (i64x2.bitmask(outA) | (i64x2.bitmask(outB) << 2));
}

/**
 * Writes a bit for each of `docs` documents: those in `present` whose key is between both bounds, which are included. Returns
 * whether there are any.
 */
export function rangeBits(
  hi: usize,
  lo: usize,
  present: usize,
  docs: u32,
  minHigh: u32,
  minLow: u32,
  maxHigh: u32,
  maxLow: u32,
  out: usize,
): u32 {
  const least = keyOf(minHigh, minLow);
  const greatest = keyOf(maxHigh, maxLow);
  const flip = i32x4.splat(0x80000000);
  const min = i64x2.splat(least ^ SIGN);
  const max = i64x2.splat(greatest ^ SIGN);
  let any: u32 = 0;
  let doc: u32 = 0;
  for (; doc + 32 <= docs; doc += 32, present += 4, out += 4) {
    const here = load<u32>(present);
    let word: u32 = 0;
    if (here !== 0) {
      for (let k: u32 = 0; k < 32; k += 4) {
        const at = (<usize>(doc + k)) << 2;
        word |= inside(hi + at, lo + at, flip, min, max) << k;
      }
    }
    word &= here;
    any |= word;
    store<u32>(out, word);
  }
  if (doc === docs) return any;
  const here = load<u32>(present);
  let word: u32 = 0;
  for (let k: u32 = 0; doc < docs; doc++, k++) {
    const at = (<usize>doc) << 2;
    const key = keyOf(load<u32>(hi + at), load<u32>(lo + at));
    if (key >= least && key <= greatest) word |= 1 << k;
  }
  word &= here;
  store<u32>(out, word);
  return any | word;
}
