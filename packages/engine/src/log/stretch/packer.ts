// Decides when and with which words appends are packed. The first megabyte of a chunk is written raw and
// words are learnt from it; everything after it is packed with them, also in the next chunks, as long as they
// work as well as when they were new.
//
//   chunk 1  │ raw 1 MiB │ words │ packed │ words again │ packed …      chunk 2  │ words │ packed …
//
// - Appends of 64 KiB and more are packed, in a thread, as soon as they are complete and while earlier
// appends run. What the thread does not answer is packed here.
// - Smaller appends, and those of many callers with less than 16 KiB each, are written raw: their callers
// would wait for the packing. They are packed when their chunk is rewritten. Reasons:
// docs/decisions/2026-11-21-log-packed-by-words.md. Measured: 1.06 bytes written per byte of the documents,
// instead of 1.57.

import { crc32 } from 'node:zlib';
import { LOG_VERSION } from '../format/format.ts';
import type { PackedUnits } from '../packed/word-packing.ts';
import { type Codec, type VocabularyBytes, WORD_CODEC } from './codec.ts';
import { PackHelper } from './pack-helper.ts';
import { LONGEST_UNIT } from './stretch.ts';
import { Vocabularies } from './vocabularies.ts';

/** Options of packing. */
export interface PackerOptions {
  /** The codec. @default words of a sample */
  readonly codec?: Codec;
  /** Format version of new chunks; version 1 is not packed. @default LOG_VERSION */
  readonly version?: 1 | 2 | 3;
  /** Bytes of a chunk used as sample. @default 1 MiB */
  readonly sampleBytes?: number;
  /** Appends of at least so many bytes are packed. @default 65,536 */
  readonly from?: number;
  /** Appends of at least so many bytes are packed in a thread; Infinity for never. @default 65,536 */
  readonly threadFrom?: number;
  /** What runs in the thread. @default pack-thread.ts */
  readonly thread?: URL;
  /**
   * Zeros written ahead of short appends at a time, at most (preallocation.ts); 0 for none. @default 1 MiB
   */
  readonly preallocated?: number;
}

/** An append that is being packed before its turn to be written. */
export interface PendingPack {
  readonly words: VocabularyBytes;
  /** Never rejects. */
  readonly result: Promise<PackedUnits | undefined>;
}

/** Bytes before and after packing. */
interface Yield {
  length: number;
  packed: number;
}

/** The yield of new words is measured over so many bytes. */
const TRIAL = 4 << 20;
/** Words are kept until the output is larger by this factor: learning costs a raw megabyte. */
const WORSE = 1.05;

/** The packer of a log. */
export class Packer {
  readonly version: number;
  readonly vocabularies: Vocabularies;
  readonly sampleBytes: number;
  readonly preallocated: number;
  readonly #codec: Codec;
  readonly #from: number;
  readonly #threadFrom: number;
  readonly #thread: PackHelper | undefined;
  #current: VocabularyBytes | undefined;
  #isLearning = false;
  /** Yields of the current words: when they were new, and in this chunk. */
  #newYield: Yield = { length: 0, packed: 0 };
  #chunkYield: Yield = { length: 0, packed: 0 };

  constructor(options: PackerOptions = {}) {
    this.version = options.version ?? LOG_VERSION;
    this.#codec = options.codec ?? WORD_CODEC;
    this.vocabularies = new Vocabularies(this.#codec);
    this.sampleBytes = options.sampleBytes ?? 1 << 20;
    this.preallocated = options.preallocated ?? 1 << 20;
    this.#from = options.from ?? 65_536;
    this.#threadFrom = options.threadFrom ?? 65_536;
    if (this.#threadFrom < Number.POSITIVE_INFINITY)
      this.#thread = new PackHelper(options.thread ?? new URL('./pack-thread.ts', import.meta.url));
  }

  /** The current words. */
  get current(): VocabularyBytes | undefined {
    return this.#current;
  }

  /** The words to pack an append of `length` bytes with; undefined if it is too short. */
  vocabularyFor(length: number): VocabularyBytes | undefined {
    return length < this.#from ? undefined : this.#current;
  }

  /** Starts packing bytes before their turn to be written; undefined if they are written raw. */
  start(bytes: Uint8Array): PendingPack | undefined {
    const words = this.vocabularyFor(bytes.length);
    return words && { words, result: this.pack(words, [bytes], bytes.length).catch(() => undefined) };
  }

  /** Uses these words from here on. */
  adopt(bytes: Uint8Array): void {
    this.#current = { crc: crc32(bytes), bytes };
    this.#newYield = { length: 0, packed: 0 };
    this.#chunkYield = { length: 0, packed: 0 };
  }

  /** Whether words should be learnt: an append of `length` could be packed and there are none. */
  shouldLearn(length: number): boolean {
    return length >= this.#from && this.#current === undefined && !this.#isLearning;
  }

  /** Learns words: in the thread if there is one, else at once. */
  learn(sample: Uint8Array): void {
    const take = (bytes: Uint8Array | undefined): void => {
      this.#isLearning = false;
      if (bytes !== undefined) this.adopt(bytes);
    };
    if (this.#thread === undefined) take(this.#codec.learn(sample));
    else {
      this.#isLearning = true;
      void this.#thread.learn(sample).then(take);
    }
  }

  /** A new chunk begins: gives up words that have become worse. */
  startChunk(): void {
    const [first, now] = [this.#newYield, this.#chunkYield];
    if (now.packed * first.length > now.length * first.packed * WORSE) this.#current = undefined;
    this.#chunkYield = { length: 0, packed: 0 };
  }

  /** Packs parts of `length` bytes in all; undefined if they do not get smaller. */
  async pack(
    vocabulary: VocabularyBytes,
    parts: readonly Uint8Array[],
    length: number,
  ): Promise<PackedUnits | undefined> {
    const far = length >= this.#threadFrom ? await this.#thread?.pack(vocabulary, parts, length) : undefined;
    const made = far ?? this.#packHere(vocabulary, parts, length);
    if (made === undefined || made.packed.length + made.ends.length * 2 >= length) return undefined;
    let before = 0;
    for (const end of made.ends) {
      if (end - before > LONGEST_UNIT) return undefined;
      before = end;
    }
    if (vocabulary === this.#current)
      for (const sum of this.#newYield.length < TRIAL
        ? [this.#newYield, this.#chunkYield]
        : [this.#chunkYield]) {
        sum.length += length;
        sum.packed += made.packed.length;
      }
    return made;
  }

  /** Takes back the memory of units that were written. */
  recycle(made: PackedUnits): void {
    this.#thread?.recycle(made);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  #packHere(
    { crc, bytes }: VocabularyBytes,
    parts: readonly Uint8Array[],
    length: number,
  ): PackedUnits | undefined {
    const [first] = parts;
    const joined = parts.length === 1 ? first! : Buffer.concat(parts, length);
    try {
      return this.vocabularies.packing(crc, () => bytes)?.pack(joined);
    } catch {
      // Out of memory, for example: the append is written raw.
      return undefined;
    }
  }
}
