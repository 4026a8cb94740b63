// How do appends become smaller, and when? The first megabyte of a chunk is written as it is, words are learnt from it, and
// with them all that follows is packed, also in the next chunks, as long as they serve as well as when they were new.
//
//   chunk 1  │ raw 1 MiB │ words │ packed │ words again │ packed …      chunk 2  │ words │ packed …
//
// Large appends are packed in a thread, as soon as they are whole; what it has no answer for, here. Small ones are not packed: a writer that waits for
// one document would wait for its packing too.

import { crc32 } from 'node:zlib';
import { LOG_VERSION } from '../format/format.ts';
import { type Codec, type Packed, type VocabularyBytes, WORD_CODEC } from './codec.ts';
import { PackHelper } from './pack-helper.ts';
import { LONGEST_UNIT } from './stretch.ts';
import { Vocabularies } from './vocabularies.ts';

/** Options of packing. */
export interface PackerOptions {
  /** Who packs. @default words of the sample */
  readonly codec?: Codec;
  /** Format version of new chunks; only from 2 on they are packed. @default 2 */
  readonly version?: 1 | 2;
  /** Bytes of a chunk that are learnt from. @default 1 MiB */
  readonly sampleBytes?: number;
  /** Bytes of an append from which on it is packed. @default 65,536 */
  readonly from?: number;
  /** Bytes of an append from which on it is packed in a thread; Infinity for never. @default 65,536 */
  readonly threadFrom?: number;
  /** What runs in the thread. @default pack-thread.ts */
  readonly thread?: URL;
  /** Zeros that are written ahead of short appends at a time, at most (preallocation.ts); 0 for none. @default 1 MiB */
  readonly preallocated?: number;
}

/** An append that is packed before its turn to be written comes. */
export interface PendingPack {
  readonly words: VocabularyBytes;
  /** Never rejects. */
  readonly result: Promise<Packed | undefined>;
}

/** What was packed, and what it came to. */
interface Yield {
  length: number;
  packed: number;
}

/** After so many bytes it is known how well words serve. */
const TRIAL = 4 << 20;
/** What is packed may be larger by this than when its words were new: learning costs a megabyte. */
const WORN = 1.05;

/** Packs what is appended to a log. */
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
  /** Of the current words, when they were new and in this chunk. */
  #then: Yield = { length: 0, packed: 0 };
  #now: Yield = { length: 0, packed: 0 };

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

  /** The words to pack with. */
  get current(): VocabularyBytes | undefined {
    return this.#current;
  }

  /** The words to pack an append of `length` bytes with; none where it is too short to be waited for. */
  wordsFor(length: number): VocabularyBytes | undefined {
    return length < this.#from ? undefined : this.#current;
  }

  /** Begins to pack bytes whose turn to be written has not come; undefined where they are written as they are. */
  start(bytes: Uint8Array): PendingPack | undefined {
    const words = this.wordsFor(bytes.length);
    return words && { words, result: this.pack(words, [bytes], bytes.length).catch(() => undefined) };
  }

  /** Goes on with words that a chunk has. */
  adopt(bytes: Uint8Array): void {
    this.#current = { crc: crc32(bytes), bytes };
    this.#then = { length: 0, packed: 0 };
    this.#now = { length: 0, packed: 0 };
  }

  /** Whether words are wanted that a chunk can be learnt from: there are appends of `length` to be packed with them. */
  shouldLearn(length: number): boolean {
    return length >= this.#from && this.#current === undefined && !this.#isLearning;
  }

  /** Learns words for what comes: at once, or beside other work where there is a thread. */
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

  /** A new chunk begins: words that have worn out are given up. */
  startChunk(): void {
    const [then, now] = [this.#then, this.#now];
    if (now.packed * then.length > now.length * then.packed * WORN) this.#current = undefined;
    this.#now = { length: 0, packed: 0 };
  }

  /** Packs bytes, `length` in all; undefined where they do not get smaller. */
  async pack(
    vocabulary: VocabularyBytes,
    parts: readonly Uint8Array[],
    length: number,
  ): Promise<Packed | undefined> {
    const far = length >= this.#threadFrom ? await this.#thread?.pack(vocabulary, parts, length) : undefined;
    const made = far ?? this.#packHere(vocabulary, parts, length);
    if (made === undefined || made.packed.length + made.ends.length * 2 >= length) return undefined;
    let before = 0;
    for (const end of made.ends) {
      if (end - before > LONGEST_UNIT) return undefined;
      before = end;
    }
    if (vocabulary === this.#current)
      for (const sum of this.#then.length < TRIAL ? [this.#then, this.#now] : [this.#now]) {
        sum.length += length;
        sum.packed += made.packed.length;
      }
    return made;
  }

  /** What was packed is in its file: its memory serves for what comes. */
  recycle(made: Packed): void {
    this.#thread?.recycle(made);
  }

  async close(): Promise<void> {
    await this.#thread?.close();
  }

  #packHere(
    { crc, bytes }: VocabularyBytes,
    parts: readonly Uint8Array[],
    length: number,
  ): Packed | undefined {
    const [first] = parts;
    const joined = parts.length === 1 ? first! : Buffer.concat(parts, length);
    try {
      return this.vocabularies.packing(crc, () => bytes)?.pack(joined);
    } catch {
      // For want of memory, say: what is not packed is no less durable.
      return undefined;
    }
  }
}
