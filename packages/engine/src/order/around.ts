// Which documents lie around a rank, where leaves have no order yet? Documents are counted by the leading 16 bits of their
// first key, then those of the bucket that holds the rank by the next 16, until few are left: only these are put in order.
// (Radix select: Knuth, TAOCP 3, 5.3.3, by digits as in 5.2.5.) A million documents: about 10 ms, where their orders take
// half a second.

import { popcount32 } from '../kernels/bits.ts';
import { compareDocs, type Side } from './compare.ts';
import type { NumericKeys } from './keys.ts';

const DIGITS = 65_536;
const STEP_WORDS = 1_024;
/** Of fewer than this, none are told apart by counting. */
const FEW = 2_048;
/** Of more than this, where they all have the same first key, building orders takes no longer. */
const MOST = 32_768;

/** A leaf, and which of its documents are visible: all of the first `docCount` where `bits` is undefined. */
export interface Part {
  readonly side: Side;
  readonly bits: Uint32Array | undefined;
  readonly docCount: number;
}

/** Documents around a rank. */
export interface Around {
  /** Visible documents of all parts that come before them. */
  readonly before: number;
  /** Of each part, in list order. */
  readonly docs: readonly Uint32Array[];
}

/** Documents whose first key begins with the same digits. */
interface Bucket {
  /** Their key, zeros behind its digits. */
  readonly hi: number;
  readonly lo: number;
  /** Bits of the key that are known. */
  readonly maskHi: number;
  readonly maskLo: number;
  readonly digits: number;
  /** Visible documents that come before them, */
  readonly before: number;
  /** and their own number. */
  readonly count: number;
}

/**
 * The documents from rank `first` to `last` and some around them; undefined where too many have the same first key.
 * O(visible), in steps of 32,768. REQUIRES: sides of one spec whose first entry is numeric; first <= last < visible documents.
 */
export function* docsAround(
  parts: readonly Part[],
  first: number,
  last: number,
): Generator<void, Around | undefined, undefined> {
  let count = 0;
  for (const part of parts) count += visibleOf(part);
  const all: Bucket = { hi: 0, lo: 0, maskHi: 0, maskLo: 0, digits: 0, before: 0, count };
  const low = yield* bucketOf(parts, first, all);
  const high = last < low.before + low.count ? low : yield* bucketOf(parts, last, all);
  const { before } = low;
  const found = high.before + high.count - before;
  if (found > MOST) return undefined;
  const docs: Uint32Array[] = [];
  for (const part of parts) {
    const between = new Between(part, low, high, found);
    yield* steps(part, (from, until) => between.scan(from, until));
    docs.push(between.inOrder());
    yield;
  }
  return { before, docs };
}

function visibleOf({ bits, docCount }: Part): number {
  if (bits === undefined) return docCount;
  let count = 0;
  for (let w = 0; w < bits.length; w++) count += popcount32(bits[w]!);
  return count;
}

function* steps(
  { docCount }: Part,
  scan: (from: number, until: number) => void,
): Generator<void, void, undefined> {
  const words = (docCount + 31) >>> 5;
  for (let from = 0; from < words; from += STEP_WORDS) {
    scan(from, Math.min(from + STEP_WORDS, words));
    yield;
  }
}

/** The smallest bucket worth telling apart that holds a rank. */
function* bucketOf(parts: readonly Part[], rank: number, all: Bucket): Generator<void, Bucket, undefined> {
  const counts = new Uint32Array(DIGITS);
  let bucket = all;
  while (bucket.count > FEW && bucket.digits < 4) {
    counts.fill(0);
    for (const part of parts)
      yield* steps(part, (from, until) => countDigits(counts, part, bucket, from, until));
    let before = bucket.before;
    let digit = 0;
    while (before + counts[digit]! <= rank) before += counts[digit++]!;
    bucket = deeper(bucket, digit, before, counts[digit]!);
  }
  return bucket;
}

