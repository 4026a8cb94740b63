// Bitmaps, sixteen bytes at a time. Sizes are in bytes and multiples of 16; addresses need no alignment.
// The twins are in kernels/bits.ts.

/** Bytes whose set bits can be summed in lanes of 8 bits. */
const MOST: usize = 31 * 16;

/** The sums of lanes of 8 in lanes of 32. */
function wide(v: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v));
}

function sum(v: v128): i32 {
  return (
    i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3)
  );
}

/** Set bits of a. */
export function count(a: usize, bytes: usize): i32 {
  let n = i32x4.splat(0);
  for (let i: usize = 0; i < bytes; ) {
    let some = i8x16.splat(0);
    for (const to = min(bytes, i + MOST); i < to; i += 16) {
      some = i8x16.add(some, i8x16.popcnt(v128.load(a + i)));
    }
    n = i32x4.add(n, wide(some));
  }
  return sum(n);
}

/** Set bits of a ∧ b. */
export function countAnd(a: usize, b: usize, bytes: usize): i32 {
  let n = i32x4.splat(0);
  for (let i: usize = 0; i < bytes; ) {
    let some = i8x16.splat(0);
    for (const to = min(bytes, i + MOST); i < to; i += 16) {
      some = i8x16.add(some, i8x16.popcnt(v128.and(v128.load(a + i), v128.load(b + i))));
    }
    n = i32x4.add(n, wide(some));
  }
  return sum(n);
}

/** Set bits of a ∧ b ∧ c. */
export function countAnd3(a: usize, b: usize, c: usize, bytes: usize): i32 {
  let n = i32x4.splat(0);
  for (let i: usize = 0; i < bytes; ) {
    let some = i8x16.splat(0);
    for (const to = min(bytes, i + MOST); i < to; i += 16) {
      const both = v128.and(v128.load(a + i), v128.load(b + i));
      some = i8x16.add(some, i8x16.popcnt(v128.and(both, v128.load(c + i))));
    }
    n = i32x4.add(n, wide(some));
  }
  return sum(n);
}

/** Set bits of (a ∨ b) ∧ c. */
export function countEither(a: usize, b: usize, c: usize, bytes: usize): i32 {
  let n = i32x4.splat(0);
  for (let i: usize = 0; i < bytes; ) {
    let some = i8x16.splat(0);
    for (const to = min(bytes, i + MOST); i < to; i += 16) {
      const either = v128.or(v128.load(a + i), v128.load(b + i));
      some = i8x16.add(some, i8x16.popcnt(v128.and(either, v128.load(c + i))));
    }
    n = i32x4.add(n, wide(some));
  }
  return sum(n);
}

// memory.fill and memory.copy work byte by byte in shared memory.

/** a = 0. */
export function clear(a: usize, bytes: usize): void {
  const zero = i64x2.splat(0);
  const end = a + bytes;
  for (; a + 48 < end; a += 64) {
    v128.store(a, zero);
    v128.store(a, zero, 16);
    v128.store(a, zero, 32);
    v128.store(a, zero, 48);
  }
  for (; a < end; a += 16) v128.store(a, zero);
}

/** a = b. */
export function copy(a: usize, b: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(a + i, v128.load(b + i));
}

/** a ∧= b. */
export function and(a: usize, b: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(a + i, v128.and(v128.load(a + i), v128.load(b + i)));
}

/** a ∨= b. */
export function or(a: usize, b: usize, bytes: usize): void {
  for (let i: usize = 0; i < bytes; i += 16) v128.store(a + i, v128.or(v128.load(a + i), v128.load(b + i)));
}
