// Counts how the leading keys of a leaf lie in a range: the least and the greatest key, and how many visible
// documents fall into each of a thousand buckets. A kernel counts; its twin in TypeScript does where keys lie
// outside the arenas.

import {
  EXTENT_GREATEST,
  EXTENT_LEAST,
  OUT,
  PLACES,
  TALLY_SHIFT,
} from '../../kernels/assembly/order/layout.ts';
import { type KeyArrays, OrderKernel } from './order-kernel.ts';

const PLACE_BITS = 10;
const WORD = 32n;
const LOW_HALF = 0xffff_ffffn;

/** A range of keys, flipped so that less comes first; both ends are included. */
export interface KeyRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** All keys. */
export const ALL_KEYS: KeyRange = { low: 0n, high: (1n << 64n) - 1n };

/**
 * Low bits of the distance from the low end that are dropped, so that the range fits the number of buckets.
 */
export function shiftOf({ low, high }: KeyRange): number {
  return Math.max(0, (high - low).toString(2).length - PLACE_BITS);
}

/** The part of a range that falls into a bucket. */
export function subrange({ low, high }: KeyRange, shift: number, place: number): KeyRange {
  const from = low + (BigInt(place) << BigInt(shift));
  const to = from + (1n << BigInt(shift)) - 1n;
  return { low: from, high: to < high ? to : high };
}

/** The 32-bit halves of a key. */
export function splitKey(key: bigint): { readonly hi: number; readonly lo: number } {
  return { hi: Number(key >> WORD), lo: Number(key & LOW_HALF) };
}

/** The leading keys of one leaf. */
export class KeyHistogram {
  readonly #numbers: KeyArrays;
  readonly #kernel: OrderKernel | undefined;

  constructor(numbers: KeyArrays) {
    this.#numbers = numbers;
    this.#kernel = OrderKernel.over(numbers);
  }

  /**
   * The least and the greatest key within a range among documents [from, until), dead ones too; undefined
   * without any.
   */
  extent(from: number, until: number, range: KeyRange): KeyRange | undefined {
    // Starts inverted: where nothing is found, the least stays above the greatest.
    const found = new Uint32Array([0xffff_ffff, 0xffff_ffff, 0, 0]);
    const kernel = this.#kernel;
    if (kernel === undefined) this.#widen(found, from, until, range);
    else {
      this.#begin(kernel, from, until, range);
      kernel.words.set(found.subarray(0, 2), EXTENT_LEAST / 4);
      kernel.words.set(found.subarray(2), EXTENT_GREATEST / 4);
      kernel.run('extent');
      found.set(kernel.words.subarray(EXTENT_LEAST / 4, EXTENT_LEAST / 4 + 2));
      found.set(kernel.words.subarray(EXTENT_GREATEST / 4, EXTENT_GREATEST / 4 + 2), 2);
    }
    const low = (BigInt(found[1]!) << WORD) | BigInt(found[0]!);
    const high = (BigInt(found[3]!) << WORD) | BigInt(found[2]!);
    return low <= high ? { low, high } : undefined;
  }

  /** Adds the visible documents [from, until) whose keys are in a range to the counts of their buckets. */
  count(
    counts: Uint32Array,
    bits: Uint32Array | undefined,
    from: number,
    until: number,
    range: KeyRange,
    shift: number,
  ): void {
    const kernel = this.#kernel;
    if (kernel === undefined) {
      this.#add(counts, bits, from, until, range, shift);
      return;
    }
    this.#begin(kernel, from, until, range);
    kernel.visible(bits, from, until);
    kernel.words[TALLY_SHIFT / 4] = shift;
    kernel.run('tally');
    for (let at = 0; at < PLACES; at++) counts[at]! += kernel.words[OUT / 4 + at]!;
  }

  #begin(kernel: OrderKernel, from: number, until: number, { low, high }: KeyRange): void {
    const near = splitKey(low);
    const far = splitKey(high);
    kernel.stretch(from, until, this.#numbers.hi.length);
    kernel.level(this.#numbers, near.hi, near.lo);
    kernel.far(0, far.hi, far.lo);
  }

  /** The twin of `extent`; `found` are the halves of both keys. */
  #widen(found: Uint32Array, from: number, until: number, range: KeyRange): void {
    const { hi, lo, flip } = this.#numbers;
    const near = splitKey(range.low);
    const far = splitKey(range.high);
    let leastLo = found[0]!;
    let leastHi = found[1]!;
    let mostLo = found[2]!;
    let mostHi = found[3]!;
    for (let doc = from; doc < until; doc++) {
      const high = (hi[doc]! ^ flip) >>> 0;
      const low = (lo[doc]! ^ flip) >>> 0;
      if (high < near.hi || high > far.hi) continue;
      if ((high === near.hi && low < near.lo) || (high === far.hi && low > far.lo)) continue;
      if (high < leastHi || (high === leastHi && low < leastLo)) {
        leastHi = high;
        leastLo = low;
      }
      if (high > mostHi || (high === mostHi && low > mostLo)) {
        mostHi = high;
        mostLo = low;
      }
    }
    found.set([leastLo, leastHi, mostLo, mostHi]);
  }

  /** The twin of `tally`. */
  #add(
    counts: Uint32Array,
    bits: Uint32Array | undefined,
    from: number,
    until: number,
    range: KeyRange,
    shift: number,
  ): void {
    const { hi, lo, flip } = this.#numbers;
    const near = splitKey(range.low);
    const width = splitKey(range.high - range.low);
    for (let doc = from; doc < until; doc++) {
      if (bits !== undefined && ((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      const low = (lo[doc]! ^ flip) >>> 0;
      const high = ((hi[doc]! ^ flip) - near.hi - (low < near.lo ? 1 : 0)) >>> 0;
      const rest = (low - near.lo) >>> 0;
      // A key before the near end wraps to a large distance.
      if (high > width.hi || (high === width.hi && rest > width.lo)) continue;
      const place =
        shift >= 32
          ? high >>> (shift - 32)
          : shift === 0
            ? rest
            : ((high << (32 - shift)) | (rest >>> shift)) >>> 0;
      counts[place]!++;
    }
  }
}
