// Sorts terms by unsigned bytes: multikey quicksort over three bytes at a time (after Bentley and
// Sedgewick, "Fast algorithms for sorting and searching strings", 1997), so equal prefixes are compared
// once.

import type { TermTable } from './term-table.ts';

const FEW = 12;
const SLICE = 5_000;

/** The ids in the order of their terms' bytes. O(n log n + distinguishing bytes); yields as it goes. */
export function* sortTerms(table: TermTable, ids: Uint32Array): Generator<void, Uint32Array> {
  const n = ids.length;
  const order = ids.slice();
  const terms = new Array<Uint8Array>(n);
  const keys = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    terms[i] = table.term(ids[i]!);
    if (i % SLICE === SLICE - 1) yield;
  }
  /** Index into `ids` per place, so that only one number moves per swap. */
  const places = Uint32Array.from({ length: n }, (_, i) => i);
  const stack: number[] = [0, n, 0];
  let done = 0;
  while (stack.length > 0) {
    const depth = stack.pop()!;
    const end = stack.pop()!;
    const start = stack.pop()!;
    done += end - start;
    if (end - start <= FEW) insertionSort(terms, places, start, end, depth);
    else partition(terms, places, keys, start, end, depth, stack);
    if (done > SLICE) {
      done = 0;
      yield;
    }
  }
  for (let i = 0; i < n; i++) order[i] = ids[places[i]!]!;
  return order;
}

/** Three bytes at a depth, big-endian, and their number: shorter terms sort first. */
function keyAt(term: Uint8Array, depth: number): number {
  const left = term.length - depth;
  if (left >= 3) return ((term[depth]! << 18) | (term[depth + 1]! << 10) | (term[depth + 2]! << 2) | 3) >>> 0;
  if (left === 2) return (term[depth]! << 18) | (term[depth + 1]! << 10) | 2;
  return left === 1 ? (term[depth]! << 18) | 1 : 0;
}

function partition(
  terms: Uint8Array[],
  places: Uint32Array,
  keys: Uint32Array,
  start: number,
  end: number,
  depth: number,
  stack: number[],
): void {
  for (let i = start; i < end; i++) keys[i] = keyAt(terms[places[i]!]!, depth);
  const pivot = middle(keys[start]!, keys[(start + end) >>> 1]!, keys[end - 1]!);
  let low = start;
  let high = end;
  for (let i = start; i < high; ) {
    const key = keys[i]!;
    if (key < pivot) swap(keys, places, low++, i++);
    else if (key > pivot) swap(keys, places, i, --high);
    else i++;
  }
  if (low - start > 1) stack.push(start, low, depth);
  if (end - high > 1) stack.push(high, end, depth);
  if (high - low > 1 && (pivot & 3) === 3) stack.push(low, high, depth + 3);
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(keys: Uint32Array, places: Uint32Array, i: number, j: number): void {
  const key = keys[i]!;
  keys[i] = keys[j]!;
  keys[j] = key;
  const place = places[i]!;
  places[i] = places[j]!;
  places[j] = place;
}

function insertionSort(
  terms: Uint8Array[],
  places: Uint32Array,
  start: number,
  end: number,
  depth: number,
): void {
  for (let i = start + 1; i < end; i++) {
    const place = places[i]!;
    let j = i;
    for (; j > start && before(terms[place]!, terms[places[j - 1]!]!, depth); j--) places[j] = places[j - 1]!;
    places[j] = place;
  }
}

function before(a: Uint8Array, b: Uint8Array, depth: number): boolean {
  const n = Math.min(a.length, b.length);
  for (let i = depth; i < n; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return a.length < b.length;
}
