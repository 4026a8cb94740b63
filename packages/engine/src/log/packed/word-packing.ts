// Packs the bytes of a chunk in units of 4,096 bytes, each readable without the others, with one vocabulary.
// It works in a small memory of its own, over which the kernel runs; without kernels the twins run. Reading
// tables are made at once, packing tables when it first packs. Units have no checksum (frames have), but
// unpacking a damaged unit never leads outside its bounds.
//
//   head     0 words with a one-byte code | 4 address of records | 8 of strings | 12 of entries | 16 of buckets
//            20 mask of buckets, in bytes | 24 address of filters | 28 of tokens
//   reading  records | strings | a unit | its bytes
//   packing  entries | buckets | filters | tokens | bytes to pack | packed | ends: made when first used

import { KernelModule } from '../../kernels/kernel-module.ts';
import { sharedMemory, type WasmFunction, type WasmMemory } from '../../memory/wasm.ts';
import { LITERAL, LITERAL_MAX } from './code.ts';
import { packUnit } from './pack-unit.ts';
import { fillRecords, RECORD_BYTES, unpackUnit, type WordTable } from './unpack-unit.ts';
import { readVocabulary } from './vocabulary.ts';
import {
  bucketWords,
  FILTER_BYTES,
  fillDictionary,
  fillEntries,
  type WordDictionary,
} from './word-dictionary.ts';

/** Bytes of a unit. */
export const UNIT = 4_096;

/** Bytes packed per call of the kernel. */
const BATCH: number = 4 * UNIT;
const PAGE = 65_536;
/** Largest memory, in pages. */
const PAGES_MAX = 64;
const HEAD = 64;
/** Kernels read up to so many bytes behind their input. */
const MARGIN = 64;
/** Room for the token starts of a unit, two bytes each, with a margin. */
const TOKEN_BYTES: number = (UNIT + 8) * 2;

const kernels = new KernelModule('pack');

/** Consecutive packed units; `ends[i]` is the end of unit i. */
export interface PackedUnits {
  readonly packed: Uint8Array;
  readonly ends: Uint32Array;
}

/** The tables that only packing needs. */
interface PackingSide {
  readonly dictionary: WordDictionary;
  readonly from: number;
  readonly to: number;
  readonly ends: number;
}

/** Packs and unpacks with one vocabulary. O(words) to create, and again when it first packs. */
export class WordPacking {
  readonly #memory: WasmMemory;
  readonly #functions: Readonly<Record<string, WasmFunction>> | undefined;
  readonly #words: WordTable;
  readonly #lengths: Uint8Array;
  #bytes: Uint8Array;
  #used = 0;
  readonly #unit: number;
  readonly #out: number;
  #side: PackingSide | undefined;

