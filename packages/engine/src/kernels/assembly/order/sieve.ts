// Finds the documents between two bounds: four at a time by their first key, the remaining ones by all
// keys. Documents that tie with a bound on all keys pass. The twin is order/unordered/pick-first.ts.

import { boundOf, flipOfHigh, keyOf } from './keys';
import {
  ENOUGH,
  LEVEL_BYTES,
  LEVEL_FAR,
  LEVEL_FLIP,
  LEVEL_HI,
  LEVEL_LO,
  LEVEL_NEAR,
  LEVELS,
  OUT,
  SIEVE_BEFORE,
  SIEVE_FOUND,
  STRETCH_AT,
  STRETCH_BITS,
  STRETCH_DOCS,
  STRETCH_END,
  STRETCH_FROM,
  STRETCH_LEVELS,
} from './layout';

/** Continues through a stretch until enough documents have passed. */
export function sieve(q: usize): void {
  const rows = q + LEVELS;
  const ends = rows + <usize>load<u32>(q, STRETCH_LEVELS) * LEVEL_BYTES;
  const hi: usize = load<u32>(rows, LEVEL_HI);
  const lo: usize = load<u32>(rows, LEVEL_LO);
  const flip = i32x4.splat(load<i32>(rows, LEVEL_FLIP));
  const flipHi = flipOfHigh(rows);
  const near = boundOf(rows, LEVEL_NEAR);
  const far = boundOf(rows, LEVEL_FAR);
  // The last few are examined one by one: nothing is read behind the keys.
  const fours = load<u32>(q, STRETCH_DOCS) & ~31;
  const end = load<u32>(q, STRETCH_END);
  let at = load<u32>(q, STRETCH_AT);
  let word = q + STRETCH_BITS + <usize>((at - load<u32>(q, STRETCH_FROM)) >>> 3);
  let before = load<u32>(q, SIEVE_BEFORE);
  let found: u32 = 0;
  for (; at < end && found <= <u32>ENOUGH; at += 32, word += 4) {
    let left = load<u32>(word);
    if (left === 0) continue;
    if (at < fours) {
      let sooner: u32 = 0;
      let later: u32 = 0;
      const h = hi + ((<usize>at) << 2);
      const l = lo + ((<usize>at) << 2);
      for (let n: u32 = 0; n < 32; n += 4) {
        const high = v128.xor(v128.load(h + ((<usize>n) << 2)), flipHi);
        const low = v128.xor(v128.load(l + ((<usize>n) << 2)), flip);
        const a = v128.shuffle<u32>(low, high, 0, 4, 1, 5);
        const b = v128.shuffle<u32>(low, high, 2, 6, 3, 7);
        sooner |=
          (<u32>i32x4.bitmask(v128.shuffle<u32>(i64x2.gt_s(near, a), i64x2.gt_s(near, b), 0, 2, 4, 6))) << n;
        later |=
          (<u32>i32x4.bitmask(v128.shuffle<u32>(i64x2.gt_s(a, far), i64x2.gt_s(b, far), 0, 2, 4, 6))) << n;
      }
      before += popcnt<u32>(left & sooner);
      left &= ~(sooner | later);
    }
    for (; left !== 0; left &= left - 1) {
      const doc = at + ctz<u32>(left);
      const place = placeOf(doc, rows, ends);
      if (place < 0) before++;
      else if (place === 0) {
        store<u32>(q + OUT + ((<usize>found) << 2), doc);
        found++;
      }
    }
  }
  store<u32>(q, at, STRETCH_AT);
  store<u32>(q, found, SIEVE_FOUND);
  store<u32>(q, before, SIEVE_BEFORE);
}

/** -1 before the near bound, 1 behind the far one, 0 between them or with one of them. */
function placeOf(doc: u32, rows: usize, ends: usize): i32 {
  let withNear = true;
  let withFar = true;
  for (let row = rows; row < ends && (withNear || withFar); row += LEVEL_BYTES) {
    const key = keyOf(row, doc);
    if (withNear) {
      const near = load<u64>(row, LEVEL_NEAR);
      if (key < near) return -1;
      withNear = key === near;
    }
    if (withFar) {
      const far = load<u64>(row, LEVEL_FAR);
      if (key > far) return 1;
      withFar = key === far;
    }
  }
  return 0;
}
