// Sorts documents without comparing them: least-significant-digit radix over 16-bit digits of their keys, or
// 11-bit digits where documents are few (Knuth, TAOCP 3, 5.2.5). The sort is stable, so sorting by the last
// key first and the first key last gives the whole order. Passes yield every 4,096 documents.

const DIGIT_BITS = 16;
/**
 * A pass goes over all counters: for fewer documents, two passes over 2,048 counters cost a third of one over
 * 65,536.
 */
const FEW_DOCS = 16_384;
const FEW_BITS = 11;

/** Two permutations that passes copy back and forth between; `current` holds the result so far. */
export interface Permutation {
  current: Uint32Array;
  spare: Uint32Array;
}

/** The permutation 0 … n-1. */
export function identity(n: number): Permutation {
  const current = new Uint32Array(n);
  for (let i = 0; i < n; i++) current[i] = i;
  return { current, spare: new Uint32Array(n) };
}

/** Documents between two yields. */
const STEP = 4_096;

/**
 * One stable counting pass by the digit `(keys[doc] ^ flip) >>> shift & mask`. A digit that is the same
 * everywhere costs one scan.
 */
function* pass(
  p: Permutation,
  keys: Uint32Array,
  shift: number,
  flip: number,
  counts: Uint32Array,
): Generator<void, void, undefined> {
  const { current, spare } = p;
  const n = current.length;
  const mask = counts.length - 1;
  counts.fill(0);
  for (let from = 0; from < n; from += STEP) {
    const to = Math.min(n, from + STEP);
    for (let i = from; i < to; i++) counts[((keys[i]! ^ flip) >>> shift) & mask]!++;
    yield;
  }
  if (counts[((keys[0]! ^ flip) >>> shift) & mask] === n) return;
  let sum = 0;
  for (let d = 0; d < counts.length; d++) {
    const c = counts[d]!;
    counts[d] = sum;
    sum += c;
  }
  for (let from = 0; from < n; from += STEP) {
    const to = Math.min(n, from + STEP);
    for (let i = from; i < to; i++) {
      const doc = current[i]!;
      spare[counts[((keys[doc]! ^ flip) >>> shift) & mask]!++] = doc;
    }
    yield;
  }
  p.current = spare;
  p.spare = current;
}

/** Sorts stably by 32-bit keys (unsigned), by their complement where `descending`. O(n). */
export function* radixSort(
  p: Permutation,
  keys: Uint32Array,
  descending: boolean,
): Generator<void, void, undefined> {
  if (p.current.length < 2) return;
  const flip = descending ? 0xffffffff : 0;
  const bits = p.current.length < FEW_DOCS ? FEW_BITS : DIGIT_BITS;
  const counts = new Uint32Array(1 << bits);
  for (let shift = 0; shift < 32; shift += bits) {
    yield* pass(p, keys, shift, flip, counts);
  }
}

/**
 * Sorts a short permutation stably by 32-bit keys, where clearing 65,536 counters would cost more than
 * comparing: insertion for what is nearly sorted, else the engine's merge sort.
 */
export function shortSort(p: Permutation, compare: (a: number, b: number) => number): void {
  p.current.set(Array.from(p.current).sort(compare));
}
