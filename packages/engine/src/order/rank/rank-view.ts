// The visible positions of an order: how many lie before a position, and which is next. A bitmap in sort
// order with a running count every 512 bits, less a short sorted list of positions that died since; a plain
// sorted list where matches are few; nothing at all where everything matches. Counting is O(1) + O(log dead).
//
//   bits        1101 1011 | 0111 1111 | …        one bit per position of the order
//   directory   0           6           13 …     set bits before each run of 512
//   dead        [9, 300]                          positions that died; folded into bits beyond √n
//
// Source: rank directory, Jacobson 1989, one level, because positions are at most a few million.

import { popcount32, wordsFor } from '../../kernels/bits.ts';
import { lowerBound } from '../../kernels/sorted-search.ts';
import { CachedArrays } from '../../memory/cached-arrays.ts';
import type { Memory } from '../../memory/memory.ts';

const WORDS_PER_RUN = 16;
const NONE = new Uint32Array(0);

/**
 * The visible positions of one order of one leaf. Immutable: later deaths make a new view over the same bits.
 */
export class RankView {
  /** Positions of the order. */
  readonly n: number;
  /** Visible positions. */
  readonly total: number;
  private readonly bits: Uint32Array | undefined;
  private readonly directory: Uint32Array;
  private readonly list: Uint32Array | undefined;
  private readonly dead: Uint32Array;

  private constructor(
    n: number,
    bits: Uint32Array | undefined,
    directory: Uint32Array,
    list: Uint32Array | undefined,
    dead: Uint32Array,
  ) {
    this.n = n;
    this.bits = bits;
    this.directory = directory;
    this.list = list;
    this.dead = dead;
    this.total = this.count(n);
  }

  /** Everything is visible. */
  static all(n: number): RankView {
    return new RankView(n, undefined, NONE, undefined, NONE);
  }

  /** The positions of a sorted list. */
  static ofList(n: number, list: Uint32Array): RankView {
    return new RankView(n, undefined, NONE, list, NONE);
  }

  /** The set bits of a bitmap in sort order. */
  static ofBits(n: number, bits: Uint32Array): RankView {
    return new RankView(n, bits, directoryOf(bits), undefined, NONE);
  }

  /** A copy with its large arrays in the engine's memory; undefined when there is no room. */
  copyTo(memory: Memory): { readonly view: RankView; readonly held: CachedArrays } | undefined {
    const copy = CachedArrays.copy(memory, [this.bits ?? this.list ?? NONE, this.directory] as const);
    if (copy === undefined) return undefined;
    const [main, directory] = copy.arrays;
    const bits = this.bits === undefined ? undefined : main;
    const list = this.list === undefined ? undefined : main;
    return { view: new RankView(this.n, bits, directory, list, this.dead), held: copy.owner };
  }

  /** Whether both use the same large arrays. */
  shares(other: RankView): boolean {
    return this.bits === other.bits && this.list === other.list;
  }

  /** Memory that its large arrays take. */
  get bytes(): number {
    return (this.bits ?? this.list ?? NONE).byteLength + this.directory.byteLength;
  }

  /** Memory of the list of dead positions, which lies on the heap. */
  get deadBytes(): number {
    return this.dead.byteLength;
  }

  /** Visible positions before p. REQUIRES: 0 <= p <= n. */
  count(p: number): number {
    let c = p;
    if (this.list !== undefined) c = lowerBound(this.list, 0, this.list.length, p);
    else if (this.bits !== undefined) c = countBefore(this.bits, this.directory, p);
    return this.dead.length === 0 ? c : c - lowerBound(this.dead, 0, this.dead.length, p);
  }

  /** The first visible position >= p, or n. */
  next(p: number): number {
    let at = p;
    for (;;) {
      at = this.nextSet(at);
      if (at >= this.n || !this.isDead(at)) return at;
      at++;
    }
  }

  /** The last visible position < p, or -1. */
  previous(p: number): number {
    let at = p;
    for (;;) {
      at = this.previousSet(at);
      if (at < 0 || !this.isDead(at)) return at;
    }
  }

  /** The view without the given positions (any order, all visible here). O(√n) amortised. */
  without(positions: readonly number[]): RankView {
    if (positions.length === 0) return this;
    if (this.list !== undefined) {
      const gone = new Set(positions);
      return new RankView(
        this.n,
        undefined,
        NONE,
        this.list.filter((p) => !gone.has(p)),
        NONE,
      );
    }
    const dead = new Uint32Array(this.dead.length + positions.length);
    dead.set(this.dead);
    dead.set(positions, this.dead.length);
    dead.sort();
    if (dead.length <= Math.sqrt(this.n)) {
      return new RankView(this.n, this.bits, this.directory, undefined, dead);
    }
    const bits = this.bits?.slice() ?? ones(this.n);
    for (const p of dead) bits[p >>> 5]! &= ~(1 << (p & 31));
    return RankView.ofBits(this.n, bits);
  }

  private isDead(p: number): boolean {
    if (this.dead.length === 0) return false;
    const k = lowerBound(this.dead, 0, this.dead.length, p);
    return k < this.dead.length && this.dead[k] === p;
  }

  private nextSet(p: number): number {
    if (this.list !== undefined) {
      const k = lowerBound(this.list, 0, this.list.length, p);
      return k < this.list.length ? this.list[k]! : this.n;
    }
    const bits = this.bits;
    if (bits === undefined || p >= this.n) return Math.min(p, this.n);
    let w = p >>> 5;
    let word = bits[w]! & (-1 << (p & 31));
    while (word === 0) {
      if (++w >= bits.length) return this.n;
      word = bits[w]!;
    }
    return (w << 5) + 31 - Math.clz32(word & -word);
  }

  private previousSet(p: number): number {
    if (this.list !== undefined) {
      const k = lowerBound(this.list, 0, this.list.length, p);
      return k > 0 ? this.list[k - 1]! : -1;
    }
    const bits = this.bits;
    if (bits === undefined || p <= 0) return p - 1;
    let w = (p - 1) >>> 5;
    let word = bits[w]! & (-1 >>> (31 - ((p - 1) & 31)));
    while (word === 0) {
      if (--w < 0) return -1;
      word = bits[w]!;
    }
    return (w << 5) + 31 - Math.clz32(word);
  }
}

function ones(n: number): Uint32Array {
  const bits = new Uint32Array(wordsFor(n)).fill(0xffff_ffff);
  if (n & 31) bits[n >>> 5] = -1 >>> (32 - (n & 31));
  return bits;
}

function directoryOf(bits: Uint32Array): Uint32Array {
  const runs = Math.ceil(bits.length / WORDS_PER_RUN);
  const directory = new Uint32Array(runs + 1);
  let count = 0;
  for (let run = 0; run < runs; run++) {
    directory[run] = count;
    const end = Math.min((run + 1) * WORDS_PER_RUN, bits.length);
    for (let w = run * WORDS_PER_RUN; w < end; w++) count += popcount32(bits[w]!);
  }
  directory[runs] = count;
  return directory;
}

function countBefore(bits: Uint32Array, directory: Uint32Array, p: number): number {
  const word = p >>> 5;
  const run = word >>> 4;
  let c = directory[run]!;
  for (let w = run << 4; w < word; w++) c += popcount32(bits[w]!);
  if (p & 31) c += popcount32(bits[word]! & ((1 << (p & 31)) - 1));
  return c;
}