  /** Throws Error if the bytes are not a vocabulary. */
  constructor(vocabulary: Uint8Array) {
    const { short, lengths, words } = readVocabulary(vocabulary);
    // The last lead byte may have fewer than 256 words.
    const records = (short + (LITERAL - short) * 256) * RECORD_BYTES;
    const need = HEAD + records + words.length + 2 * UNIT + LITERAL_MAX + 6 * MARGIN;
    this.#memory = sharedMemory(Math.ceil(need / PAGE), PAGES_MAX);
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#take(HEAD);
    this.#words = { short, records: this.#view(records), strings: this.#view(words.length) };
    this.#words.strings.set(words);
    fillRecords(this.#words, lengths);
    this.#lengths = lengths.slice();
    this.#unit = this.#take(UNIT);
    this.#out = this.#take(UNIT + LITERAL_MAX);
    this.#head([]);
    this.#functions = kernels.functionsFor(this);
  }

  /** The memory that the kernels work over. */
  get memory(): WasmMemory {
    return this.#memory;
  }

  /**
   * Packs bytes unit by unit; the last one may be short. A unit that gets no smaller is kept raw. `packed`
   * has room for as many bytes, and may be the same array. `between` is called after every four units (about
   * 60 µs).
   */
  pack(
    bytes: Uint8Array,
    packed: Uint8Array = new Uint8Array(bytes.length),
    between?: () => void,
  ): PackedUnits {
    const side = (this.#side ??= this.#makeSide());
    const ends = new Uint32Array(Math.ceil(bytes.length / UNIT));
    let to = 0;
    for (let from = 0; from < bytes.length; from += BATCH) {
      const length = Math.min(BATCH, bytes.length - from);
      const units = Math.ceil(length / UNIT);
      copy(bytes, from, from + length, this.#bytes, side.from);
      this.#packBatch(side, length);
      const made = new Uint32Array(this.#memory.buffer, side.ends, units);
      for (let i = 0; i < units; i++) ends[from / UNIT + i] = to + made[i]!;
      const size = made[units - 1]!;
      copy(this.#bytes, side.to, side.to + size, packed, to);
      to += size;
      between?.();
    }
    return { packed: packed.subarray(0, to), ends };
  }

  /**
   * Unpacks a unit of `length` bytes to into[at … at + length), or only its first `upTo` bytes. False, with
   * nothing written, if it is not a unit of that length. O(length). REQUIRES: length <= UNIT, room for it.
   */
  unpack(unit: Uint8Array, length: number, into: Uint8Array, at: number, upTo: number = length): boolean {
    const wanted = Math.min(upTo, length);
    if (length > UNIT || unit.length > length) return false;
    if (unit.length === length) {
      copy(unit, 0, wanted, into, at);
      return true;
    }
    copy(unit, 0, unit.length, this.#bytes, this.#unit);
    const end = this.#unit + unit.length;
    const kernel = this.#functions?.['unpack'];
    const made =
      kernel === undefined
        ? unpackUnit(this.#words, this.#bytes, this.#unit, end, this.#bytes, this.#out, length, wanted)
        : kernel(0, this.#unit, end, this.#out, length, wanted);
    if (made < 0) return false;
    copy(this.#bytes, this.#out, this.#out + wanted, into, at);
    return true;
  }

  #packBatch({ dictionary, from, to, ends }: PackingSide, length: number): void {
    const kernel = this.#functions?.['pack'];
    if (kernel !== undefined) {
      kernel(0, from, length, to, ends);
      return;
    }
    const made = new Uint32Array(this.#memory.buffer, ends, Math.ceil(length / UNIT));
    for (let i = 0, out = to; i < made.length; i++) {
      const start = from + i * UNIT;
      const end = Math.min(start + UNIT, from + length);
      out = packUnit(dictionary, this.#words.short, this.#bytes, start, end, this.#bytes, out);
      made[i] = out - to;
    }
  }

  #makeSide(): PackingSide {
    const count = this.#lengths.length;
    const size = bucketWords(count);
    const tables = (count + size) * 4 + FILTER_BYTES + TOKEN_BYTES;
    const need = tables + 2 * BATCH + 2 * UNIT + LITERAL_MAX + 16 * MARGIN;
    this.#memory.grow(Math.ceil((this.#used + need) / PAGE) - this.#bytes.length / PAGE);
    const { buffer } = this.#memory;
    this.#bytes = new Uint8Array(buffer);
    const entries = new Uint32Array(buffer, this.#take(count * 4), count);
    const buckets = new Int32Array(buffer, this.#take(size * 4), size);
    const { strings } = this.#words;
    const dictionary: WordDictionary = { strings, entries, buckets, filters: this.#view(FILTER_BYTES) };
    fillEntries(entries, this.#lengths);
    fillDictionary(dictionary);
    const places = [entries, buckets].map(({ byteOffset }) => byteOffset);
    const { byteOffset } = dictionary.filters;
    this.#head([...places, size * 4 - 1, byteOffset, this.#take(TOKEN_BYTES)]);
    const from = this.#take(BATCH);
    const to = this.#take(BATCH + 2 * UNIT + LITERAL_MAX);
    return { dictionary, from, to, ends: this.#take((BATCH / UNIT) * 4) };
  }

  /** Writes the addresses for the kernel. */
  #head(side: readonly number[]): void {
    const { short, records, strings } = this.#words;
    const head = new Uint32Array(this.#memory.buffer, 0, HEAD / 4);
    head.set([short, records.byteOffset, strings.byteOffset, ...side]);
  }

  #view(bytes: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#take(bytes), bytes);
  }

  /** Allocates so many bytes, with a margin behind them. */
  #take(bytes: number): number {
    const at = this.#used;
    this.#used += Math.ceil((bytes + MARGIN) / MARGIN) * MARGIN;
    return at;
  }
}

/** Copies from[start … end) to `to` at `at`: `set` takes more than twice as long on shared memory. */
function copy(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  Buffer.prototype.copy.call(from as Buffer, to, at, start, end);
}
