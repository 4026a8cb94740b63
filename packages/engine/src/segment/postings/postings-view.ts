// The postings of a field, as a view over its sections (format.ts): which documents have a term, how
// often, and at which positions.
//
//   term t    groups termGroups[t] … termGroups[t+1]        one per chunk
//   group g   lows[start … start of g+1), codes likewise    head of four words: start, first block, chunk|max|flags, dense
//   block     128 postings of a group, its largest code in blockMax
//   sixteen   positionOffsets has an entry for every 16th posting of the field, regardless of groups; positionHalves one for
//             the eighth posting behind it

import { popcount32 } from '../../kernels/bits.ts';
import { gallop, lowerBound } from '../../kernels/sorted-search.ts';
import { DENSE_WORDS, GROUP_WORDS } from '../format.ts';
import type { Postings } from '../leaf.ts';
import { findPositionStarts } from './position-starts.ts';
import type { PostingsArrays } from './postings-arrays.ts';
import type { ScoreCodes } from './score-codes.ts';

const NO_WORDS = new Uint32Array(0);
const postingArgument = new Int32Array(1);
const startResult = new Int32Array(1);

/**
 * `termIds` are the numbers of the terms in a shared dictionary, ascending; the row of an ordinal is found among them.
 * Without them ordinal t is row t of termGroups.
 */
export class PostingsView implements Postings {
  readonly lo: Uint16Array;
  readonly code: Uint8Array;
  readonly blockMax: Uint8Array;
  readonly arrays: PostingsArrays;
  readonly bucket: number;
  readonly freqs: Uint8Array | undefined;
  /** The dense section as 16-bit words, for reading ranks. */
  readonly ranks: Uint16Array;
  readonly #termIds: Uint32Array | undefined;
  readonly #groups: Uint32Array;
  readonly #dense: Uint32Array;
  readonly #codes: ScoreCodes | undefined;
  readonly #fixedNorm: number;
  #positionWords: Uint32Array | undefined;

  /** `codes` is undefined without freqs; `hasNorms` false makes every norm 1, as in Lucene. */
  constructor(
    arrays: PostingsArrays,
    codes: ScoreCodes | undefined,
    hasNorms: boolean,
    termIds: Uint32Array | undefined,
  ) {
    this.arrays = arrays;
    this.lo = arrays.lows;
    this.code = arrays.codes;
    this.blockMax = arrays.blockMax;
    this.bucket = codes === undefined ? 0 : codes.bucket;
    this.freqs = codes?.freqs;
    this.#termIds = termIds;
    this.#groups = arrays.groups;
    this.#dense = arrays.dense;
    this.ranks = new Uint16Array(arrays.dense.buffer, arrays.dense.byteOffset, arrays.dense.length * 2);
    this.#codes = codes;
    this.#fixedNorm = hasNorms ? -1 : 1;
  }

  /** Row of a term in termGroups, or -1. */
  row(ordinal: number): number {
    const ids = this.#termIds;
    if (ids === undefined) return ordinal >= 0 && ordinal + 1 < this.arrays.termGroups.length ? ordinal : -1;
    const at = lowerBound(ids, 0, ids.length, ordinal);
    return at < ids.length && ids[at] === ordinal && at + 1 < this.arrays.termGroups.length ? at : -1;
  }

  firstGroup(ordinal: number): number {
    const row = this.row(ordinal);
    return row < 0 ? 0 : this.arrays.termGroups[row]!;
  }

  endGroup(ordinal: number): number {
    const row = this.row(ordinal);
    return row < 0 ? 0 : this.arrays.termGroups[row + 1]!;
  }

  chunk(group: number): number {
    return this.#groups[group * GROUP_WORDS + 2]! & 0xffff;
  }

  start(group: number): number {
    return this.#groups[group * GROUP_WORDS]!;
  }

  end(group: number): number {
    return this.#groups[group * GROUP_WORDS + GROUP_WORDS]!;
  }

  firstBlock(group: number): number {
    return this.#groups[group * GROUP_WORDS + 1]!;
  }

  maxCode(group: number): number {
    return (this.#groups[group * GROUP_WORDS + 2]! >>> 16) & 0xff;
  }

  /** Number of the group's dense record, or -1. */
  denseRecord(group: number): number {
    const head = group * GROUP_WORDS;
    return this.#groups[head + 2]! >>> 24 === 0 ? -1 : this.#groups[head + 3]!;
  }

  bits(group: number): Uint32Array | undefined {
    if (this.#groups[group * GROUP_WORDS + 2]! >>> 24 === 0) return undefined;
    const at = this.#groups[group * GROUP_WORDS + 3]! * DENSE_WORDS;
    return this.#dense.subarray(at, at + 2048);
  }

  find(group: number, lo: number): number {
    const head = group * GROUP_WORDS;
    const groups = this.#groups;
    if (groups[head + 2]! >>> 24 !== 0) {
      const at = groups[head + 3]! * DENSE_WORDS;
      const word = this.#dense[at + (lo >>> 5)]!;
      const bit = 1 << (lo & 31);
      if ((word & bit) === 0) return -1;
      return groups[head]! + this.ranks[(at + 2048) * 2 + (lo >>> 5)]! + popcount32(word & (bit - 1));
    }
    const end = groups[head + GROUP_WORDS]!;
    const at = gallop(this.lo, groups[head]!, end, lo);
    return at < end && this.lo[at] === lo ? at : -1;
  }

  freq(posting: number, norm: number): number {
    const codes = this.#codes;
    if (codes === undefined) return 1;
    const byte = this.#fixedNorm < 0 ? norm : this.#fixedNorm;
    return codes.freqs[(byte << 8) | this.code[posting]!]! || this.#exception(posting);
  }

  #exception(posting: number): number {
    const pairs = this.arrays.exceptions;
    let low = 0;
    let high = pairs.length >>> 1;
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (pairs[mid * 2]! < posting) low = mid + 1;
      else high = mid;
    }
    return pairs[low * 2 + 1]!;
  }

  /** The 32-bit words of positionBytes; empty if they are not aligned. */
  get positionWords(): Uint32Array {
    if (this.#positionWords === undefined) {
      const { buffer, byteOffset, length } = this.arrays.positionBytes;
      const isAligned = (byteOffset & 3) === 0;
      this.#positionWords = isAligned ? new Uint32Array(buffer, byteOffset, length >>> 2) : NO_WORDS;
    }
    return this.#positionWords;
  }

  /** Where the positions of a posting begin in positionBytes. Skips at most 15 postings. */
  positionStart(posting: number): number {
    postingArgument[0] = posting;
    findPositionStarts(this.arrays, this.positionWords, postingArgument, 1, startResult);
    return startResult[0]!;
  }

  positions(_group: number, posting: number, out: { positions: Uint32Array }): number {
    const bytes = this.arrays.positionBytes;
    if (bytes.length === 0) return 0;
    let at = this.positionStart(posting);
    let positions = out.positions;
    let position = 0;
    for (let n = 0; ; ) {
      let byte = bytes[at++]!;
      let shift = 0;
      let delta = 0;
      while (byte >= 0x80) {
        delta |= (byte & 0x7f) << shift;
        shift += 7;
        byte = bytes[at++]!;
      }
      position += (delta | ((byte & 0x3f) << shift)) >>> 0;
      if (n === positions.length) {
        positions = new Uint32Array(Math.max(16, n * 2));
        positions.set(out.positions);
        out.positions = positions;
      }
      positions[n++] = position;
      if ((byte & 0x40) !== 0) return n;
    }
  }
}
