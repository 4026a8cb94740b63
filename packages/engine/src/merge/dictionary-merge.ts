// Merges sorted dictionaries: a binary heap of up to 24 cursors that compares four-byte prefixes as
// numbers first. Equal terms come in the order of their segments.

import { compareByteRanges } from '../kernels/sorted-search.ts';
import type { SortedTerms } from '../segment/terms.ts';

/** A merging walk over several sorted dictionaries. */
export class DictionaryMerge {
  readonly #sources: readonly (SortedTerms | undefined)[];
  readonly #ordinals: Uint32Array;
  readonly #prefixes: Uint32Array;
  /** Inputs that have terms left, the one with the smallest term first. */
  readonly #heap: Uint8Array;
  #size = 0;
  /** Inputs that have the current term: inputs[0 … count), and its ordinal in each. */
  readonly inputs: Uint8Array;
  readonly ordinals: Uint32Array;
  count = 0;

  /** REQUIRES: at most 255 sources. */
  constructor(sources: readonly (SortedTerms | undefined)[]) {
    this.#sources = sources;
    this.#ordinals = new Uint32Array(sources.length);
    this.#prefixes = new Uint32Array(sources.length);
    this.#heap = new Uint8Array(sources.length);
    this.inputs = new Uint8Array(sources.length);
    this.ordinals = new Uint32Array(sources.length);
    sources.forEach((source, input) => {
      if (source === undefined || source.count === 0) return;
      this.#prefixes[input] = prefixOf(source, 0);
      this.#heap[this.#size++] = input;
      this.#up(this.#size - 1);
    });
  }

  /** Goes to the next term; false at the end. */
  next(): boolean {
    this.count = 0;
    if (this.#size === 0) return false;
    const first = this.#heap[0]!;
    const ordinal = this.#ordinals[first]!;
    const prefix = this.#prefixes[first]!;
    this.#take();
    while (this.#size > 0) {
      const input = this.#heap[0]!;
      if (
        this.#prefixes[input] !== prefix ||
        this.#compare(first, ordinal, input, this.#ordinals[input]!) !== 0
      )
        break;
      this.#take();
    }
    return true;
  }

  /** Moves the top of the heap into the current term. */
  #take(): void {
    const input = this.#heap[0]!;
    const ordinal = this.#ordinals[input]!;
    this.inputs[this.count] = input;
    this.ordinals[this.count++] = ordinal;
    const source = this.#sources[input]!;
    if (ordinal + 1 < source.count) {
      this.#ordinals[input] = ordinal + 1;
      this.#prefixes[input] = prefixOf(source, ordinal + 1);
    } else this.#heap[0] = this.#heap[--this.#size]!;
    if (this.#size > 1) this.#down();
  }

  #compare(a: number, aOrdinal: number, b: number, bOrdinal: number): number {
    const x = this.#sources[a]!;
    const y = this.#sources[b]!;
    return compareByteRanges(
      x.bytes,
      x.starts[aOrdinal]!,
      x.starts[aOrdinal + 1]!,
      y.bytes,
      y.starts[bOrdinal]!,
      y.starts[bOrdinal + 1]!,
    );
  }

  #before(a: number, b: number): boolean {
    const x = this.#prefixes[a]!;
    const y = this.#prefixes[b]!;
    if (x !== y) return x < y;
    const order = this.#compare(a, this.#ordinals[a]!, b, this.#ordinals[b]!);
    return order === 0 ? a < b : order < 0;
  }

  #up(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >>> 1;
      if (!this.#before(heap[at]!, heap[parent]!)) return;
      const input = heap[at]!;
      heap[at] = heap[parent]!;
      heap[parent] = input;
      at = parent;
    }
  }

  #down(): void {
    const heap = this.#heap;
    const input = heap[0]!;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#before(heap[child + 1]!, heap[child]!)) child++;
      if (!this.#before(heap[child]!, input)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = input;
  }
}

/**
 * The first four bytes, big-endian, zeros beyond the end: ordered as the terms, but equal prefixes decide
 * nothing.
 */
function prefixOf(source: SortedTerms, ordinal: number): number {
  const at = source.starts[ordinal]!;
  const length = source.starts[ordinal + 1]! - at;
  const { bytes } = source;
  let prefix = 0;
  for (let i = 0; i < 4; i++) prefix = (prefix << 8) | (i < length ? bytes[at + i]! : 0);
  return prefix >>> 0;
}