/** Counts visible documents of a bucket by their next digit. */
function countDigits(
  counts: Uint32Array,
  part: Part,
  { hi, lo, maskHi, maskLo, digits }: Bucket,
  from: number,
  until: number,
): void {
  const keys = keysOf(part);
  const { flip } = keys;
  const isHigh = digits < 2;
  const shift = (digits & 1) === 0 ? 16 : 0;
  for (let w = from; w < until; w++) {
    for (let word = wordOf(part, w); word !== 0; word &= word - 1) {
      const doc = (w << 5) + 31 - Math.clz32(word & -word);
      const high = keys.hi[doc]! ^ flip;
      if (((high ^ hi) & maskHi) !== 0) continue;
      if (isHigh) {
        counts[(high >>> shift) & 0xffff]!++;
        continue;
      }
      const low = keys.lo[doc]! ^ flip;
      if (((low ^ lo) & maskLo) === 0) counts[(low >>> shift) & 0xffff]!++;
    }
  }
}

function deeper(bucket: Bucket, digit: number, before: number, count: number): Bucket {
  const { hi, lo, maskHi, maskLo } = bucket;
  const digits = bucket.digits + 1;
  const next = { hi, lo, maskHi, maskLo, digits, before, count };
  if (digits === 1) return { ...next, hi: (digit << 16) >>> 0, maskHi: 0xffff_0000 };
  if (digits === 2) return { ...next, hi: hi + digit, maskHi: 0xffff_ffff };
  if (digits === 3) return { ...next, lo: (digit << 16) >>> 0, maskLo: 0xffff_0000 };
  return { ...next, lo: lo + digit, maskLo: 0xffff_ffff };
}

/** Finds what lies between two buckets, both included. */
class Between {
  readonly #part: Part;
  readonly #lowHi: number;
  readonly #lowLo: number;
  readonly #highHi: number;
  readonly #highLo: number;
  readonly #docs: Uint32Array;
  #size = 0;

  constructor(part: Part, low: Bucket, high: Bucket, most: number) {
    this.#part = part;
    this.#lowHi = low.hi;
    this.#lowLo = low.lo;
    this.#highHi = (high.hi | ~high.maskHi) >>> 0;
    this.#highLo = (high.lo | ~high.maskLo) >>> 0;
    this.#docs = new Uint32Array(most);
  }

  scan(from: number, until: number): void {
    const part = this.#part;
    const keys = keysOf(part);
    const { flip } = keys;
    const lowHi = this.#lowHi;
    const highHi = this.#highHi;
    for (let w = from; w < until; w++) {
      for (let word = wordOf(part, w); word !== 0; word &= word - 1) {
        const doc = (w << 5) + 31 - Math.clz32(word & -word);
        const high = (keys.hi[doc]! ^ flip) >>> 0;
        if (high < lowHi || high > highHi) continue;
        const low = (keys.lo[doc]! ^ flip) >>> 0;
        if (high === lowHi && low < this.#lowLo) continue;
        if (high === highHi && low > this.#highLo) continue;
        this.#docs[this.#size++] = doc;
      }
    }
  }

  inOrder(): Uint32Array {
    const { side } = this.#part;
    return this.#docs.slice(0, this.#size).sort((a, b) => compareDocs(side, a, 0, side, b, 0));
  }
}

/** The first keys, to be turned so that less comes first. */
function keysOf({ side }: Part): {
  readonly hi: Uint32Array;
  readonly lo: Uint32Array;
  readonly flip: number;
} {
  const { hi, lo } = side.keys[0] as NumericKeys;
  return { hi, lo, flip: side.spec.entries[0]!.descending ? 0xffff_ffff : 0 };
}

/** Visible documents of a word. */
function wordOf({ bits, docCount }: Part, w: number): number {
  const word = bits === undefined ? -1 : bits[w]!;
  return w === docCount >>> 5 ? word & ((1 << (docCount & 31)) - 1) : word;
}
