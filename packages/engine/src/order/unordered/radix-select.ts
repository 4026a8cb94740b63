// Finds the documents around a rank in leaves that have no order yet. Documents are counted in a thousand
// buckets between the least and the greatest leading key, then those of the bucket that holds the rank, until
// few are left; only these are sorted. A million documents take about 5 ms, building their orders half a
// second. (Radix select: Knuth, TAOCP 3, 5.3.3, by digits as in 5.2.5.)

import { PLACES } from '../../kernels/assembly/order/layout.ts';
import { compareDocs, type Side } from '../compare.ts';
import type { NumericKeys } from '../keys/sort-keys.ts';
import { ALL_KEYS, KeyHistogram, type KeyRange, shiftOf, splitKey, subrange } from './key-histogram.ts';
import { FarBound } from './key-levels.ts';
import type { KeyArrays } from './order-kernel.ts';
import { KernelSieve } from './sieve.ts';

/** A bucket of fewer documents is not divided further. */
const FEW = 2_048;
/** Where more documents share the leading key around the page, building orders takes no longer. */
const MOST = 32_768;
const STEP_DOCS = 32_768;

/** A leaf, and which of its documents are visible: all of the first `docCount` where `bits` is undefined. */
export interface UnorderedLeaf {
  readonly side: Side;
  readonly bits: Uint32Array | undefined;
  readonly docCount: number;
  /** How many are visible. */
  readonly visible: number;
}

/** Documents around a rank. */
interface DocsAround {
  /** Visible documents of all parts that come before them. */
  readonly before: number;
  /** Of each part, in list order. */
  readonly docs: readonly Uint32Array[];
}

/** Documents whose leading key lies in a range. */
interface Bucket {
  readonly range: KeyRange;
  /** Visible documents that come before them. */
  readonly before: number;
  /** Visible documents of the bucket. */
  readonly count: number;
}

/** A leaf with the histogram of its keys. */
interface Counted extends UnorderedLeaf {
  readonly tally: KeyHistogram;
}

/**
 * The documents from rank `first` to `last` and some around them; undefined where too many have the same
 * first key. O(visible), in steps of 32,768. REQUIRES: sides of one spec whose first entry is numeric; first
 * <= last < visible documents.
 */
export function* docsAroundRank(
  parts: readonly UnorderedLeaf[],
  first: number,
  last: number,
): Generator<void, DocsAround | undefined, undefined> {
  let count = 0;
  for (const { visible } of parts) count += visible;
  const counted = parts.map((part) => ({ ...part, tally: new KeyHistogram(numbersOf(part)) }));
  const all: Bucket = { range: ALL_KEYS, before: 0, count };
  const low = yield* bucketOf(counted, first, all);
  const high = last < low.before + low.count ? low : yield* bucketOf(counted, last, all);
  const { before } = low;
  const found = high.before + high.count - before;
  if (found > MOST) return undefined;
  const docs: Uint32Array[] = [];
  for (const part of parts) {
    const between = new Between(part, { low: low.range.low, high: high.range.high }, found);
    yield* steps(part, (from, until) => between.scan(from, until));
    docs.push(between.inOrder());
    yield;
  }
  return { before, docs };
}

function* steps(
  { docCount }: UnorderedLeaf,
  scan: (from: number, until: number) => void,
): Generator<void, void, undefined> {
  for (let from = 0; from < docCount; from += STEP_DOCS) {
    scan(from, Math.min(from + STEP_DOCS, docCount));
    yield;
  }
}

/** The bucket that holds a rank, divided until few documents are left. */
function* bucketOf(parts: readonly Counted[], rank: number, all: Bucket): Generator<void, Bucket, undefined> {
  const counts = new Uint32Array(PLACES);
  let bucket = all;
  while (bucket.count > FEW) {
    const range = yield* extentOf(parts, bucket.range);
    if (range.low === range.high) return { ...bucket, range };
    const shift = shiftOf(range);
    counts.fill(0);
    for (const part of parts)
      yield* steps(part, (from, until) => part.tally.count(counts, part.bits, from, until, range, shift));
    let { before } = bucket;
    let place = 0;
    while (before + counts[place]! <= rank) before += counts[place++]!;
    bucket = { range: subrange(range, shift, place), before, count: counts[place]! };
  }
  return bucket;
}

/** Narrows a range to the keys that occur in it. REQUIRES: there is a document in it. */
function* extentOf(parts: readonly Counted[], range: KeyRange): Generator<void, KeyRange, undefined> {
  let low = range.high;
  let high = range.low;
  for (const part of parts)
    yield* steps(part, (from, until) => {
      const own = part.tally.extent(from, until, range);
      if (own === undefined) return;
      if (own.low < low) low = own.low;
      if (own.high > high) high = own.high;
    });
  return { low, high };
}

/** Collects the documents of one leaf whose leading key lies in a range. */
class Between {
  readonly #part: UnorderedLeaf;
  readonly #numbers: KeyArrays;
  readonly #range: KeyRange;
  readonly #sieve: KernelSieve | undefined;
  readonly #far: FarBound = new FarBound();
  readonly #docs: Uint32Array;
  readonly #found: (doc: number) => void;
  #size = 0;

  constructor(part: UnorderedLeaf, range: KeyRange, most: number) {
    const near = splitKey(range.low);
    const far = splitKey(range.high);
    this.#part = part;
    this.#numbers = numbersOf(part);
    this.#range = range;
    const level = { nearHi: near.hi, nearLo: near.lo, isExact: true, isCommon: true };
    this.#sieve = KernelSieve.over([{ ...this.#numbers, ...level }]);
    this.#far.hi[0] = far.hi;
    this.#far.lo[0] = far.lo;
    this.#docs = new Uint32Array(most);
    this.#found = (doc) => void (this.#docs[this.#size++] = doc);
  }

  scan(from: number, until: number): void {
    if (this.#sieve === undefined) this.#scanAll(from, until);
    else this.#sieve.scan(this.#part.bits, from, until, this.#far, this.#found);
  }

  /** The scan without a kernel. */
  #scanAll(from: number, until: number): void {
    const { bits } = this.#part;
    const { hi, lo, flip } = this.#numbers;
    const near = splitKey(this.#range.low);
    const far = splitKey(this.#range.high);
    for (let doc = from; doc < until; doc++) {
      if (bits !== undefined && ((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const high = (hi[doc]! ^ flip) >>> 0;
      if (high < near.hi || high > far.hi) continue;
      const low = (lo[doc]! ^ flip) >>> 0;
      if (high === near.hi && low < near.lo) continue;
      if (high === far.hi && low > far.lo) continue;
      this.#docs[this.#size++] = doc;
    }
  }

  inOrder(): Uint32Array {
    const { side } = this.#part;
    return this.#docs.slice(0, this.#size).sort((a, b) => compareDocs(side, a, 0, side, b, 0));
  }
}

/** The leading keys, with the mask that makes less come first. */
function numbersOf({ side }: UnorderedLeaf): KeyArrays {
  const { hi, lo } = side.keys[0] as NumericKeys;
  return { hi, lo, flip: side.spec.entries[0]!.descending ? 0xffff_ffff : 0 };
}
