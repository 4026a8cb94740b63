// Sets of documents as bitmaps of 32-bit words: bit n lies in word n >>> 5 at n & 31. A chunk of 65,536
// documents has 2,048 words. Loops are plain and monomorphic; kernels have their own
// (assembly/search/bits.ts).

/** Number of set bits of a 32-bit word (Warren, Hacker's Delight, 5-1). */
export function popcount32(x: number): number {
  let v = x - ((x >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Set bits among [fromBit, toBit). */
export function countBits(words: Uint32Array, fromBit: number, toBit: number): number {
  if (fromBit >= toBit) return 0;
  const first = fromBit >>> 5;
  const last = (toBit - 1) >>> 5;
  const head = -1 << (fromBit & 31);
  const tail = -1 >>> (31 - ((toBit - 1) & 31));
  if (first === last) return popcount32(words[first]! & head & tail);
  let n = popcount32(words[first]! & head) + popcount32(words[last]! & tail);
  for (let w = first + 1; w < last; w++) n += popcount32(words[w]!);
  return n;
}

/** Set bits of `a ∧ b` over the first `words` words, without making it. */
export function countAnd(a: Uint32Array, b: Uint32Array, words: number = a.length): number {
  let n = 0;
  for (let w = 0; w < words; w++) n += popcount32(a[w]! & b[w]!);
  return n;
}

/** a ∧= b. Returns whether any bit is left. REQUIRES: b is at least as long as a. */
export function andInto(a: Uint32Array, b: Uint32Array): boolean {
  let any = 0;
  for (let w = 0; w < a.length; w++) any |= a[w]! &= b[w]!;
  return any !== 0;
}

/** a ∨= b. REQUIRES: b is at least as long as a. */
export function orInto(a: Uint32Array, b: Uint32Array): void {
  for (let w = 0; w < a.length; w++) a[w]! |= b[w]!;
}

/** a ∧= ¬b. REQUIRES: b is at least as long as a. */
export function andNotInto(a: Uint32Array, b: Uint32Array): void {
  for (let w = 0; w < a.length; w++) a[w]! &= ~b[w]!;
}

/** Sets bits 0 … n-1 and clears the rest. */
export function fillOnes(words: Uint32Array, n: number): void {
  const full = n >>> 5;
  words.fill(0xffffffff, 0, full);
  words.fill(0, full);
  if (n & 31) words[full] = -1 >>> (32 - (n & 31));
}

/** The first set bit at or after `from` and before `end`, or -1. */
export function nextSetBit(words: Uint32Array, from: number, end: number = words.length * 32): number {
  if (from >= end) return -1;
  let w = from >>> 5;
  const last = (end - 1) >>> 5;
  let word = words[w]! & (-1 << (from & 31));
  while (word === 0) {
    if (++w > last) return -1;
    word = words[w]!;
  }
  const bit = w * 32 + 31 - Math.clz32(word & -word);
  return bit < end ? bit : -1;
}

/** True when bit n is set. */
export function hasBit(words: Uint32Array, n: number): boolean {
  return ((words[n >>> 5]! >>> (n & 31)) & 1) !== 0;
}

/** Sets bit n. */
export function setBit(words: Uint32Array, n: number): void {
  words[n >>> 5]! |= 1 << (n & 31);
}

/** Words that hold n bits. */
export function wordsFor(n: number): number {
  return (n + 31) >>> 5;
}

/**
 * Copies bits [from, from + n) of `source` onto `target` at `to`, or-ing them in. REQUIRES: the target bits
 * are clear.
 */
export function copyBits(
  target: Uint32Array,
  to: number,
  source: Uint32Array,
  from: number,
  n: number,
): void {
  for (let i = 0; i < n; ) {
    const step = Math.min(32 - ((from + i) & 31), 32 - ((to + i) & 31), n - i);
    const bits = (source[(from + i) >>> 5]! >>> ((from + i) & 31)) & (-1 >>> (32 - step));
    target[(to + i) >>> 5]! |= bits << ((to + i) & 31);
    i += step;
  }
}
